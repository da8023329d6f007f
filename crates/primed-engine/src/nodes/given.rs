//! The range of a quantified name that a caller may fix.

use primed_value::error::Place;
use primed_value::host::Result;
use primed_value::value::Value;
use primed_value::{build, sets};

use crate::env::Env;
use crate::node::{Code, Node};

/// The range, or what the caller gave if that is in it.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) parameter: u32,
    pub(crate) range: Code,
    pub(crate) place: Place,
}

impl Node for Given {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let range = self.range.eval(env)?;
        let Some(Some(value)) = env.given.get(self.parameter as usize).copied() else { return Ok(range) };
        match sets::member(env, value, range).map_err(|e| e.at(self.place))? {
            true => build::set(env, vec![value]),
            false => Ok(build::empty_set()),
        }
    }
}
