//! IF, CASE and `=>` where states are found. What they complain of has other words there than in a value.

use primed_value::error::{EvalError, Place};
use primed_value::host::Result;
use primed_value::print;
use primed_value::value::Value;

use super::common;
use crate::env::{Env, Finding};
use crate::explain;
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

/// Runs the branch that these conditions lead to.
#[inline]
fn chosen<'a>(
    env: &mut Env<'a>,
    branch: &'a dyn Action,
    conditions: impl IntoIterator<Item = (Place, bool)>,
    rest: Option<&Cont<'_, 'a>>,
    out: &mut Out<'_, 'a>,
) -> Result<Flow> {
    if env.explaining.is_none() {
        return branch.step(env, rest, out);
    }
    let mut conditions = Some(conditions);
    explain::nested_with(env, rest, out, &mut |env, out| {
        explain::because(env, conditions.take().into_iter().flatten(), |env| branch.step(env, None, out))
    })
}

/// The same as a plain condition.
#[inline]
fn asked<'a>(
    env: &mut Env<'a>,
    branch: &'a dyn Action,
    conditions: impl IntoIterator<Item = (Place, bool)>,
) -> Result<bool> {
    if env.explaining.is_none() {
        return branch.holds(env);
    }
    explain::level(env, |env| explain::because(env, conditions, |env| branch.holds(env)))
}

/// `IF c THEN A ELSE B`.
#[derive(Debug)]
pub(crate) struct If {
    pub(crate) condition: Code,
    pub(crate) yes: Box<dyn Action>,
    pub(crate) no: Box<dyn Action>,
    pub(crate) place: Place,
    /// Where the condition stands.
    pub(crate) at: Place,
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
        let holds = self.decide(env)?;
        let branch = if holds { &self.yes } else { &self.no };
        chosen(env, &**branch, [(self.at, holds)], rest, out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let holds = control::decide(&self.condition, env, self.place)?;
        let branch = if holds { &self.yes } else { &self.no };
        asked(env, &**branch, [(self.at, holds)])
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
    /// Where the premise stands.
    pub(crate) at: Place,
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
            true => chosen(env, &*self.then, [(self.at, true)], rest, out),
            false => explain::passed(env, |env| proceed(env, rest, out)),
        }
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        Ok(!self.condition.test(env)? || asked(env, &*self.then, [(self.at, true)])?)
    }
}

/// CASE over actions.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) arms: Vec<(Code, Box<dyn Action>)>,
    /// Where the actions of the arms stand, and their guards.
    pub(crate) places: Vec<(Place, Place)>,
    pub(crate) other: Option<Box<dyn Action>>,
    pub(crate) place: Place,
}

impl Case {
    /// The action, with the number of its arm if it has a guard.
    fn choose<'a>(&'a self, env: &mut Env<'a>) -> Result<(&'a dyn Action, Option<usize>)> {
        for (number, ((condition, action), (place, _))) in self.arms.iter().zip(&self.places).enumerate() {
            match condition.eval(env)? {
                Value::Bool(true) => return Ok((&**action, Some(number))),
                Value::Bool(false) => {}
                other => return Err(no_boolean(env, other, "a guard condition of a CASE", *place)),
            }
        }
        let other = self.other.as_deref().ok_or_else(|| {
            let states = guard::states(env);
            let message = format!("In computing {states}, TLC encountered a CASE with no conditions true.");
            EvalError::new(1000, message).told("\n", self.place)
        });
        Ok((other?, None))
    }

    /// The guards that led to an arm: its own, or for OTHER all that are false.
    fn because(&self, arm: Option<usize>) -> impl Iterator<Item = (Place, bool)> + '_ {
        let guards = self.places.iter().enumerate().filter(move |(number, _)| arm.is_none_or(|arm| arm == *number));
        guards.map(move |(_, (_, guard))| (*guard, arm.is_some()))
    }
}

impl Action for Case {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        let (action, arm) = self.choose(env)?;
        chosen(env, action, self.because(arm), rest, out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        for (number, (condition, action)) in self.arms.iter().enumerate() {
            if control::guard(condition, env, self.place)? {
                return asked(env, &**action, self.because(Some(number)));
            }
        }
        let other = self.other.as_ref().ok_or_else(|| control::no_case(self.place))?;
        asked(env, &**other, self.because(None))
    }

    fn gives(&self) -> Vec<u32> {
        common(self.arms.iter().map(|(_, a)| a).chain(&self.other).map(|a| a.gives()))
    }
}
