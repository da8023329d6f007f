//! Interned values as lists of numbers.
//!
//! Where a state space is large most of memory holds values that are looked at once or twice: a set of messages that one state has.
//! Written as the numbers of its parts such a value takes a quarter, and is built anew in the arena of whoever asks for it.

use bumpalo::Bump;

use crate::intern::{Interner, ValueId};
use crate::value::{Cached, Function, Record, Set, Tuple, Value};

/// Values with fewer parts are not worth it.
pub(crate) const LEAST: usize = 4;

/// What kind of value it is, and what many such values share.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape<'s> {
    Tuple,
    Set,
    /// A record with these fields.
    Record(&'s Record<'s>),
    /// The domain.
    Function(&'s Set<'s>),
}

/// A composite value whose parts are interned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed<'s> {
    hash: u64,
    shape: Shape<'s>,
    /// The numbers of elements, of the values of fields, or of the values of a function.
    parts: &'s [u32],
}

/// The parts that have numbers in a packed value.
pub(crate) fn parts<'v>(value: Value<'v>) -> Option<&'v [Value<'v>]> {
    match value {
        Value::Tuple(t) => Some(t.elements),
        Value::Record(r) => Some(r.values),
        Value::Function(f) => Some(f.values),
        Value::Set(s) => Some(s.elements),
        _ => None,
    }
}

impl<'s> Packed<'s> {
    pub(crate) fn new(arena: &'s Bump, hash: u64, shape: Shape<'s>, parts: &[u32]) -> &'s Packed<'s> {
        arena.alloc(Packed { hash, shape, parts: arena.alloc_slice_copy(parts) })
    }

    pub(crate) fn parts(&self) -> &'s [u32] {
        self.parts
    }

    /// Whether it is this value, whose parts are interned; `same` compares one of them with a number.
    pub(crate) fn is(&self, value: Value<'_>, same: impl Fn(u32, Value<'_>) -> bool) -> bool {
        let all = |parts: &[Value<'_>]| {
            parts.len() == self.parts.len() && self.parts.iter().zip(parts).all(|(id, part)| same(*id, *part))
        };
        match (self.shape, value) {
            (Shape::Tuple, Value::Tuple(t)) => all(t.elements),
            (Shape::Record(shape), Value::Record(r)) => all(r.values) && shape.fields == r.fields,
            (Shape::Function(domain), Value::Function(f)) => {
                all(f.values) && crate::intern::same_parts(domain.elements, f.domain)
            }
            (Shape::Set, Value::Set(s)) => all(s.elements),
            (Shape::Set, Value::Interval((first, last))) => {
                let count = self.parts.len() as i64;
                last.wrapping_sub(*first) == count - 1
                    && (0..count).zip(self.parts).all(|(i, id)| same(*id, Value::Int(first.wrapping_add(i))))
            }
            _ => false,
        }
    }

    /// The value, of these parts.
    pub(crate) fn of<'a>(&self, arena: &'a Bump, known: Cached, parts: &'a [Value<'a>]) -> Value<'a>
    where
        's: 'a,
    {
        value_of(arena, self.shape, known, parts)
    }

    pub(crate) fn is_set(&self) -> bool {
        matches!(self.shape, Shape::Set)
    }

    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// The value in an arena. The recursion is as deep as the value, which has a hash.
    pub(crate) fn unpack<'a>(&self, interner: &'a Interner, arena: &'a Bump, known: Cached) -> Value<'a>
    where
        's: 'a,
    {
        let parts = arena.alloc_slice_fill_iter(self.parts.iter().map(|id| interner.get(arena, ValueId(*id))));
        self.of(arena, known, parts)
    }
}

/// The value of a shape and parts.
pub(crate) fn value_of<'a>(arena: &'a Bump, shape: Shape<'a>, known: Cached, parts: &'a [Value<'a>]) -> Value<'a> {
    match shape {
        Shape::Tuple => Value::Tuple(arena.alloc(Tuple { hash: known, elements: parts })),
        Shape::Record(shape) => Value::Record(arena.alloc(Record { hash: known, fields: shape.fields, values: parts })),
        Shape::Function(domain) => {
            Value::Function(arena.alloc(Function { hash: known, domain: domain.elements, values: parts }))
        }
        Shape::Set => Value::Set(arena.alloc(Set { hash: known, elements: parts })),
    }
}
