//! `v[i].f`: a part of the value of a variable.

use std::sync::Arc;

use primed_value::error::Place;
use primed_value::functions;
use primed_value::host::Result;
use primed_value::intern::same_word;
use primed_value::value::Value;

use crate::env::Env;
use crate::memo::{self, Location};
use crate::node::{Code, Node, Operand};
use crate::nodes::atoms::Variable;
use crate::nodes::functions::Step;

/// Applications and fields, from a variable inwards.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) variable: Variable,
    pub(crate) steps: Vec<(Step, Place)>,
}

/// The first steps of a chain.
#[derive(Debug)]
pub(crate) struct Path {
    chain: Arc<Chain>,
    length: usize,
    /// If the last step is a field: what has it, for an explanation, and its place.
    record: Option<(Code, Place)>,
}

impl Path {
    /// All steps of a chain. `record` is, if the last of them is a field, the place of what has it.
    pub(crate) fn new(chain: Chain, record: Option<Place>) -> Path {
        let (length, chain) = (chain.steps.len(), Arc::new(chain));
        let prefix = |place| -> (Code, Place) {
            (Box::new(Path { chain: chain.clone(), length: length.saturating_sub(1), record: None }), place)
        };
        let record = record.map(prefix);
        Path { chain, length, record }
    }
}

impl Node for Path {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        if env.watching {
            return self.watched(env);
        }
        let mut value = self.chain.variable.eval(env)?;
        for step in &self.chain.steps[..self.length] {
            (value, _) = enter(env, value, step)?;
        }
        Ok(value)
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.record.iter().map(|(code, place)| Operand::new(code, *place)).collect()
    }
}

impl Path {
    /// Notes the part that is read, not the variable.
    fn watched<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let variable = &self.chain.variable;
        let Some(whole) = env.current[variable.number as usize] else { return variable.eval(env) };
        let mut location = Location::variable(variable.number);
        // What is noted, once its location cannot be told more closely.
        let (mut value, mut noted, mut closer) = (whole, whole, true);
        for step in &self.chain.steps[..self.length] {
            let (inner, key) = match enter(env, value, step) {
                Ok(entered) => entered,
                // Who hears of the error may go on, and then depends on what was read here.
                Err(error) => {
                    env.spoil();
                    return Err(error);
                }
            };
            closer = closer
                && memo::Step::between(value, inner, || position(value, key)).is_some_and(|step| location.enter(step));
            if closer {
                noted = inner;
            }
            value = inner;
        }
        env.reads_part(location, noted);
        Ok(value)
    }
}

/// A part of a value, and its key.
#[inline]
fn enter<'a>(env: &mut Env<'a>, value: Value<'a>, (step, place): &'a (Step, Place)) -> Result<(Value<'a>, Value<'a>)> {
    match step {
        Step::Index(code) => {
            let key = code.eval(env)?;
            Ok((functions::apply(env, value, key).map_err(|e| e.at(*place))?, key))
        }
        Step::Field(field) => {
            Ok((functions::select(env, value, *field).map_err(|e| e.at(*place))?, Value::String(*field)))
        }
    }
}

/// Where the part with this key stands.
fn position(value: Value<'_>, key: Value<'_>) -> Option<usize> {
    match (value, key) {
        (Value::Tuple(_), Value::Int(i)) => usize::try_from(i.checked_sub(1)?).ok(),
        (Value::Record(r), Value::String(name)) => r.fields.iter().position(|f| *f == name),
        (Value::Function(f), _) => f.domain.iter().position(|d| same_key(*d, key)),
        _ => None,
    }
}

/// The same key: a scalar, a stored value, or a tuple of such.
fn same_key(a: Value<'_>, b: Value<'_>) -> bool {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) if !std::ptr::eq(a, b) => {
            a.elements.len() == b.elements.len() && a.elements.iter().zip(b.elements).all(|(a, b)| same_word(*a, *b))
        }
        _ => same_word(a, b),
    }
}
