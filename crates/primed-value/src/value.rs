//! The representation of a value.
//!
//! A [`Value`] is sixteen bytes and `Copy`: a scalar, or a reference into an arena (a [`bumpalo::Bump`]) that outlives it. Nothing is
//! counted and nothing is dropped: a worker's scratch arena is reset as a whole.
//!
//! INVARIANT (one form for each function): a function whose domain is `1..n` is a [`Value::Tuple`] (the empty function
//! included), one whose domain is a non-empty set of strings a [`Value::Record`], any other a [`Value::Function`]; a
//! [`Value::Closure`] is a function or a filtered set not yet computed. TLC compares all of them as functions.
//!
//! INVARIANT (one form for each finite set): `Value::Set` is sorted and free of duplicates by [`crate::compare`]; an interval
//! stays a `Value::Interval`. Sets whose elements TLC cannot compare are `Value::Mixed`, unsorted, and fail where TLC would
//! have to sort them.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::symbol::Symbol;

/// A TLA+ value in an arena that lives for `'a`.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// TRUE or FALSE.
    Bool(bool),
    /// An integer; TLC's range (32 bits) is checked by the arithmetic, not here.
    Int(i64),
    /// A string.
    String(Symbol),
    /// A model value.
    Model(ModelValue),
    /// A sequence, or any function over 1..n, n >= 0.
    Tuple(&'a Tuple<'a>),
    /// A function over a non-empty set of strings.
    Record(&'a Record<'a>),
    /// A function over any other finite domain.
    Function(&'a Function<'a>),
    /// A function `[x \in S |-> e]` not yet computed, applied point by point.
    Closure(&'a Closure<'a>),
    /// A finite set, sorted.
    Set(&'a Set<'a>),
    /// A finite set whose elements cannot be sorted; in the order written.
    // By a thin reference: a value takes two words.
    Mixed(&'a &'a [Value<'a>]),
    /// `low..high`, not empty (the empty one is the empty `Set`).
    Interval(&'a (i64, i64)),
    /// A set known by a rule, see [`Lazy`].
    Lazy(&'a Lazy<'a>),
}

/// A model value: its name, and its type if the name has the shape `T_...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelValue {
    /// The name.
    pub name: Symbol,
    /// The letter before the underscore of a typed one, else `'\0'`.
    pub kind: u8,
}

/// The elements of a sequence.
#[derive(Debug)]
pub struct Tuple<'a> {
    pub(crate) hash: Cached,
    /// At index i the value at i + 1.
    pub elements: &'a [Value<'a>],
}

/// Field names (sorted by symbol) and their values.
#[derive(Debug)]
pub struct Record<'a> {
    pub(crate) hash: Cached,
    /// Sorted by symbol order, shared between records of the same shape.
    pub fields: &'a [Symbol],
    /// One for each field.
    pub values: &'a [Value<'a>],
}

/// A function given point by point.
#[derive(Debug)]
pub struct Function<'a> {
    pub(crate) hash: Cached,
    /// Sorted and free of duplicates, shared between functions.
    pub domain: &'a [Value<'a>],
    /// One for each element of the domain.
    pub values: &'a [Value<'a>],
}

/// A sorted set.
#[derive(Debug)]
pub struct Set<'a> {
    pub(crate) hash: Cached,
    /// Sorted and free of duplicates.
    pub elements: &'a [Value<'a>],
}

