//! Which state functions of a step are remembered.

use std::sync::Arc;

use primed_semantics::model::{Expr, ExprKind};

use super::{Compiler, Names};
use crate::node::{Code, Shared};
use crate::nodes::remembered::Remembered;

/// Definitions with fewer nodes are evaluated again as fast as they are looked up.
const LEAST: u32 = 8;

impl<'m> Compiler<'m> {
    /// Compiles formulas of steps: of states both of which are known.
    pub(super) fn in_step<T>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.stepping, true);
        let result = compile(self);
        self.stepping = outer;
        result
    }

    /// A definition or a stand-in for a variable that stands in a step: `here` is its code there.
    pub(super) fn remembered(&mut self, expr: &'m Expr, names: &Names<'m>, here: Code) -> Code {
        if !self.stepping || names.exchanged || names.enabled.is_some() || !self.is_remembered(expr) {
            return here;
        }
        // All uses of one definition share what is known.
        let key: *const ExprKind = match &*expr.kind {
            ExprKind::Call { definition, args } if args.is_empty() => &*self.model.definition(*definition).body.kind,
            kind => kind,
        };
        let (number, code, frame) = match self.remembered.get(&key) {
            Some(known) => known.clone(),
            None => {
                let number = self.remembered.len() as u32;
                let stepping = std::mem::replace(&mut self.stepping, false);
                let (code, frame) = self.uncounted(|c| c.in_frame(|c| c.code(expr, &Names::default())));
                self.stepping = stepping;
                let known: (u32, Shared, u32) = (number, Arc::from(code), frame);
                self.remembered.insert(key, known.clone());
                known
            }
        };
        Box::new(Remembered { number, next: names.primed, code, frame, here })
    }

    fn is_remembered(&mut self, expr: &'m Expr) -> bool {
        let facts = self.analysis.facts(expr);
        let of_state = facts.current && !facts.next && !facts.moment && facts.free.is_empty();
        of_state
            && match &*expr.kind {
                ExprKind::Variable(_) => false,
                ExprKind::Call { definition, .. } => self.analysis.size(*definition) >= LEAST,
                _ => true,
            }
    }
}
