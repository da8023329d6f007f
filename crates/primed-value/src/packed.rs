//! Interned values as lists of numbers.
//!
//! Where a state space is large most of memory holds values that are looked at once or twice: a set of messages that one state has.
//! Written as the numbers of its parts, in as few bytes as these have, such a value takes a tenth, and is built anew in the arena of
//! whoever asks for it. Where it differs in one part from a value that was looked at lately, only that is written down.

use bumpalo::Bump;

use crate::heap::{Reader, write};
use crate::ids;
use crate::intern::Interner;
use crate::value::{Cached, Function, Record, Set, Tuple, Value};

/// Differences on top of each other, at most: each costs a look into memory.
pub(crate) const PATCHES: usize = 6;

/// What kind of value it is, and what many such values share.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Tuple,
    Set,
    /// A record with these fields.
    Record(&'static Record<'static>),
    /// The domain.
    Function(&'static Set<'static>),
}

/// The first number of a packed value: its kind, and above that how many parts there are. Then come, for a record or a function, the
/// number of its shape, and the parts; for a difference the number of the other value, where the part is, and the part.
const KIND_BITS: u32 = 3;
const TUPLE: u64 = 0;
const SET: u64 = 1;
const SHAPED: u64 = 2;
const REPLACED: u64 = 3;
const INSERTED: u64 = 4;

/// A part that a value has, and another one has not.
#[derive(Clone, Copy, Debug, Default)]
struct Patch {
    at: u32,
    id: u32,
    /// The other one has one part less; else another part there.
    inserted: bool,
}

/// A composite value whose parts are interned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed<'s> {
    pub(crate) shape: Shape,
    /// How many parts there are.
    count: u32,
    /// The parts of the value that it differs from, or its own.
    root: Reader<'s>,
    /// How it differs from that, and in how many places: the last one first.
    patches: Option<([Patch; PATCHES], usize)>,
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

/// The bytes of a value with these parts. `number`: that of its shape, if that has one.
pub(crate) fn bytes(shape: Shape, number: u32, parts: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 * parts.len() + 2);
    let kind = match shape {
        Shape::Tuple => TUPLE,
        Shape::Set => SET,
        Shape::Record(_) | Shape::Function(_) => SHAPED,
    };
    write(&mut bytes, (parts.len() as u64) << KIND_BITS | kind);
    if kind == SHAPED {
        write(&mut bytes, u64::from(number));
    }
    parts.iter().for_each(|id| write(&mut bytes, ids::code(*id)));
    bytes
}

impl<'s> Packed<'s> {
    /// What stands at a place; `at` gives the bytes of another value, `shape` the shape of a number.
    #[inline]
    pub(crate) fn read(
        mut reader: Reader<'s>,
        at: impl Fn(u32) -> Option<Reader<'s>>,
        shape: impl Fn(u32) -> Option<Shape>,
    ) -> Option<Packed<'s>> {
        let head = reader.number();
        let (count, mut kind) = ((head >> KIND_BITS) as u32, head & ((1 << KIND_BITS) - 1));
        let patches = match kind {
            REPLACED | INSERTED => Some(differences(&mut kind, &mut reader, at)?),
            _ => None,
        };
        let shape = match kind {
            TUPLE => Shape::Tuple,
            SET => Shape::Set,
            _ => shape(reader.number() as u32)?,
        };
        Some(Packed { shape, count, root: reader, patches })
    }

    /// The numbers of the parts, in order.
    #[inline]
    pub(crate) fn parts(&self) -> Parts<'_, 's> {
        Parts { packed: self, root: self.root, next: 0, in_root: 0 }
    }

    /// How many parts there are.
    pub(crate) fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether it is this value, whose parts are interned; `same` compares one of them with a number.
    pub(crate) fn is(&self, value: Value<'_>, same: impl Fn(u32, Value<'_>) -> bool) -> bool {
        let all = |parts: &[Value<'_>]| {
            parts.len() == self.len() && self.parts().zip(parts).all(|(id, part)| same(id, *part))
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
    pub(crate) fn of<'a>(&self, arena: &'a Bump, known: Cached, parts: &'a [Value<'a>]) -> Value<'a> {
        value_of(arena, self.shape, known, parts)
    }

    pub(crate) fn is_set(&self) -> bool {
        matches!(self.shape, Shape::Set)
    }

    /// The value in an arena. The recursion is as deep as the value, which had a hash.
    #[inline]
    pub(crate) fn unpack<'a>(&self, interner: &'a Interner, arena: &'a Bump, known: Cached) -> Value<'a> {
        let mut root = self.root;
        let parts = match self.patches {
            None => {
                let part = |_| interner.part(arena, ids::of_code(root.number()));
                arena.alloc_slice_fill_with(self.len(), part)
            }
            Some(_) => arena.alloc_slice_fill_iter(self.parts().map(|id| interner.part(arena, id))),
        };
        self.of(arena, known, parts)
    }

    /// The bytes of a value of this shape and of these parts by its difference to this value, whose number is `own`; `None` if it is
    /// no small one.
    pub(crate) fn difference(&self, own: u32, shape: Shape, parts: &[u32]) -> Option<Vec<u8>> {
        let inserted = parts.len().checked_sub(self.len())?;
        if inserted > 1 || self.patches.is_some_and(|(_, count)| count == PATCHES) || !same_shape(self.shape, shape) {
            return None;
        }
        let mut own_parts = self.parts().peekable();
        let mut difference = None;
        for (at, id) in parts.iter().enumerate() {
            if own_parts.peek() == Some(id) {
                own_parts.next();
            } else if difference.replace((at, *id)).is_some() {
                return None;
            } else if inserted == 0 {
                own_parts.next();
            }
        }
        let (at, id) = difference?;
        let mut bytes = Vec::with_capacity(16);
        let kind = if inserted == 1 { INSERTED } else { REPLACED };
        write(&mut bytes, (parts.len() as u64) << KIND_BITS | kind);
        write(&mut bytes, u64::from(own));
        write(&mut bytes, at as u64);
        write(&mut bytes, ids::code(id));
        Some(bytes)
    }
}

