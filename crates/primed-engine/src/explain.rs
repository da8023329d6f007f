//! Why a step is refused: the condition that no way through the action gets past, and the values it saw.

mod witness;

use std::sync::Arc;

use primed_value::error::{EvalErrorKind, Place};
use primed_value::host::Result;
use primed_value::print;
use primed_value::value::Value;

use crate::env::{Env, Slot};
use crate::node::{self, Action, Cont, Flow, Node, Operand, Out, proceed};
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
#[derive(Debug)]
pub(crate) struct Explaining {
    /// How far the run is now: what was passed in the action, and then in each part around the place within each other. What comes
    /// after a part counts for more than all that is inside of it, so that what holds is never in the way.
    passed: Vec<usize>,
    names: Vec<(Arc<str>, u32, usize)>,
    /// The conditions of IF, CASE and `=>` that lead to where the run is now.
    because: Vec<Because>,
    /// The refusals furthest in.
    best: Vec<Refusal>,
    best_depth: Vec<usize>,
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
    /// How far the way to it got, to be compared with others: the conditions passed before it in the action, then in each part that
    /// it is in.
    pub passed: Vec<usize>,
    /// Why it is asked at all: the conditions of IF, CASE and `=>` around it.
    pub because: Vec<Because>,
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

/// A condition that decides what else is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Because {
    /// The condition.
    pub place: Place,
    /// Its value.
    pub holds: bool,
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
    let (names, because, best) = (Vec::new(), Vec::new(), Vec::new());
    let (passed, best_depth) = (vec![0], Vec::new());
    env.explaining = Some(Box::new(Explaining { passed, names, because, best, best_depth, unobserved }));
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
    if let Some(last) = env.explaining.as_mut().and_then(|explaining| explaining.passed.last_mut()) {
        *last = last.saturating_add_signed(by);
    }
}

/// One of several conditions that are asked one after the other was true; the others follow.
#[inline]
pub(crate) fn count(env: &mut Env<'_>) {
    if env.explaining.is_some() {
        shift(env, 1);
    }
}

/// Conditions that are asked one after the other, each being counted ([`count`]).
#[inline]
pub(crate) fn counted<'a, T>(env: &mut Env<'a>, run: impl FnOnce(&mut Env<'a>) -> Result<T>) -> Result<T> {
    let before = env.explaining.as_ref().and_then(|explaining| explaining.passed.last().copied());
    let result = run(env);
    if let (Some(explaining), Some(before)) = (&mut env.explaining, before)
        && let Some(last) = explaining.passed.last_mut()
    {
        *last = before;
    }
    result
}

/// A part as a plain condition, in a level of its own.
#[inline]
pub(crate) fn level<'a, T>(env: &mut Env<'a>, run: impl FnOnce(&mut Env<'a>) -> Result<T>) -> Result<T> {
    if env.explaining.is_none() {
        return run(env);
    }
    let level = Level::enter(env);
    let result = run(env);
    level.close(env);
    result
}

/// Runs a part of an action, and then what follows it, in whose place the part counts as one condition.
#[inline]
pub(crate) fn nested<'a>(
    env: &mut Env<'a>,
    part: &'a dyn Action,
    rest: Option<&Cont<'_, 'a>>,
    out: &mut Out<'_, 'a>,
) -> Result<Flow> {
    match env.explaining.is_some() {
        false => part.step(env, rest, out),
        true => nested_with(env, rest, out, &mut |env, out| part.step(env, None, out)),
    }
}

/// The same of a part that only the caller can run.
#[cold]
pub(crate) fn nested_with<'a>(
    env: &mut Env<'a>,
    rest: Option<&Cont<'_, 'a>>,
    out: &mut Out<'_, 'a>,
    part: &mut dyn FnMut(&mut Env<'a>, &mut Out<'_, 'a>) -> Result<Flow>,
) -> Result<Flow> {
    let (base, open) = (env.base, env.open);
    let level = Level::enter(env);
    let flow = part(env, &mut |env| {
        // What it chose matters to what follows if it gave variables their values.
        let settled = env.open == open;
        let inside = level.leave(env, settled);
        let frame = std::mem::replace(&mut env.base, base);
        let flow = match open > 0 && env.complete() {
            true => node::finish(env, rest, out),
            false => proceed(env, rest, out),
        };
        env.base = frame;
        level.again(env, inside);
        flow
    });
    level.close(env);
    flow
}

