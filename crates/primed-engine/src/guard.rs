//! Conditions that are no Booleans, where TLC enumerates states.

use primed_value::error::{EvalError, Place};
use primed_value::host::Result;
use primed_value::print;
use primed_value::value::Value;

use crate::env::{Env, Finding};
use crate::node::{Action, Code, Cont, Flow, Out};

/// Whether a condition of an action holds.
///
/// # Errors
/// What evaluating it says; of a whole condition that is no Boolean TLC says what it was computing (2247).
#[inline]
pub(crate) fn test<'a>(env: &mut Env<'a>, condition: &'a Code, place: Place) -> Result<bool> {
    condition.test(env).map_err(|error| whole(env, condition, place, error))
}

#[cold]
fn whole<'a>(env: &mut Env<'a>, condition: &'a Code, place: Place, error: Box<EvalError>) -> Box<EvalError> {
    if error.code != 2215 {
        return applied(env, place, error);
    }
    // A part that is no Boolean fails again; the whole has a value.
    match condition.eval(env) {
        Err(_) | Ok(Value::Bool(_)) => error,
        Ok(value) => {
            let (states, found) = (states(env), print::print_short(env, value, 200));
            let message =
                format!("In computing {states}, TLC expected a boolean expression,\nbut instead found {found}.");
            EvalError::new(2247, message).told("\n", place)
        }
    }
}

/// What TLC says of something that is applied and is no function, where the application is a conjunct of an action.
#[cold]
fn applied(env: &Env<'_>, place: Place, mut error: Box<EvalError>) -> Box<EvalError> {
    if error.places.first() == Some(&place)
        && let Some(rest) = error.message.strip_prefix("A non-function (")
    {
        error.message = format!("In computing {}, a non-function ({rest}", states(env));
    }
    error
}

/// What TLC says that it is computing.
pub(crate) fn states(env: &Env<'_>) -> &'static str {
    match env.finding {
        _ if env.enabled > 0 => "ENABLED",
        Finding::Current => "initial states",
        Finding::Next | Finding::Nothing => "next states",
    }
}

/// A number or a string in the place of a condition, which TLC refuses unevaluated.
#[derive(Debug)]
pub(crate) struct Literal {
    pub(crate) condition: Code,
    pub(crate) text: String,
    pub(crate) place: Place,
}

impl Action for Literal {
    fn step<'a>(&'a self, env: &mut Env<'a>, _: Option<&Cont<'_, 'a>>, _: &mut Out<'_, 'a>) -> Result<Flow> {
        let state = if env.finding == Finding::Current { "init" } else { "next" };
        let message = match env.enabled {
            0 => format!("The {state} state relation is not a boolean expression.\n{}", self.text),
            _ => format!("Attempted to compute ENABLED on a non-boolean expression.\n{}", self.text),
        };
        Err(EvalError::new(1000, message).at(self.place))
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        test(env, &self.condition, self.place)
    }
}
