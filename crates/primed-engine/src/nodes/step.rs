//! `[A]_v` and `<<A>>_v`. TLC has words of its own for an action in there that is no Boolean.

use primed_value::error::{EvalError, Place};
use primed_value::host::Result;
use primed_value::value::Value;

use super::logic::condition;
use crate::env::Env;
use crate::node::{Code, Node, Operand};

/// An action with a subscript, as a condition.
#[derive(Debug)]
pub(crate) struct Step {
    /// `[A]_v`.
    pub(crate) square: bool,
    pub(crate) action: Code,
    /// `v' = v` of `[A]_v`, `v' # v` of `<<A>>_v`.
    pub(crate) rest: Code,
    /// The subscript is looked at first: it is what a temporal formula consists of.
    pub(crate) late: bool,
    pub(crate) place: Place,
}

impl Step {
    fn action<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        match self.action.eval(env)? {
            Value::Bool(b) => Ok(b),
            _ if self.late => {
                Err(EvalError::new(2252, "Encountered an action predicate that's not a boolean.").at(self.place))
            }
            _ => {
                let form = if self.square { "[A]_e" } else { "<A>_e" };
                let message = format!("Attempted to evaluate an expression of form {form}, but A was not a boolean.");
                Err(EvalError::new(1000, message).told("\n", self.place))
            }
        }
    }
}

impl Node for Step {
    condition!();

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        if self.late && self.rest.test(env)? == self.square {
            return Ok(self.square);
        }
        let holds = self.action(env)?;
        if self.late || holds == self.square { Ok(holds) } else { self.rest.test(env) }
    }

    fn conjuncts(&self) -> Option<Vec<&dyn Node>> {
        (!self.square).then(|| vec![&*self.action, &*self.rest])
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        [self.action.operands(), self.rest.operands()].concat()
    }
}