/// A part of an action with parts of its own.
#[derive(Clone, Copy)]
struct Level {
    passed: usize,
    names: usize,
    because: usize,
}

/// What a run knows inside of a part only.
#[derive(Default)]
struct Inside {
    passed: Vec<usize>,
    names: Vec<(Arc<str>, u32, usize)>,
    because: Vec<Because>,
}

impl Level {
    fn enter(env: &mut Env<'_>) -> Level {
        let Some(explaining) = &mut env.explaining else { return Level { passed: 0, names: 0, because: 0 } };
        let (passed, names) = (explaining.passed.len(), explaining.names.len());
        explaining.passed.push(0);
        Level { passed, names, because: explaining.because.len() }
    }

    /// The part is true: what follows it begins.
    fn leave(self, env: &mut Env<'_>, forget: bool) -> Inside {
        let Some(explaining) = &mut env.explaining else { return Inside::default() };
        let passed = explaining.passed.split_off(self.passed.min(explaining.passed.len()));
        let all = explaining.names.len();
        let names = explaining.names.split_off(if forget { self.names.min(all) } else { all });
        let because = explaining.because.split_off(self.because.min(explaining.because.len()));
        if let Some(last) = explaining.passed.last_mut() {
            *last += 1;
        }
        Inside { passed, names, because }
    }

    /// What follows is done; the part may be true in another way.
    fn again(self, env: &mut Env<'_>, inside: Inside) {
        let Some(explaining) = &mut env.explaining else { return };
        explaining.passed.truncate(self.passed);
        if let Some(last) = explaining.passed.last_mut() {
            *last = last.saturating_sub(1);
        }
        explaining.passed.extend(inside.passed);
        explaining.names.extend(inside.names);
        explaining.because.truncate(self.because);
        explaining.because.extend(inside.because);
    }

    fn close(self, env: &mut Env<'_>) {
        let Some(explaining) = &mut env.explaining else { return };
        explaining.passed.truncate(self.passed);
    }
}

/// What is run depends on these conditions.
#[inline]
pub(crate) fn because<'a, T>(
    env: &mut Env<'a>,
    conditions: impl IntoIterator<Item = (Place, bool)>,
    run: impl FnOnce(&mut Env<'a>) -> Result<T>,
) -> Result<T> {
    let Some(explaining) = &mut env.explaining else { return run(env) };
    let before = explaining.because.len();
    let conditions = conditions.into_iter().map(|(place, holds)| Because { place, holds });
    explaining.because.extend(conditions.take(KEPT));
    let result = run(env);
    if let Some(explaining) = &mut env.explaining {
        explaining.because.truncate(before);
    }
    result
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
    let passed = progress(&explaining.passed);
    let full = explaining.best.len() >= KEPT && passed == explaining.best_depth;
    if full || (passed < &*explaining.best_depth && !explaining.best.is_empty()) {
        return;
    }
    // Taken out meanwhile: what is evaluated for the explanation must not explain itself.
    let explaining = env.explaining.take();
    let mut found = Witness::default();
    condition.witness(env, false, &mut found);
    let operands = condition.operands();
    if found.is_plain() && !operands.is_empty() {
        found = Witness::default();
        found.part(env, operands);
    }
    env.explaining = explaining;
    keep(env, condition, place, found);
}

/// How far a run is, without the levels in which nothing is passed yet.
fn progress(passed: &[usize]) -> &[usize] {
    let end = passed.iter().rposition(|count| *count > 0).map_or(0, |i| i + 1);
    &passed[..end]
}

fn keep<'a>(env: &mut Env<'a>, condition: &'a dyn Node, place: Place, found: Witness) {
    let Some(mut explaining) = env.explaining.take() else { return };
    let passed = progress(&explaining.passed).to_vec();
    let better = explaining.best.is_empty() || passed > explaining.best_depth;
    if better {
        explaining.best.clear();
        explaining.best_depth.clone_from(&passed);
    }
    if better || (passed == explaining.best_depth && explaining.best.len() < KEPT) {
        let bindings = explaining.names.iter().filter_map(|(name, slot, base)| {
            let value = bound(env, base + *slot as usize)?;
            Some((name.to_string(), print::print_short(env, value, VALUE_LENGTH)))
        });
        let bindings = bindings.collect();
        let because = explaining.because.clone();
        let unobserved = unobserved(env, condition, &explaining.unobserved);
        let Witness { names: witnesses, tried, operands, .. } = found;
        let refusal = Refusal { place, passed, because, bindings, operands, witnesses, tried, unobserved };
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
