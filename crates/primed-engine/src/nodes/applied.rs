//! The application of a function whose body is an action: TLC does not compute such a function, it walks the body (`FcnApply`
//! in its next-state relation).

use std::sync::{Arc, OnceLock};

use primed_value::error::{EvalError, Place};
use primed_value::functions;
use primed_value::host::Result;
use primed_value::sets;
use primed_value::value::Value;

use crate::actions::holds;
use crate::env::Env;
use crate::node::{Action, Code, Cont, Flow, Out, proceed};
use crate::nodes::binders::{Dimension, Ranges};
use crate::program::FrameSize;

/// A function whose body finds states.
#[derive(Debug)]
pub(crate) struct ActionFunction {
    pub(crate) ranges: Ranges,
    /// Set once the body is compiled: it may apply the function itself.
    pub(crate) body: OnceLock<Box<dyn Action>>,
    /// The frame that a recursive application gets a copy of.
    pub(crate) frame: Arc<FrameSize>,
    /// The body applies the function.
    pub(crate) recursive: bool,
}

/// `f[e]`.
#[derive(Debug)]
pub(crate) struct Applied {
    pub(crate) function: Arc<ActionFunction>,
    pub(crate) argument: Code,
    /// A function over sets that are written out is computed first, as TLC does in initial predicates.
    pub(crate) eager: bool,
    /// The same formula as a condition.
    pub(crate) condition: Code,
    pub(crate) place: Place,
}

impl ActionFunction {
    /// Binds the indices, each of which must be in its set.
    fn bind<'a>(&'a self, env: &mut Env<'a>, dimensions: &[Dimension<'a>], argument: Value<'a>) -> Result<()> {
        let one = [argument];
        let arguments = match dimensions.len() {
            1 => Some(&one[..]),
            many => functions::as_sequence(env, argument).filter(|components| components.len() == many),
        };
        let Some(arguments) = arguments else {
            return Err(EvalError::new(1000, "Attempted to apply a function to an argument not in its domain."));
        };
        for ((pattern, set, _), value) in dimensions.iter().zip(arguments) {
            if !sets::member(env, *value, *set)? {
                let message = "Attempted to apply a function to an argument not in its domain.";
                return Err(EvalError::new(1000, message));
            }
            pattern.bind(env, *value)?;
        }
        Ok(())
    }

    fn step<'a>(
        &'a self,
        env: &mut Env<'a>,
        (dimensions, argument, place): (&[Dimension<'a>], Value<'a>, Place),
        rest: Option<&Cont<'_, 'a>>,
        out: &mut Out<'_, 'a>,
    ) -> Result<Flow> {
        self.bind(env, dimensions, argument).map_err(|e| e.at(place))?;
        match self.body.get() {
            Some(body) => body.step(env, rest, out),
            None => Err(EvalError::new(1000, "a function is applied that has no body").at(place)),
        }
    }
}

impl Action for Applied {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        let dimensions = self.function.ranges.dimensions(env)?;
        let explicit = |set| matches!(set, Value::Set(_) | Value::Interval(_) | Value::Mixed(_));
        if self.eager && dimensions.iter().all(|(_, set, _)| explicit(*set)) {
            return match self.holds(env)? {
                true => crate::explain::passed(env, |env| proceed(env, rest, out)),
                false => Ok(Flow::Continue),
            };
        }
        let argument = self.argument.eval(env)?;
        let applied = (dimensions.as_slice(), argument, self.place);
        if !self.function.recursive {
            return self.function.step(env, applied, rest, out);
        }
        // An application inside this one binds the same slots: each gets a copy of the frame.
        let (base, top) = (env.base, env.slots.len());
        let size = self.function.frame.size().min(top - base);
        env.slots.extend_from_within(base..base + size);
        env.base = top;
        let flow = env.deeper(|env| self.function.step(env, applied, rest, out));
        env.base = base;
        env.slots.truncate(top);
        flow
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        holds(env, &self.condition, self.place)
    }

    fn gives(&self) -> Vec<u32> {
        match (self.function.recursive || self.eager, self.function.body.get()) {
            (false, Some(body)) => body.gives(),
            _ => Vec::new(),
        }
    }
}
