//! State functions whose values are remembered from state to state ([`crate::memo`]).

use primed_value::host::Result;
use primed_value::value::Value;

use crate::env::Env;
use crate::node::{Code, Node, Operand, Shared};

/// A state function that depends on nothing but one state and constants.
#[derive(Debug)]
pub(crate) struct Remembered {
    /// Its place among those that a [`crate::Memo`] knows.
    pub(crate) number: u32,
    /// It is meant of the next state.
    pub(crate) next: bool,
    /// The function, of the current state, in a frame of its own.
    pub(crate) code: Shared,
    pub(crate) frame: u32,
    /// The same where it stands.
    pub(crate) here: Code,
}

impl Node for Remembered {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        if env.rows.is_some()
            && let Some(known) = env.state_function(self)
        {
            return known;
        }
        self.here.eval(env)
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.here.operands()
    }
}
