//! A state predicate in the form that tells which of its conjuncts is false.

use primed_semantics::model::{Builtin, Expr, ExprKind};
use primed_value::host::Result;

use super::{Compiler, Finds, Names};
use crate::actions;
use crate::env::Env;
use crate::explain::{self, Refusal, Unobserved};
use crate::natives;
use crate::node::{Action, Flow};

/// Definitions gone into below each other.
const DEPTH: usize = 100;

/// A predicate as the list of its conjuncts, also of those that definitions without parameters stand for.
#[derive(Debug)]
pub struct Conditions {
    action: Box<dyn Action>,
    frame: u32,
}

impl<'m> Compiler<'m> {
    /// Compiles a predicate for an explanation.
    pub fn conditions(&mut self, expr: &'m Expr) -> Conditions {
        self.analysis.count(expr);
        let (action, frame) = self.in_frame(|c| c.conjuncts(expr, 0));
        Conditions { action, frame }
    }

    fn conjuncts(&mut self, expr: &'m Expr, depth: usize) -> Box<dyn Action> {
        stacker::maybe_grow(128 << 10, 4 << 20, || match &*expr.kind {
            ExprKind::Junction { and: true, items } | ExprKind::Builtin { op: Builtin::And, args: items } => {
                Box::new(actions::All(items.iter().map(|i| self.conjuncts(i, depth)).collect()))
            }
            ExprKind::Call { definition, args } if args.is_empty() && depth < DEPTH => {
                let definition = self.model.definition(*definition);
                match definition.recursive || natives::lookup(definition).is_some() {
                    true => self.condition(expr, &Names::default(), Finds::Current),
                    false => self.conjuncts(&definition.body, depth + 1),
                }
            }
            _ => self.condition(expr, &Names::default(), Finds::Current),
        })
    }
}

impl Conditions {
    /// The first conjunct that is false in the environment's state; nothing if none is.
    ///
    /// # Errors
    /// Whatever the evaluation gives.
    pub fn explain<'a>(&'a self, env: &mut Env<'a>) -> Result<Vec<Refusal>> {
        explain::start(env, Unobserved::default());
        let result = env.in_frame(self.frame as usize, |env| self.action.step(env, None, &mut |_| Ok(Flow::Continue)));
        let refusals = explain::finish(env);
        result.map(|_| refusals)
    }
}
