//! The constant parts of a temporal formula, which TLC evaluates before it searches, needed or not.

use std::sync::Arc;

use primed_semantics::model::{Builtin, Expr, ExprKind, Level};
use primed_value::host::Result;
use primed_value::value::Value;

use super::{Compiler, Names};
use crate::world::World;

/// Definitions and operators followed into a formula.
const DEPTH: usize = 200;

impl<'m> Compiler<'m> {
    /// Evaluates the constants that a formula below temporal level is put together of by Boolean operators, IF, LET and
    /// definitions. TLC takes such a formula apart, and puts it together again when it sees that no part is temporal
    /// (`astToLive` of its `Liveness`).
    ///
    /// # Errors
    /// What evaluating such a part gives, or 2215 if it is no Boolean.
    pub(super) fn constant_parts(
        &mut self,
        expr: &'m Expr,
        names: &Names<'m>,
        world: &Arc<dyn World>,
        depth: usize,
    ) -> Result<()> {
        if depth > DEPTH {
            return Ok(());
        }
        let all = |c: &mut Self, parts: &[&'m Expr]| {
            parts.iter().try_for_each(|part| c.constant_parts(part, names, world, depth + 1))
        };
        stacker::maybe_grow(256 << 10, 8 << 20, || match &*expr.kind {
            ExprKind::Junction { items, .. } => all(self, &items.iter().collect::<Vec<_>>()),
            ExprKind::Builtin { op: Builtin::And | Builtin::Or | Builtin::Implies | Builtin::Not, args } => {
                all(self, &args.iter().collect::<Vec<_>>())
            }
            ExprKind::If(condition, yes, no) => all(self, &[condition, yes, no]),
            // What it ranges over may not be known yet; TLC falls back to the whole then.
            ExprKind::Quantified { .. } => Ok(()),
            // What goes wrong inside an operator's definition is forgotten; the whole is looked at then.
            ExprKind::Call { .. } | ExprKind::CallLocal { .. } | ExprKind::Local(_) => {
                self.constant_part(expr, names, world)
            }
            _ => match self.unfold(expr, names) {
                Some((body, names)) => self.constant_parts(body, &names, world, depth + 1),
                None => self.constant_part(expr, names, world),
            },
        })
    }

    fn constant_part(&mut self, expr: &'m Expr, names: &Names<'m>, world: &Arc<dyn World>) -> Result<()> {
        if self.level(expr, names) != Level::Constant {
            return Ok(());
        }
        match self.constant_value(expr, names, world)?.get() {
            Value::Bool(_) => Ok(()),
            _ => Err(self.no_boolean(expr)),
        }
    }
}
