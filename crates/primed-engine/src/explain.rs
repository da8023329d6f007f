//! Why a step is refused: the condition that no way through the action gets past, and the values it saw.

mod witness;

use std::sync::Arc;

use primed_value::error::{EvalErrorKind, Place};
use primed_value::host::Result;
use primed_value::print;
use primed_value::value::Value;

use crate::env::{Env, Slot};
use crate::node::{Node, Operand};
use crate::nodes::binders::Ranges;

pub use witness::Tried;
pub(crate) use witness::Witness;

/// How many refusals at the same depth are kept.
const KEPT: usize = 8;
/// Longest printed value in a refusal.
const VALUE_LENGTH: usize = 400;

/// Names that are bound, each with its slot in the frame.
pub(crate) type Names = Vec<(Arc<str>, u32)>;

/// The state of an explanation while an action is run.
#[derive(Debug, Default)]
pub(crate) struct Explaining {
    /// Conditions passed on the way to where the run is now.
    passed: usize,
    names: Vec<(Arc<str>, u32, usize)>,
    /// The refusals furthest in.
    best: Vec<Refusal>,
    best_depth: usize,
    unobserved: Unobserved,
}

/// The variables that nobody observed, by number: what they are while an explanation runs was assumed, or found by the action.
#[derive(Clone, Debug, Default)]
pub struct Unobserved {
    /// Those of the current state.
    pub current: Vec<usize>,
    /// Those of the next state.
    pub next: Vec<usize>,
}

/// A condition that was false on the way that got furthest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The condition.
    pub place: Place,
    /// How many conditions before it were true.
    pub passed: usize,
    /// The quantified names around it, with their values.
    pub bindings: Vec<(String, String)>,
    /// What it compares.
    pub operands: Vec<Observed>,
    /// The names bound inside of it for whose values it is false.
    pub witnesses: Vec<(String, String)>,
    /// The `\E` in it that nothing satisfies.
    pub tried: Vec<Tried>,
    /// What it reads that was not observed, with the value it was given: the variable's number, whether of the next state.
    pub unobserved: Vec<(usize, bool, String)>,
}

/// A part of a condition with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// Where it is written; `None` for a variable of an UNCHANGED.
    pub place: Option<Place>,
    /// The variable, if it is one of an UNCHANGED.
    pub variable: Option<String>,
    /// Its value as TLA+, or the error it gave.
    pub value: String,
}

/// Starts keeping refusals.
pub(crate) fn start(env: &mut Env<'_>, unobserved: Unobserved) {
    env.explaining = Some(Box::new(Explaining { unobserved, ..Explaining::default() }));
}

/// Stops, and gives the refusals furthest in.
pub(crate) fn finish(env: &mut Env<'_>) -> Vec<Refusal> {
    env.explaining.take().map(|e| e.best).unwrap_or_default()
}

/// A condition was true: what follows is one deeper.
#[inline]
pub(crate) fn passed<'a, T>(env: &mut Env<'a>, run: impl FnOnce(&mut Env<'a>) -> Result<T>) -> Result<T> {
    if env.explaining.is_none() {
        return run(env);
    }
    shift(env, 1);
    let result = run(env);
    shift(env, -1);
    result
}

#[cold]
fn shift(env: &mut Env<'_>, by: isize) {
    if let Some(explaining) = &mut env.explaining {
        explaining.passed = explaining.passed.saturating_add_signed(by);
    }
}

/// Quantified names got values; the number is for [`unbind`].
#[inline]
pub(crate) fn bind(env: &mut Env<'_>, names: &[(Arc<str>, u32)]) -> usize {
    let base = env.base;
    match &mut env.explaining {
        None => 0,
        Some(explaining) => {
            explaining.names.extend(names.iter().map(|(n, slot)| (n.clone(), *slot, base)));
            names.len()
        }
    }
}

/// They are out of scope again.
#[inline]
pub(crate) fn unbind(env: &mut Env<'_>, count: usize) {
    if let Some(explaining) = &mut env.explaining {
        let left = explaining.names.len().saturating_sub(count);
        explaining.names.truncate(left);
    }
}

