//! IF, CASE and `=>` where states are found. What they complain of has other words there than in a value.

use primed_value::error::{EvalError, Place};
use primed_value::host::Result;
use primed_value::print;
use primed_value::value::Value;

use super::common;
use crate::env::{Env, Finding};
use crate::guard;
use crate::node::{Action, Code, Cont, Flow, Out, proceed};
use crate::nodes::control;

#[cold]
fn no_boolean<'a>(env: &Env<'a>, found: Value<'a>, role: &str, place: Place) -> Box<EvalError> {
    let (states, kind) = (guard::states(env), print::kind_name(found));
    // TLC's own spaces, and ends of lines.
    let (space, role, end) = match (env.enabled, role, env.finding) {
        (0, "the condition of an IF", Finding::Next) => (" ", role, ""),
        (0, ..) => (" ", role, "\n"),
        (_, "the condition of an IF", _) => ("", "the guard condition of an IF", "\n"),
        _ => ("", role, "\n"),
    };
    let message = format!("In computing {states}, a non-boolean expression{space}({kind}) was used as {role}.");
    EvalError::new(1000, message).told(end, place)
}

/// `IF c THEN A ELSE B`.
#[derive(Debug)]
pub(crate) struct If {
    pub(crate) condition: Code,
    pub(crate) yes: Box<dyn Action>,
    pub(crate) no: Box<dyn Action>,
    pub(crate) place: Place,
}

impl If {
    fn decide<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        match self.condition.eval(env)? {
            Value::Bool(b) => Ok(b),
            other => Err(no_boolean(env, other, "the condition of an IF", self.place)),
        }
    }
}

impl Action for If {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        match self.decide(env)? {
            true => self.yes.step(env, rest, out),
            false => self.no.step(env, rest, out),
        }
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        match control::decide(&self.condition, env, self.place)? {
            true => self.yes.holds(env),
            false => self.no.holds(env),
        }
    }

    fn gives(&self) -> Vec<u32> {
        common([self.yes.gives(), self.no.gives()].into_iter())
    }
}

/// `P => A`: nothing is bound if P is false.
#[derive(Debug)]
pub(crate) struct Implies {
    pub(crate) condition: Code,
    pub(crate) then: Box<dyn Action>,
    pub(crate) place: Place,
}

impl Implies {
    fn premise<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.condition.test(env).map_err(|error| self.no_boolean(env, error))
    }

    /// The complaint if it is about the whole premise: a part that is no Boolean fails again, the whole has a value.
    #[cold]
    fn no_boolean<'a>(&'a self, env: &mut Env<'a>, error: Box<EvalError>) -> Box<EvalError> {
        if error.code != 2215 {
            return error;
        }
        let kind = match self.condition.eval(env) {
            Err(_) | Ok(Value::Bool(_)) => return error,
            Ok(value) => print::kind_name(value),
        };
        let states = guard::states(env);
        let (message, end) = match env.finding {
            _ if env.enabled > 0 => {
                (format!("While computing ENABLED of an expression of the form P => Q, P was {kind}."), "\n")
            }
            Finding::Current => (format!("In computing {states} of a predicate of form P => Q, P was {kind}\n."), ""),
            _ => (format!("In computing {states} of a predicate of the form P => Q, P was\n{kind}."), "\n"),
        };
        EvalError::new(1000, message).told(end, self.place)
    }
}

impl Action for Implies {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        match self.premise(env)? {
            true => self.then.step(env, rest, out),
            false => proceed(env, rest, out),
        }
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        Ok(!self.condition.test(env)? || self.then.holds(env)?)
    }
}

/// CASE over actions.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) arms: Vec<(Code, Box<dyn Action>)>,
    /// Where the actions of the arms stand.
    pub(crate) places: Vec<Place>,
    pub(crate) other: Option<Box<dyn Action>>,
    pub(crate) place: Place,
}

impl Case {
    fn choose<'a>(&'a self, env: &mut Env<'a>) -> Result<&'a dyn Action> {
        for ((condition, action), place) in self.arms.iter().zip(&self.places) {
            match condition.eval(env)? {
                Value::Bool(true) => return Ok(&**action),
                Value::Bool(false) => {}
                other => return Err(no_boolean(env, other, "a guard condition of a CASE", *place)),
            }
        }
        self.other.as_deref().ok_or_else(|| {
            let states = guard::states(env);
            let message = format!("In computing {states}, TLC encountered a CASE with no conditions true.");
            EvalError::new(1000, message).told("\n", self.place)
        })
    }
}

impl Action for Case {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        self.choose(env)?.step(env, rest, out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        for (condition, action) in &self.arms {
            if control::guard(condition, env, self.place)? {
                return action.holds(env);
            }
        }
        self.other.as_ref().ok_or_else(|| control::no_case(self.place))?.holds(env)
    }

    fn gives(&self) -> Vec<u32> {
        common(self.arms.iter().map(|(_, a)| a).chain(&self.other).map(|a| a.gives()))
    }
}
