//! State functions and operators whose values are remembered from state to state ([`crate::memo`]).

use std::sync::Arc;

use primed_value::host::Result;
use primed_value::sets;
use primed_value::value::Value;

use crate::env::Env;
use crate::explain::Witness;
use crate::node::{Code, Node, Operand};
use crate::program::Procedure;

/// A state function, or an operator with arguments, that depends on nothing else than one state and constants.
#[derive(Debug)]
pub(crate) struct Remembered {
    /// Its place among those that a [`crate::Memo`] knows.
    pub(crate) number: u32,
    /// It is meant of the next state.
    pub(crate) next: bool,
    /// Code that is sure to end.
    pub(crate) arguments: Vec<Code>,
    /// Of the current state, in a frame of its own that begins with the arguments.
    pub(crate) procedure: Arc<Procedure>,
    /// The same where it stands.
    pub(crate) here: Code,
}

impl Remembered {
    /// Evaluates it for these arguments.
    pub(crate) fn run<'a>(
        &'a self,
        env: &mut Env<'a>,
        arguments: &mut dyn Iterator<Item = Value<'a>>,
    ) -> Result<Value<'a>> {
        let Some((code, size)) = self.procedure.code.get() else { return self.here.eval(env) };
        env.deeper(|env| {
            env.in_frame(*size as usize, |env| {
                for (slot, value) in (0..).zip(arguments) {
                    env.set_slot(slot, value);
                }
                code.eval(env)
            })
        })
    }
}

impl Node for Remembered {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        if env.rows.is_some()
            && let Some(known) = env.remembered_function(self)
        {
            return known;
        }
        self.here.eval(env)
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        if env.rows.is_some()
            && let Some(known) = env.remembered_function(self)
        {
            return sets::member(env, element, known?);
        }
        self.here.has(env, element)
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.here.operands()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        self.here.witness(env, value, found);
    }
}