/// A condition was false.
#[inline]
pub(crate) fn refused<'a>(env: &mut Env<'a>, condition: &'a dyn Node, place: Place) {
    if env.explaining.is_some() {
        record(env, condition, place);
    }
}

/// An `\E` has nothing to choose from: one of its sets is empty.
#[cold]
pub(crate) fn nothing<'a>(env: &mut Env<'a>, ranges: &'a Ranges, names: &Names) {
    if env.explaining.is_none() {
        return;
    }
    let empty = |env: &mut Env<'a>, code: &'a dyn Node| {
        let elements = code.eval(env).and_then(|set| primed_value::iterate::Elements::new(env, set)?.next(env));
        matches!(elements, Ok(None))
    };
    let range = ranges.0.iter().find(|range| empty(env, &*range.set)).or_else(|| ranges.0.first());
    if let Some(range) = range {
        let mut found = Witness::default();
        found.tried(names, 0);
        found.part(env, vec![Operand::new(&range.set, range.place)]);
        keep(env, &*range.set, range.place, found);
    }
}

#[cold]
fn record<'a>(env: &mut Env<'a>, condition: &'a dyn Node, place: Place) {
    let Some(explaining) = &env.explaining else { return };
    let full = explaining.best.len() >= KEPT && explaining.passed == explaining.best_depth;
    if full || (explaining.passed < explaining.best_depth && !explaining.best.is_empty()) {
        return;
    }
    // Taken out meanwhile: what is evaluated for the explanation must not explain itself.
    let explaining = env.explaining.take();
    let mut found = Witness::default();
    condition.witness(env, false, &mut found);
    if found.is_plain() {
        found = Witness::default();
        found.part(env, condition.operands());
    }
    env.explaining = explaining;
    keep(env, condition, place, found);
}

fn keep<'a>(env: &mut Env<'a>, condition: &'a dyn Node, place: Place, found: Witness) {
    let Some(mut explaining) = env.explaining.take() else { return };
    let passed = explaining.passed;
    let better = explaining.best.is_empty() || passed > explaining.best_depth;
    if better {
        explaining.best.clear();
        explaining.best_depth = passed;
    }
    if better || (passed == explaining.best_depth && explaining.best.len() < KEPT) {
        let bindings = explaining.names.iter().filter_map(|(name, slot, base)| {
            let value = bound(env, base + *slot as usize)?;
            Some((name.to_string(), print::print_short(env, value, VALUE_LENGTH)))
        });
        let bindings = bindings.collect();
        let unobserved = unobserved(env, condition, &explaining.unobserved);
        let Witness { names: witnesses, tried, operands, .. } = found;
        let refusal = Refusal { place, passed, bindings, operands, witnesses, tried, unobserved };
        if !explaining.best.contains(&refusal) {
            explaining.best.push(refusal);
        }
    }
    env.explaining = Some(explaining);
}

/// The value in a slot, if it is one.
fn bound<'a>(env: &Env<'a>, slot: usize) -> Option<Value<'a>> {
    match env.slots.get(slot) {
        Some(Slot::Value(value)) => Some(*value),
        _ => None,
    }
}

/// The values that a condition reads although nobody observed them: without them it cannot be evaluated. What it reads by way of
/// a name that has its value already is not seen.
fn unobserved<'a>(env: &mut Env<'a>, condition: &'a dyn Node, all: &Unobserved) -> Vec<(usize, bool, String)> {
    let mut read = Vec::new();
    for (next, variables) in [(false, &all.current), (true, &all.next)] {
        for variable in variables {
            let place = |env: &mut Env<'a>, value| {
                let state = if next { &mut env.next } else { &mut env.current };
                state.get_mut(*variable).and_then(|held| std::mem::replace(held, value))
            };
            let Some(value) = place(env, None) else { continue };
            let needed = matches!(condition.test(env), Err(error) if error.kind == EvalErrorKind::Incomplete);
            place(env, Some(value));
            if needed {
                read.push((*variable, next, print::print_short(env, value, VALUE_LENGTH)));
            }
        }
    }
    read
}
