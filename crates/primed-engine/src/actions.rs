//! The nodes of compiled actions: every way to find a state.

mod branches;
mod quantified;

use primed_value::compare;
use primed_value::error::{EvalError, EvalErrorKind, Place};
use primed_value::host::Result;
use primed_value::iterate::Elements;
use primed_value::sets;
use primed_value::value::Value;

use crate::env::{Env, Undo};
use crate::explain;
use crate::guard;
use crate::node::{Action, Code, Cont, Flow, Out, finish, proceed};
use crate::nodes::calls::Entry;
use crate::nodes::counted::{Last, Passes, is_empty};

pub(crate) use branches::{Case, If, Implies};
pub(crate) use quantified::{Exists, Forall};

/// A plain condition.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) condition: Code,
    pub(crate) place: Place,
}

/// A condition as it stands; if it is false, that is remembered for an explanation.
pub(crate) fn holds<'a>(env: &mut Env<'a>, condition: &'a Code, place: Place) -> Result<bool> {
    let holds = guard::test(env, condition, place)?;
    if !holds {
        explain::refused(env, &**condition, place);
    }
    Ok(holds)
}

impl Action for Guard {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        if guard::test(env, &self.condition, self.place)? {
            return explain::passed(env, |env| proceed(env, rest, out));
        }
        explain::refused(env, &*self.condition, self.place);
        Ok(Flow::Continue)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        holds(env, &self.condition, self.place)
    }
}

/// Conjuncts in order.
#[derive(Debug)]
pub(crate) struct All(pub(crate) Vec<Box<dyn Action>>);

impl Action for All {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        proceed(env, Some(&Cont { actions: &self.0, base: env.base, next: rest }), out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        explain::level(env, |env| {
            for action in &self.0 {
                if !action.holds(env)? {
                    return Ok(false);
                }
                explain::count(env);
            }
            Ok(true)
        })
    }

    fn gives(&self) -> Vec<u32> {
        union(self.0.iter().map(|a| a.gives()))
    }
}

/// Disjuncts in order.
#[derive(Debug)]
pub(crate) struct Any(pub(crate) Vec<Box<dyn Action>>);

impl Action for Any {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        for action in &self.0 {
            let mark = env.trail.len();
            let flow = explain::nested(env, &**action, rest, out)?;
            env.undo(mark);
            if flow == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        for action in &self.0 {
            if explain::level(env, |env| action.holds(env))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn gives(&self) -> Vec<u32> {
        common(self.0.iter().map(|a| a.gives()))
    }
}

/// A variable of the state that is being found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) variable: u32,
    /// Of the current state (initial predicates) rather than the next.
    pub(crate) current: bool,
}

impl Target {
    #[inline]
    pub(crate) fn get<'a>(self, env: &Env<'a>) -> Option<Value<'a>> {
        let state = if self.current { &env.current } else { &env.next };
        state[self.variable as usize]
    }

    #[inline]
    fn set<'a>(self, env: &mut Env<'a>, value: Value<'a>) {
        let state = if self.current { &mut env.current } else { &mut env.next };
        state[self.variable as usize] = Some(value);
        if env.watching {
            env.binds(self.variable, value);
        }
        env.open -= 1;
        env.trail.push(Undo::Variable(self.variable));
    }

    /// `x' = value`: gives the variable its value, or compares it with the one it has. `condition` is the formula, for an
    /// explanation.
    #[inline]
    fn settle<'a>(
        self,
        env: &mut Env<'a>,
        value: Value<'a>,
        (condition, place): (&'a Code, Place),
        rest: Option<&Cont<'_, 'a>>,
        out: &mut Out<'_, 'a>,
    ) -> Result<Flow> {
        match self.get(env) {
            Some(bound) => {
                if env.watching {
                    env.reads_next(self.variable);
                }
                if compare::equal(env, bound, value).map_err(|e| e.at(place))? {
                    return explain::passed(env, |env| proceed(env, rest, out));
                }
                explain::refused(env, &**condition, place);
                Ok(Flow::Continue)
            }
            None => {
                self.set(env, value);
                explain::passed(env, |env| Target::bound(env, rest, out))
            }
        }
    }

    /// Goes on with the continuation; if every variable has a value now, as plain conditions.
    #[inline]
    fn bound<'a>(env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        match env.complete() {
            true => finish(env, rest, out),
            false => proceed(env, rest, out),
        }
    }

    /// The same from a frame further in: the continuation runs in the frame around it, at `base`.
    pub(crate) fn bound_around<'a>(
        env: &mut Env<'a>,
        base: usize,
        rest: Option<&Cont<'_, 'a>>,
        out: &mut Out<'_, 'a>,
    ) -> Result<Flow> {
        let inner = std::mem::replace(&mut env.base, base);
        let flow = Target::bound(env, rest, out);
        env.base = inner;
        flow
    }
}

