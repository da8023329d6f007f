//! What a variable looks like in the specification, learnt from its values in the initial states: JSON has one kind of object
//! and one kind of array, TLA+ has functions, records, sequences and sets.

use std::sync::Arc;

use primed_engine::env::Env;
use primed_value::host::Host;
use primed_value::value::Value;

/// What to make of a JSON value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) enum Shape {
    /// Nothing is known: objects are records, arrays are sequences, strings that name a model value are it.
    #[default]
    Unknown,
    /// A scalar of whatever kind.
    Scalar,
    /// A function with keys of one kind.
    Function(Keys, Box<Shape>),
    /// A sequence, or a function over 1..n.
    Indexed(Box<Shape>),
    /// A record, or a function over strings; the fields that were seen.
    Record(Vec<(Arc<str>, Shape)>),
    /// A set.
    Set(Box<Shape>),
}

/// The keys of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// Integers.
    Integers,
    /// Model values.
    Models,
    /// Booleans, tuples and others: taken as their text reads.
    Others,
}

impl Shape {
    /// The shape of a value.
    pub(crate) fn of<'a>(env: &mut Env<'a>, value: Value<'a>) -> Shape {
        match value {
            Value::String(_) | Value::Int(_) | Value::Bool(_) | Value::Model(_) => Shape::Scalar,
            Value::Tuple(tuple) => Shape::Indexed(Box::new(Shape::of_all(env, tuple.elements))),
            Value::Record(record) => {
                let symbols = env.symbols();
                let fields = record.fields.iter().zip(record.values);
                Shape::Record(fields.map(|(f, v)| (symbols.text(*f), Shape::of(env, *v))).collect())
            }
            Value::Function(function) => {
                let integers = function.domain.iter().all(|k| matches!(k, Value::Int(_)));
                let models = function.domain.iter().all(|k| matches!(k, Value::Model(_)));
                let keys = match (integers, models) {
                    (true, _) => Keys::Integers,
                    (_, true) => Keys::Models,
                    _ => Keys::Others,
                };
                Shape::Function(keys, Box::new(Shape::of_all(env, function.values)))
            }
            Value::Set(set) => Shape::Set(Box::new(Shape::of_all(env, set.elements))),
            Value::Mixed(items) => Shape::Set(Box::new(Shape::of_all(env, items))),
            Value::Interval(_) => Shape::Set(Box::new(Shape::Scalar)),
            Value::Lazy(_) => Shape::Set(Box::default()),
            Value::Closure(_) => Shape::Unknown,
        }
    }

    fn of_all<'a>(env: &mut Env<'a>, values: &[Value<'a>]) -> Shape {
        values.iter().take(64).fold(Shape::Unknown, |shape, v| shape.merge(Shape::of(env, *v)))
    }

    /// What both have in common; where they differ, nothing is known.
    pub(crate) fn merge(self, other: Shape) -> Shape {
        match (self, other) {
            (a, b) if a == b => a,
            (Shape::Unknown, b) => b,
            (a, Shape::Unknown) => a,
            (Shape::Function(k, a), Shape::Function(l, b)) if k == l => Shape::Function(k, Box::new(a.merge(*b))),
            (Shape::Indexed(a), Shape::Indexed(b)) => Shape::Indexed(Box::new(a.merge(*b))),
            // The empty function has no keys that could tell.
            (Shape::Indexed(a), b) | (b, Shape::Indexed(a)) if *a == Shape::Unknown => b,
            (Shape::Set(a), Shape::Set(b)) => Shape::Set(Box::new(a.merge(*b))),
            (Shape::Record(mut a), Shape::Record(b)) => {
                for (name, shape) in b {
                    match a.iter_mut().find(|(n, _)| *n == name) {
                        Some((_, known)) => *known = std::mem::take(known).merge(shape),
                        None => a.push((name, shape)),
                    }
                }
                Shape::Record(a)
            }
            _ => Shape::Unknown,
        }
    }

    /// Made of parts.
    pub(crate) fn is_structure(&self) -> bool {
        matches!(self, Shape::Function(..) | Shape::Indexed(_) | Shape::Record(_) | Shape::Set(_))
    }

    /// In words.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Shape::Unknown => "a value",
            Shape::Scalar => "a scalar",
            Shape::Function(..) => "a function",
            Shape::Indexed(_) => "a sequence or a function over 1..n",
            Shape::Record(_) => "a record",
            Shape::Set(_) => "a set",
        }
    }
}
