//! Which state functions and operators are remembered.

use std::sync::Arc;

use primed_semantics::model::{Argument, DefinitionId, Expr, ExprKind};

use super::costs::Cost;
use super::{Binding, Compiler, Names};
use crate::node::Code;
use crate::nodes::remembered::Remembered;
use crate::program::Procedure;

/// Definitions with fewer nodes are evaluated again as fast as they are looked up.
const LEAST: u32 = 8;
/// Most arguments of an operator that is remembered.
const MOST_ARGUMENTS: usize = 4;

impl<'m> Compiler<'m> {
    /// Compiles formulas of steps: of states both of which are known.
    pub(super) fn in_step<T>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.stepping, true);
        let result = compile(self);
        self.stepping = outer;
        result
    }

    /// A stand-in for a variable, or a definition without parameters: `here` is its code. It is remembered where it stands in a step.
    pub(super) fn remembered_function(&mut self, expr: &'m Expr, names: &Names<'m>, here: Code) -> Code {
        let plain = !self.inside_procedure && !names.exchanged && names.enabled.is_none() && names.cost == Cost::None;
        if !plain || !self.is_remembered(expr, names) {
            return here;
        }
        // All uses of one definition share what is known.
        let body = match &*expr.kind {
            ExprKind::Call { definition, args } if args.is_empty() => &self.model.definition(*definition).body,
            _ => expr,
        };
        let (number, procedure) = self.remembered_procedure(&[], body);
        Box::new(Remembered { number, next: names.primed, arguments: Vec::new(), procedure, here })
    }

    fn is_remembered(&mut self, expr: &'m Expr, names: &Names<'m>) -> bool {
        let facts = self.analysis.facts(expr);
        let of_state = facts.current && !facts.next && !facts.moment && facts.free.is_empty();
        let long = facts.recursion && !names.primed;
        of_state
            && (self.stepping || long)
            && match &*expr.kind {
                ExprKind::Variable(_) => false,
                ExprKind::Call { definition, .. } => self.analysis.size(*definition) >= LEAST,
                _ => true,
            }
    }

    /// A call of an operator with parameters, whose code is `here`: it is remembered if it is recursive or uses what is.
    pub(super) fn remembered_call(
        &mut self,
        id: DefinitionId,
        args: &'m [Argument],
        names: &Names<'m>,
        here: Code,
    ) -> Code {
        let definition = self.model.definition(id);
        let plain = !self.inside_procedure && !names.primed && !names.exchanged && names.enabled.is_none();
        let plain = plain && names.cost == Cost::None;
        let values = (1..=MOST_ARGUMENTS).contains(&args.len()) && definition.params.iter().all(|p| p.arity == 0);
        if !plain || !values {
            return here;
        }
        let facts = self.analysis.definition(id);
        let alone = !facts.next && !facts.moment && !facts.primes_names && facts.free.is_empty();
        if !alone || !(definition.recursive || facts.recursion) {
            return here;
        }
        let mut arguments = Vec::new();
        for arg in args {
            match arg {
                Argument::Value(value) if self.is_cheap(value, names, 12) => {
                    arguments.push(self.code(value, names));
                }
                _ => return here,
            }
        }
        let params: Vec<_> = definition.params.iter().map(|p| p.local).collect();
        let (number, procedure) = self.remembered_procedure(&params, &definition.body);
        Box::new(Remembered { number, next: false, arguments, procedure, here })
    }

    fn remembered_procedure(
        &mut self,
        params: &[primed_semantics::model::LocalId],
        body: &'m Expr,
    ) -> (u32, Arc<Procedure>) {
        let key: *const ExprKind = &*body.kind;
        if let Some(known) = self.remembered.get(&key) {
            return known.clone();
        }
        let known = (self.remembered.len() as u32, Arc::new(Procedure::default()));
        self.remembered.insert(key, known.clone());
        let outer = (std::mem::replace(&mut self.inside_procedure, true), std::mem::replace(&mut self.depth, 0));
        let code = self.in_frame(|c| {
            let mut names = Names::default();
            for param in params {
                let slot = c.slot();
                names.bindings.insert(*param, Binding::Passed(slot));
            }
            c.code(body, &names)
        });
        (self.inside_procedure, self.depth) = outer;
        // Set once: the table above sees to it.
        drop(known.1.code.set(code));
        known
    }
}
