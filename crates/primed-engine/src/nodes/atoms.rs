//! Leaves: scalars, variables, slots, constants.

use std::sync::Arc;

use primed_value::error::{EvalError, EvalErrorKind, Place};
use primed_value::host::Result;
use primed_value::value::Value;

use crate::env::{Env, Finding, Slot, Undo};
use crate::node::{Node, Shared};
use crate::program::Global;

/// A Boolean, number, string or model value.
#[derive(Debug)]
pub(crate) struct Scalar(pub(crate) Value<'static>);

impl Node for Scalar {
    #[inline]
    fn eval<'a>(&'a self, _: &mut Env<'a>) -> Result<Value<'a>> {
        Ok(self.0)
    }
}

/// A variable in the current state.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) number: u32,
    pub(crate) place: Place,
}

impl Node for Variable {
    #[inline]
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        if env.watching {
            env.reads(self.number);
        }
        match env.current[self.number as usize] {
            Some(value) => Ok(value),
            None => Err(unassigned(env, self.number, self.place)),
        }
    }
}

/// A variable in the next state.
#[derive(Debug)]
pub(crate) struct NextVariable {
    pub(crate) number: u32,
    pub(crate) place: Place,
}

impl Node for NextVariable {
    #[inline]
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        if env.watching {
            env.reads_next(self.number);
        }
        match env.next[self.number as usize] {
            Some(value) => Ok(value),
            None => Err(unassigned(env, self.number, self.place)),
        }
    }
}

#[cold]
pub(crate) fn unassigned(env: &Env<'_>, number: u32, place: Place) -> Box<EvalError> {
    let name = env.program.names.get(number as usize).map_or("?", |v| &v.name);
    let message = format!("In evaluation, the identifier {name} is either undefined or not an operator.");
    EvalError::of_kind(EvalErrorKind::Incomplete, 2280, message).told("\n", place)
}

/// A slot that its binder has filled.
#[derive(Debug)]
pub(crate) struct Bound(pub(crate) u32);

impl Node for Bound {
    #[inline]
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        match env.slot(self.0) {
            Slot::Value(value) => Ok(value),
            _ => env.force_slot(self.0),
        }
    }
}

/// A LET value or argument: computed at the first use, then kept in its slot.
#[derive(Debug)]
pub(crate) struct Lazy {
    pub(crate) slot: u32,
    pub(crate) code: Shared,
    /// May depend on the state being found, if that is the current one.
    pub(crate) reads_current: bool,
    /// May depend on the state being found, if that is the next one.
    pub(crate) reads_next: bool,
}

impl Node for Lazy {
    #[inline]
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        if let Slot::Value(value) = env.slot(self.slot) {
            return Ok(value);
        }
        let value = self.code.eval(env)?;
        env.set_slot(self.slot, value);
        let volatile = match env.finding {
            Finding::Nothing => false,
            Finding::Current => self.reads_current,
            Finding::Next => self.reads_next,
        };
        if volatile {
            env.trail.push(Undo::Slot(env.base + self.slot as usize));
        }
        Ok(value)
    }

    fn operands(&self) -> Vec<crate::node::Operand<'_>> {
        self.code.operands()
    }
}

/// A constant definition or expression.
#[derive(Debug)]
pub(crate) struct Constant {
    pub(crate) global: Arc<Global>,
    pub(crate) place: Place,
}

impl Node for Constant {
    #[inline]
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        self.global.get(env).map_err(|e| e.at(self.place))
    }
}

/// A construct that is not evaluated.
#[derive(Debug)]
pub(crate) struct Unsupported {
    pub(crate) what: Arc<str>,
    pub(crate) place: Place,
}

impl Node for Unsupported {
    fn eval<'a>(&'a self, _: &mut Env<'a>) -> Result<Value<'a>> {
        let message = format!("{} cannot be evaluated", self.what);
        Err(EvalError::of_kind(EvalErrorKind::Unsupported, 2156, message).at(self.place))
    }
}

/// An expression without code: definitions use each other so often that writing all of them out would take all memory.
#[derive(Debug)]
pub(crate) struct TooLarge {
    pub(crate) place: Place,
}

impl Node for TooLarge {
    fn eval<'a>(&'a self, _: &mut Env<'a>) -> Result<Value<'a>> {
        let message = "Definitions that use each other are too large: more than 4194304 expressions were written out.";
        Err(EvalError::of_kind(EvalErrorKind::Limit, 1000, message).at(self.place))
    }
}

/// A temporal operator where a value is wanted.
#[derive(Debug)]
pub(crate) struct TemporalOperator {
    pub(crate) form: &'static str,
    pub(crate) place: Place,
}

impl Node for TemporalOperator {
    fn eval<'a>(&'a self, _: &mut Env<'a>) -> Result<Value<'a>> {
        let message =
            format!("TLC encountered a temporal formula ({}) when evaluating a predicate or action.", self.form);
        Err(EvalError::new(2261, message).at(self.place))
    }
}
