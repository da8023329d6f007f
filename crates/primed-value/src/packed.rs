//! Interned values as lists of numbers.
//!
//! Where a state space is large most of memory holds values that are looked at once or twice: a set of messages that one state has.
//! Written as the numbers of its parts, in as few bytes as these have, such a value takes a fifth, and is built anew in the arena of whoever asks for it.

use bumpalo::Bump;

use crate::ids;
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
    /// How many parts there are.
    count: u32,
    /// The numbers of elements, of the values of fields, or of the values of a function, one after the other ([`write`]).
    parts: &'s [u8],
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
        let mut bytes = Vec::with_capacity(2 * parts.len());
        parts.iter().for_each(|id| write(&mut bytes, *id));
        arena.alloc(Packed { hash, shape, count: parts.len() as u32, parts: arena.alloc_slice_copy(&bytes) })
    }

    /// The numbers of the parts, in order.
    pub(crate) fn parts(&self) -> impl ExactSizeIterator<Item = u32> + use<'s> {
        let mut rest = self.parts;
        (0..self.count).map(move |_| read(&mut rest))
    }

    /// Whether it is this value, whose parts are interned; `same` compares one of them with a number.
    pub(crate) fn is(&self, value: Value<'_>, same: impl Fn(u32, Value<'_>) -> bool) -> bool {
        let all = |parts: &[Value<'_>]| {
            parts.len() == self.count as usize && self.parts().zip(parts).all(|(id, part)| same(id, *part))
        };
        match (self.shape, value) {
            (Shape::Tuple, Value::Tuple(t)) => all(t.elements),
            (Shape::Record(shape), Value::Record(r)) => all(r.values) && shape.fields == r.fields,
            (Shape::Function(domain), Value::Function(f)) => {
                all(f.values) && crate::intern::same_parts(domain.elements, f.domain)
            }
            (Shape::Set, Value::Set(s)) => all(s.elements),
            (Shape::Set, Value::Interval((first, last))) => {
                let count = i64::from(self.count);
                last.wrapping_sub(*first) == count - 1
                    && (0..count).zip(self.parts()).all(|(i, id)| same(id, Value::Int(first.wrapping_add(i))))
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
        let parts = arena.alloc_slice_fill_iter(self.parts().map(|id| interner.get(arena, ValueId(id))));
        self.of(arena, known, parts)
    }
}

/// Appends a number: seven bits a byte, the lowest first, the highest bit where more follow. Small scalars and values that were
/// stored early have small codes.
fn write(bytes: &mut Vec<u8>, id: u32) {
    let mut code = ids::code(id);
    while code >= 0x80 {
        bytes.push(code as u8 | 0x80);
        code >>= 7;
    }
    bytes.push(code as u8);
}

/// Takes the first number from what [`write`] wrote.
#[inline]
fn read(bytes: &mut &[u8]) -> u32 {
    let (mut code, mut shift) = (0, 0);
    while let Some((byte, rest)) = bytes.split_first() {
        *bytes = rest;
        code |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if *byte < 0x80 {
            break;
        }
    }
    ids::of_code(code)
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