/// `x' = e` (in an initial predicate `x = e`).
#[derive(Debug)]
pub(crate) struct Assign {
    pub(crate) target: Target,
    pub(crate) value: Code,
    /// The same formula as a condition.
    pub(crate) condition: Code,
    pub(crate) place: Place,
    /// Its number, if the value depends on nothing but the current state and what is bound around the part of the next-state
    /// relation that it belongs to.
    pub(crate) apart: Option<u32>,
}

impl Action for Assign {
    #[inline]
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        let value = match self.apart {
            Some(number) if env.watching && self.target.get(env).is_none() => {
                env.apart(number, |env| self.value.eval(env))?
            }
            _ => self.value.eval(env)?,
        };
        self.target.settle(env, value, (&self.condition, self.place), rest, out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        holds(env, &self.condition, self.place)
    }

    fn gives(&self) -> Vec<u32> {
        vec![self.target.variable]
    }
}

/// `x' \in S`, or `x' \subseteq S` when the set is a SUBSET.
#[derive(Debug)]
pub(crate) struct AssignIn {
    pub(crate) target: Target,
    pub(crate) set: Code,
    /// The set's subsets are meant.
    pub(crate) subsets: bool,
    pub(crate) condition: Code,
    pub(crate) place: Place,
    /// Counts the elements that lead to a state, if somebody asks.
    pub(crate) passes: Option<Passes>,
}

impl AssignIn {
    /// Goes on with the variable having its value.
    #[inline]
    fn go<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        let Some(passes) = &self.passes else {
            return explain::passed(env, |env| Target::bound(env, rest, out));
        };
        let last = Last { rest: is_empty(rest), variable: env.open == 0 };
        passes.pass(env, last, out, |env, out| Target::bound(env, rest, out))
    }
}

impl AssignIn {
    /// The set cannot be gone through.
    #[cold]
    fn not_enumerable(&self, env: &Env<'_>) -> Box<EvalError> {
        let text = match self.target.current {
            _ if env.enabled > 0 => "The right side of \\IN is not enumerable.",
            true => "In computing initial states, the right side of \\IN is not enumerable.",
            false => "In computing next states, the right side of \\IN is not enumerable.",
        };
        EvalError::of_kind(EvalErrorKind::NotEnumerable, 1000, text).told("\n", self.place)
    }
}

impl Action for AssignIn {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        let mut set = self.set.eval(env)?;
        if self.subsets {
            set = sets::subset(env, set);
        }
        if let Some(bound) = self.target.get(env) {
            if env.watching {
                env.reads_next(self.target.variable);
            }
            if sets::member(env, bound, set).map_err(|e| e.at(self.place))? {
                let Some(passes) = &self.passes else {
                    return explain::passed(env, |env| proceed(env, rest, out));
                };
                let last = Last { rest: is_empty(rest), variable: false };
                return passes.pass(env, last, out, |env, out| proceed(env, rest, out));
            }
            explain::refused(env, &*self.condition, self.place);
            return Ok(Flow::Continue);
        }
        if !sets::is_enumerable(set) {
            return Err(self.not_enumerable(env));
        }
        let mut elements = Elements::new(env, set).map_err(|error| env.gone_through(set, error).at(self.place))?;
        let mark = env.trail.len();
        let mut tried = false;
        while let Some(element) = elements.next(env)? {
            tried = true;
            if let Some(Passes { set: Some(counter), .. }) = &self.passes {
                counter.spend(1);
            }
            self.target.set(env, element);
            let flow = self.go(env, rest, out)?;
            env.undo(mark);
            if flow == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        if let Some(Passes { set: Some(counter), .. }) = &self.passes {
            counter.spend(1);
        }
        if !tried {
            explain::refused(env, &*self.condition, self.place);
        }
        Ok(Flow::Continue)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        holds(env, &self.condition, self.place)
    }

