//! Native operators and calls of recursive definitions.

use std::sync::Arc;

use primed_value::error::{EvalError, Place};
use primed_value::host::Result;
use primed_value::value::Value;

use crate::env::{Env, Slot, ThunkCode, UNUSABLE};
use crate::node::{Code, Node};
use crate::program::Procedure;

/// A native operator of no argument.
pub(crate) type Native0 = for<'a> fn(&mut Env<'a>) -> Result<Value<'a>>;
/// A native operator of one argument.
pub(crate) type Native1 = for<'a> fn(&mut Env<'a>, Value<'a>) -> Result<Value<'a>>;
/// A native operator of two arguments.
pub(crate) type Native2 = for<'a> fn(&mut Env<'a>, Value<'a>, Value<'a>) -> Result<Value<'a>>;
/// A native operator of three arguments.
pub(crate) type Native3 = for<'a> fn(&mut Env<'a>, Value<'a>, Value<'a>, Value<'a>) -> Result<Value<'a>>;

/// Calls a [`Native0`].
#[derive(Debug)]
pub(crate) struct Call0 {
    pub(crate) run: Native0,
    pub(crate) place: Place,
}

impl Node for Call0 {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        (self.run)(env).map_err(|e| e.at(self.place))
    }
}

/// Calls a [`Native1`].
#[derive(Debug)]
pub(crate) struct Call1 {
    pub(crate) run: Native1,
    pub(crate) argument: Code,
    pub(crate) place: Place,
}

impl Node for Call1 {
    #[inline]
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let argument = self.argument.eval(env)?;
        (self.run)(env, argument).map_err(|e| e.at(self.place))
    }
}

/// Calls a [`Native2`].
#[derive(Debug)]
pub(crate) struct Call2 {
    pub(crate) run: Native2,
    pub(crate) arguments: [Code; 2],
    pub(crate) place: Place,
}

impl Node for Call2 {
    #[inline]
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let left = self.arguments[0].eval(env)?;
        let right = self.arguments[1].eval(env)?;
        (self.run)(env, left, right).map_err(|e| e.at(self.place))
    }
}

/// Calls a [`Native3`].
#[derive(Debug)]
pub(crate) struct Call3 {
    pub(crate) run: Native3,
    pub(crate) arguments: [Code; 3],
    pub(crate) place: Place,
}

impl Node for Call3 {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let first = self.arguments[0].eval(env)?;
        let second = self.arguments[1].eval(env)?;
        let third = self.arguments[2].eval(env)?;
        (self.run)(env, first, second, third).map_err(|e| e.at(self.place))
    }
}

/// An operator passed to a native one: its parameters are slots of the frame it is written in.
#[derive(Debug)]
pub(crate) struct Operator {
    pub(crate) params: Vec<u32>,
    pub(crate) body: Code,
}

impl Operator {
    /// Applies the operator; too few arguments leave parameters unbound.
    pub(crate) fn apply<'a>(&'a self, env: &mut Env<'a>, arguments: &[Value<'a>]) -> Result<Value<'a>> {
        for (slot, argument) in self.params.iter().zip(arguments) {
            env.set_slot(*slot, *argument);
        }
        self.body.eval(env)
    }

    /// Applies an operator of two arguments whose evaluation may have failed: what failed counts if it is used.
    pub(crate) fn apply_by_need<'a>(
        &'a self,
        env: &mut Env<'a>,
        first: Result<Value<'a>>,
        second: Result<Value<'a>>,
    ) -> Result<Value<'a>> {
        for (slot, argument) in self.params.iter().zip([&first, &second]) {
            match argument {
                Ok(value) => env.set_slot(*slot, *value),
                Err(_) => env.clear_slot(*slot),
            }
        }
        self.body.eval(env).map_err(|error| match error.message == UNUSABLE {
            true => first.err().or(second.err()).unwrap_or(error),
            false => error,
        })
    }
}

/// A native operator some of whose arguments are operators.
pub(crate) type NativeWith = for<'a> fn(&mut Env<'a>, &'a [Operator], &[Value<'a>]) -> Result<Value<'a>>;

/// Calls a [`NativeWith`].
#[derive(Debug)]
pub(crate) struct CallWith {
    pub(crate) run: NativeWith,
    pub(crate) operators: Vec<Operator>,
    pub(crate) arguments: Vec<Code>,
    pub(crate) place: Place,
}

impl Node for CallWith {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let mut values = Vec::with_capacity(self.arguments.len());
        for argument in &self.arguments {
            values.push(argument.eval(env)?);
        }
        (self.run)(env, &self.operators, &values).map_err(|e| e.at(self.place))
    }
}

/// A native operator that evaluates its arguments itself.
pub(crate) type NativeByCode = for<'a> fn(&mut Env<'a>, &'a [Code]) -> Result<Value<'a>>;

/// Calls a [`NativeByCode`].
#[derive(Debug)]
pub(crate) struct CallByCode {
    pub(crate) run: NativeByCode,
    pub(crate) arguments: Vec<Code>,
    pub(crate) place: Place,
}

impl Node for CallByCode {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        (self.run)(env, &self.arguments).map_err(|e| e.at(self.place))
    }
}

/// How an argument of a recursive operator is passed.
#[derive(Debug)]
pub(crate) enum Passed {
    /// Cheap and certain to end: computed at once, or by need if that fails.
    Now(ThunkCode),
    /// By need.
    ByNeed(ThunkCode),
    /// What is in a slot, computed or not.
    Same(u32),
}

/// What the frame of a called definition begins with.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) arguments: Vec<Passed>,
    pub(crate) place: Place,
}

/// Calls a recursive definition in a frame of its own.
#[derive(Debug)]
pub(crate) struct Recursive {
    pub(crate) procedure: Arc<Procedure>,
    pub(crate) entry: Entry,
}

impl Entry {
    /// The complaint about a procedure that was never compiled.
    pub(crate) fn undefined(&self) -> Box<EvalError> {
        EvalError::new(1000, "a recursive operator has no definition").at(self.place)
    }

    /// Evaluates or delays the arguments, makes the frame and runs `run` in it.
    pub(crate) fn enter<'a, T>(
        &'a self,
        env: &mut Env<'a>,
        size: u32,
        run: impl FnOnce(&mut Env<'a>) -> Result<T>,
    ) -> Result<T> {
        let mut passed = Vec::with_capacity(self.arguments.len());
        for argument in &self.arguments {
            passed.push(match argument {
                Passed::Now(code) => match code.code.eval(env) {
                    Ok(value) => Slot::Value(value),
                    Err(_) => Slot::Thunk(code, env.base as u32),
                },
                Passed::ByNeed(code) => Slot::Thunk(code, env.base as u32),
                Passed::Same(slot) => env.passed_on(*slot),
            });
        }
        env.deeper(|env| {
            env.in_frame(size as usize, |env| {
                let base = env.base;
                env.slots[base..base + passed.len()].copy_from_slice(&passed);
                run(env)
            })
        })
        .map_err(|e| e.at(self.place))
    }
}

impl Recursive {
    fn code(&self) -> Result<(&Code, u32)> {
        match self.procedure.code.get() {
            Some((code, size)) => Ok((code, *size)),
            None => Err(self.entry.undefined()),
        }
    }
}

impl Node for Recursive {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let (code, size) = self.code()?;
        self.entry.enter(env, size, |env| code.eval(env))
    }

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let (code, size) = self.code()?;
        self.entry.enter(env, size, |env| code.test(env))
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        let (code, size) = self.code()?;
        self.entry.enter(env, size, |env| code.has(env, element))
    }
}