/// Sets that stay symbolic until something must enumerate them.
#[derive(Debug)]
pub enum Lazy<'a> {
    /// `Nat`.
    Nat,
    /// `Int`.
    Int,
    /// `Real` (only a name to TLC).
    Real,
    /// `STRING`.
    String,
    /// `Any` of module TLC.
    Any,
    /// `SUBSET S`.
    Subset(Value<'a>),
    /// `[S -> T]`.
    Functions(Value<'a>, Value<'a>),
    /// `[f : S, g : T]`, fields sorted by symbol.
    Records(&'a [Symbol], &'a [Value<'a>]),
    /// `S \X T \X ...`.
    Product(&'a [Value<'a>]),
    /// `Seq(S)`.
    Sequences(Value<'a>),
    /// `S \cup T` where the elements of a side are not at hand ([`crate::sets::is_reducible`]).
    Union(Value<'a>, Value<'a>),
    /// `S \cap T` where the elements of neither side are at hand.
    Intersection(Value<'a>, Value<'a>),
    /// `S \ T` where the elements of `S` are not at hand.
    Difference(Value<'a>, Value<'a>),
    /// `UNION S` where not all members are enumerated sets.
    BigUnion(Value<'a>),
    /// `{x \in S : P}` with an S that cannot be enumerated; the closure answers TRUE or FALSE.
    Filter(Value<'a>, &'a Closure<'a>),
}

/// Code with the frame it was made in. Only the evaluator ([`crate::host::Host`]) can run it.
#[derive(Debug)]
pub struct Closure<'a> {
    /// The evaluator's number of the code.
    pub code: usize,
    /// The domain of a function closure (for a filter: the filtered set).
    pub domain: Value<'a>,
    /// The captured frame, in the evaluator's own layout.
    pub frame: &'a [Option<Value<'a>>],
    /// The captured current state.
    pub state: &'a [Option<Value<'a>>],
    /// The captured next state.
    pub next: &'a [Option<Value<'a>>],
    /// EXCEPT updates on top, later ones win.
    pub updates: &'a [(Value<'a>, Value<'a>)],
}

/// What a composite knows of itself: its hash, computed at first need (0 is "not yet"; relaxed is enough, since every thread
/// computes the same number), and its number in the one table of interned values ([`crate::intern`]) that it lives in.
#[derive(Debug, Default)]
pub(crate) struct Cached {
    hash: AtomicU64,
    table: u32,
    id: u32,
}

/// Numbers of values do not have this bit; those of copies do.
const COPY: u32 = 1 << 31;

impl Cached {
    /// Nothing is known.
    pub(crate) const fn new() -> Cached {
        Cached::of(0)
    }

    /// A hash that is already known, or 0.
    pub(crate) const fn of(hash: u64) -> Cached {
        Cached { hash: AtomicU64::new(hash), table: 0, id: 0 }
    }

    /// Of a value that lives in the table of this number, and has this number there.
    pub(crate) const fn interned(hash: u64, table: u32, id: u32) -> Cached {
        Cached { hash: AtomicU64::new(hash), table, id }
    }

    /// Of a copy, in another arena, of the value that has this number in the table of this number.
    pub(crate) const fn copied(hash: u64, table: u32, id: u32) -> Cached {
        Cached { hash: AtomicU64::new(hash), table, id: id | COPY }
    }

    /// Remembers the hash; 0 is not one.
    pub(crate) fn set(&self, hash: u64) {
        self.hash.store(hash, Ordering::Relaxed);
    }

    /// The hash if it was computed.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u64> {
        Some(self.hash.load(Ordering::Relaxed)).filter(|h| *h != 0)
    }

    /// The number in the table of this number, if the value lives in it or is a copy of one.
    #[inline]
    pub(crate) fn id(&self, table: u32) -> Option<u32> {
        (self.table == table).then_some(self.id & !COPY)
    }

    /// The value does not live in a table of interned values.
    #[inline]
    pub(crate) fn is_copy(&self) -> bool {
        self.id & COPY != 0
    }

    /// Of the same interned value.
    pub(crate) fn same(&self, other: &Cached) -> bool {
        self.table != 0 && self.table == other.table && (self.id ^ other.id) & !COPY == 0
    }
}

// Lists of values are most of what there is in memory.
const _: () = assert!(size_of::<Value<'static>>() == 16);

impl<'a> Value<'a> {
    /// The value lives in a table of interned values, or is a copy of one: it is in canonical form.
    #[inline]
    pub(crate) fn is_interned(self) -> bool {
        self.cached().is_some_and(|cached| cached.table != 0)
    }

    /// What a composite knows of itself.
    #[inline]
    pub(crate) fn cached(self) -> Option<&'a Cached> {
        match self {
            Value::Tuple(t) => Some(&t.hash),
            Value::Record(r) => Some(&r.hash),
            Value::Function(f) => Some(&f.hash),
            Value::Set(s) => Some(&s.hash),
            _ => None,
        }
    }
}