/// Reads the differences of a value of this kind, the last one first, until the kind is another.
fn differences<'s>(
    kind: &mut u64,
    reader: &mut Reader<'s>,
    at: impl Fn(u32) -> Option<Reader<'s>>,
) -> Option<([Patch; PATCHES], usize)> {
    let (mut patches, mut count) = ([Patch::default(); PATCHES], 0);
    while matches!(*kind, REPLACED | INSERTED) {
        let other = reader.number() as u32;
        let patch = patches.get_mut(count)?;
        (patch.at, patch.inserted) = (reader.number() as u32, *kind == INSERTED);
        patch.id = ids::of_code(reader.number());
        count += 1;
        *reader = at(other)?;
        *kind = reader.number() & ((1 << KIND_BITS) - 1);
    }
    Some((patches, count))
}

fn same_shape(a: Shape, b: Shape) -> bool {
    match (a, b) {
        (Shape::Tuple, Shape::Tuple) | (Shape::Set, Shape::Set) => true,
        (Shape::Record(a), Shape::Record(b)) => std::ptr::eq(a, b),
        (Shape::Function(a), Shape::Function(b)) => std::ptr::eq(a, b),
        _ => false,
    }
}

/// The numbers of the parts of a packed value.
#[derive(Clone)]
pub(crate) struct Parts<'p, 's> {
    packed: &'p Packed<'s>,
    /// Its parts from the one of this number on.
    root: Reader<'s>,
    in_root: u32,
    next: u32,
}

impl Iterator for Parts<'_, '_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let mut at = self.next;
        if at == self.packed.count {
            return None;
        }
        self.next += 1;
        let (patches, count) = self.packed.patches.as_ref().map_or((&[][..], 0), |(all, count)| (all, *count));
        for patch in &patches[..count] {
            if at == patch.at {
                return Some(patch.id);
            }
            at -= u32::from(patch.inserted && at > patch.at);
        }
        // What was replaced is passed over.
        while self.in_root < at {
            self.root.number();
            self.in_root += 1;
        }
        self.in_root += 1;
        Some(ids::of_code(self.root.number()))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.packed.count - self.next) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Parts<'_, '_> {}

/// The value of a shape and parts.
pub(crate) fn value_of<'a>(arena: &'a Bump, shape: Shape, known: Cached, parts: &'a [Value<'a>]) -> Value<'a> {
    match shape {
        Shape::Tuple => Value::Tuple(arena.alloc(Tuple { hash: known, elements: parts })),
        Shape::Record(shape) => Value::Record(arena.alloc(Record { hash: known, fields: shape.fields, values: parts })),
        Shape::Function(domain) => {
            Value::Function(arena.alloc(Function { hash: known, domain: domain.elements, values: parts }))
        }
        Shape::Set => Value::Set(arena.alloc(Set { hash: known, elements: parts })),
    }
}
