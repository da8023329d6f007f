//! Why a step is refused: the condition that no way through the action gets past, and the values it saw.

use std::sync::Arc;

use primed_value::error::Place;
use primed_value::host::Result;
use primed_value::print;

use crate::env::Env;
use crate::node::{Node, OperandName};

/// How many refusals at the same depth are kept.
const KEPT: usize = 8;
/// Longest printed value in a refusal.
const VALUE_LENGTH: usize = 400;

/// The state of an explanation while an action is run.
#[derive(Debug, Default)]
pub(crate) struct Explaining {
    /// Conditions passed on the way to where the run is now.
    passed: usize,
    names: Vec<(Arc<str>, u32, usize)>,
    /// The refusals furthest in.
    best: Vec<Refusal>,
    best_depth: usize,
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
pub(crate) fn start(env: &mut Env<'_>) {
    env.explaining = Some(Box::default());
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

#[cold]
fn record<'a>(env: &mut Env<'a>, condition: &'a dyn Node, place: Place) {
    // Taken out meanwhile: what is evaluated for the explanation must not explain itself.
    let Some(mut explaining) = env.explaining.take() else { return };
    let passed = explaining.passed;
    let better = explaining.best.is_empty() || passed > explaining.best_depth;
    if better {
        explaining.best.clear();
        explaining.best_depth = passed;
    }
    if better || (passed == explaining.best_depth && explaining.best.len() < KEPT) {
        let bindings = explaining.names.iter().filter_map(|(name, slot, base)| {
            let value = match env.slots.get(base + *slot as usize) {
                Some(crate::env::Slot::Value(value)) => *value,
                _ => return None,
            };
            Some((name.to_string(), print::print_short(env, value, VALUE_LENGTH)))
        });
        let bindings = bindings.collect();
        let operands = condition.operands().into_iter().map(|operand| {
            let value = match operand.code.eval(env) {
                Ok(value) => print::print_short(env, value, VALUE_LENGTH),
                Err(error) => format!("an error: {}", error.message),
            };
            match operand.name {
                OperandName::Place(place) => Observed { place: Some(place), variable: None, value },
                OperandName::Variable(number, primed) => {
                    let name = env.program.names.get(number as usize).map_or("?", |v| &v.name);
                    let prime = if primed { "'" } else { "" };
                    Observed { place: None, variable: Some(format!("{name}{prime}")), value }
                }
            }
        });
        let refusal = Refusal { place, passed, bindings, operands: operands.collect() };
        if !explaining.best.contains(&refusal) {
            explaining.best.push(refusal);
        }
    }
    env.explaining = Some(explaining);
}