    fn gives(&self) -> Vec<u32> {
        vec![self.target.variable]
    }
}

/// `UNCHANGED x` for one variable.
#[derive(Debug)]
pub(crate) struct Unchanged {
    pub(crate) variable: u32,
    pub(crate) condition: Code,
    pub(crate) place: Place,
}

impl Action for Unchanged {
    #[inline]
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        let target = Target { variable: self.variable, current: false };
        let Some(value) = env.current[self.variable as usize] else {
            // Reports the variable that has no value.
            self.condition.test(env)?;
            return Ok(Flow::Continue);
        };
        if env.watching {
            match target.get(env) {
                None => env.will_stay(),
                Some(_) => env.reads(self.variable),
            }
        }
        target.settle(env, value, (&self.condition, self.place), rest, out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        holds(env, &self.condition, self.place)
    }

    fn gives(&self) -> Vec<u32> {
        vec![self.variable]
    }
}

/// Enters the scope of LET values or arguments.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) slots: Vec<u32>,
    pub(crate) body: Box<dyn Action>,
}

impl Action for Scope {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        self.slots.iter().for_each(|slot| env.clear_slot(*slot));
        self.body.step(env, rest, out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.slots.iter().for_each(|slot| env.clear_slot(*slot));
        self.body.holds(env)
    }

    fn gives(&self) -> Vec<u32> {
        self.body.gives()
    }
}

/// A recursive definition that is an action: it runs in a frame of its own, its continuation in the caller's.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) entry: Entry,
    pub(crate) procedure: std::sync::Arc<ActionProcedure>,
    pub(crate) condition: Code,
}

/// The action form of a recursive definition.
#[derive(Debug, Default)]
pub(crate) struct ActionProcedure {
    /// The code and the size of its frame.
    pub(crate) code: std::sync::OnceLock<(Box<dyn Action>, u32)>,
}

impl Action for Call {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        let base = env.base;
        let Some((body, size)) = self.procedure.code.get() else {
            return Err(self.entry.undefined());
        };
        self.entry.enter(env, *size, |env| body.step(env, None, &mut |env| Target::bound_around(env, base, rest, out)))
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let holds = self.condition.test(env)?;
        if !holds {
            explain::refused(env, &*self.condition, self.entry.place);
        }
        Ok(holds)
    }
}

/// A successor in which a variable has no value (2109).
#[cold]
pub(crate) fn incomplete(env: &Env<'_>, initial: bool) -> Box<EvalError> {
    let names = &env.program.names;
    let state = if initial { &env.current } else { &env.next };
    let missing = names.iter().zip(state).filter(|(_, v)| v.is_none()).map(|(v, _)| &*v.name);
    let missing: Vec<&str> = missing.collect();
    if initial {
        let message = format!("State is not completely specified by the initial predicate: {}", missing.join(", "));
        return EvalError::of_kind(EvalErrorKind::Incomplete, 2106, message);
    }
    let (s, are) = if missing.len() == 1 { ("", " is") } else { ("s", " are") };
    let message = format!(
        "Successor state is not completely specified by the next-state action. The following variable{s}{are} not defined: {}.",
        missing.join(", ")
    );
    EvalError::of_kind(EvalErrorKind::Incomplete, 2109, message)
}

fn union(parts: impl Iterator<Item = Vec<u32>>) -> Vec<u32> {
    let mut all: Vec<u32> = parts.flatten().collect();
    all.sort_unstable();
    all.dedup();
    all
}

pub(crate) fn common(mut parts: impl Iterator<Item = Vec<u32>>) -> Vec<u32> {
    let mut all = parts.next().unwrap_or_default();
    for part in parts {
        all.retain(|v| part.contains(v));
    }
    all
}
