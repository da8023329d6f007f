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
    /// What TLC says of an action that is no Boolean.
    pub(crate) complaint: (u32, String),
    pub(crate) place: Place,
}

impl Step {
    fn action<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        match self.action.eval(env)? {
            Value::Bool(b) => Ok(b),
            _ => Err(EvalError::new(self.complaint.0, self.complaint.1.clone()).at(self.place)),
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
