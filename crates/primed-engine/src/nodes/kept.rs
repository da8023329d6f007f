//! Constant definitions whose value TLC keeps although it depends on the moment.

use std::sync::{Arc, OnceLock};

use primed_value::freeze::Frozen;
use primed_value::host::Result;
use primed_value::sets;
use primed_value::value::Value;

use crate::env::Env;
use crate::explain::Witness;
use crate::node::{Code, Node, Operand};

/// The value that a definition had when the search began; none if it could not be evaluated then.
pub(crate) type KeptValue = Arc<OnceLock<Frozen>>;

/// A use of such a definition.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) value: KeptValue,
    /// The definition as it stands here.
    pub(crate) here: Code,
}

impl Node for Kept {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        match self.value.get() {
            Some(value) => Ok(value.get()),
            None => self.here.eval(env),
        }
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        match self.value.get() {
            Some(set) => sets::member(env, element, set.get()),
            None => self.here.has(env, element),
        }
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.here.operands()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        self.here.witness(env, value, found);
    }
}
