//! Values that own their arena: constants shared between workers, states in a store.
//!
//! [`copy_into`] copies a value from one arena into another, without recursion. [`Frozen`] and [`FrozenRow`] are a copy together
//! with the arena that it lives in. This is the only module with `unsafe`: it ties the lifetime of a value to the owner of its
//! arena, which the language cannot say of one structure.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem::MaybeUninit;

use bumpalo::Bump;

use crate::error::{EvalError, EvalErrorKind};
use crate::functions::force;
use crate::hash::{hash, pair};
use crate::host::{Host, Result};
use crate::intern::same_word;
use crate::sets::{is_enumerable, size_hint, to_enumerated};
use crate::symbol::Symbol;
use crate::value::{Cached, Closure, Function, Lazy, ModelValue, Record, Set, Tuple, Value};

/// Functions over larger domains are not computed when they are frozen.
const FORCE_BOUND: i64 = 1_000;

/// Something in an arena, and the arena. `T` is the type with its lifetime replaced by `'static`.
struct Owned<T: Copy + 'static> {
    /// Points into `_arena`; it must not be handed out for longer than `&self` lives. It is always initialised: the
    /// `MaybeUninit` only tells the compiler that a reference in there may dangle while the whole is being dropped.
    root: MaybeUninit<T>,
    /// Never used again after the construction, so that nothing in it moves or changes.
    _arena: Bump,
}

// SAFETY: the only part that is not `Sync` is the arena, because allocating takes `&Bump`. Nothing allocates from it once the
// value is built: the field is private to this module and read by nobody, and dropping needs the whole exclusively.
unsafe impl<T: Copy + Sync> Sync for Owned<T> {}

impl<T: Copy> Owned<T> {
    fn new(root: T, arena: Bump) -> Owned<T> {
        Owned { root: MaybeUninit::new(root), _arena: arena }
    }

    #[inline]
    fn root(&self) -> T {
        // SAFETY: `new` is the only way to make one, and initialises it.
        unsafe { self.root.assume_init() }
    }
}

/// An owned value that can go to other threads.
pub struct Frozen(Owned<Value<'static>>);

impl Frozen {
    /// A copy of the value. A function that is not computed yet is, if its domain is small and can be listed; where that fails
    /// it stays as it is, and fails when it is used.
    ///
    /// # Errors
    /// Limits that are reached on the way.
    pub fn new<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<Frozen> {
        let v = forced(h, v)?;
        let arena = Bump::new();
        let root: Value<'_> = copy_into(&arena, v);
        // SAFETY: `copy_into` gives a value all of whose references point into `arena` or to statics. The chunks of an arena
        // are on the heap and stay where they are when the `Bump` is moved, and live until it is dropped, with `self`. `get`
        // gives the value out for no longer than a borrow of `self`. `Value` has no destructor that could look at it later.
        let root: Value<'static> = unsafe { std::mem::transmute::<Value<'_>, Value<'static>>(root) };
        Ok(Frozen(Owned::new(root, arena)))
    }

    /// The value.
    #[inline]
    pub fn get<'s>(&'s self) -> Value<'s> {
        self.0.root()
    }
}

impl fmt::Debug for Frozen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Frozen").field(&self.get()).finish()
    }
}

/// A function with a small domain that can be listed in explicit form, if that succeeds.
fn forced<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<Value<'a>> {
    match v {
        Value::Closure(c) if size_hint(c.domain).is_some_and(|n| n <= FORCE_BOUND) => match force(h, v) {
            Err(error) if error.kind == EvalErrorKind::Evaluation => Ok(v),
            result => result,
        },
        _ => Ok(v),
    }
}

/// A value whose arena the caller keeps alive for as long as the result is reachable: the arena of an
/// [`crate::intern::Interner`], which gives values out for no longer than a borrow of itself.
pub(crate) fn to_static(value: Value<'_>) -> Value<'static> {
    // SAFETY: the only caller stores the result beside the arena, see the invariant of `Interner`: the arena is never reset,
    // is dropped together with the table of results, and `Value` has no destructor that could look at it later.
    unsafe { std::mem::transmute::<Value<'_>, Value<'static>>(value) }
}

/// As [`to_static`], for where such a value stands in the same arena, alone or in what has no destructor either.
pub(crate) fn static_ref<'s, T: 'static>(holds_value: &'s T) -> &'static T {
    const { assert!(!std::mem::needs_drop::<T>()) };
    // SAFETY: as in `to_static`.
    unsafe { std::mem::transmute::<&'s T, &'static T>(holds_value) }
}

/// An owned row of values in canonical form, a state: it can be compared and hashed without an evaluator.
///
/// INVARIANT: sets and functions that can be listed are listed, so two rows with equal values have equal structure.
pub struct FrozenRow {
    row: Owned<&'static [Value<'static>]>,
    hash: u64,
}

impl FrozenRow {
    /// A copy of the values.
    ///
    /// # Errors
    /// TLC's for a value that cannot be in a state, such as a set whose elements cannot be compared.
    pub fn new<'a, H: Host<'a> + ?Sized>(h: &mut H, row: &[Value<'a>]) -> Result<FrozenRow> {
        let values = canonical_row(h, row)?;
        let hash = hash_row(h, &values)?;
        let arena = Bump::new();
        let row: &[Value<'_>] = copy_row(&arena, &values);
        // SAFETY: as in `Frozen::new`; the slice itself is in the arena too.
        let root = unsafe { std::mem::transmute::<&[Value<'_>], &'static [Value<'static>]>(row) };
        Ok(FrozenRow { row: Owned::new(root, arena), hash })
    }

    /// The values.
    #[inline]
    pub fn get(&self) -> &[Value<'_>] {
        self.row.root()
    }

    /// A hash of all values, the same in every process; that of [`hash_row`].
    #[inline]
    pub fn digest(&self) -> u64 {
        self.hash
    }
}

impl fmt::Debug for FrozenRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FrozenRow").field(&self.get()).finish()
    }
}

impl PartialEq for FrozenRow {
    fn eq(&self, other: &FrozenRow) -> bool {
        self.hash == other.hash && same_row(self.get(), other.get())
    }
}

impl Eq for FrozenRow {}

impl Hash for FrozenRow {
    fn hash<S: Hasher>(&self, state: &mut S) {
        state.write_u64(self.hash);
    }
}

/// The hash of a row of values, the same in every process.
///
/// # Errors
/// Those of [`hash`].
pub fn hash_row<'a, H: Host<'a> + ?Sized>(h: &mut H, row: &[Value<'a>]) -> Result<u64> {
    let mut sum = row.len() as u64;
    for value in row {
        sum = pair(sum, hash(h, *value)?);
    }
    Ok(sum)
}

/// The values with everything listed that can be, so that [`same_row`] can compare them.
///
/// # Errors
/// Those of listing sets and of computing functions.
pub fn canonical_row<'a, H: Host<'a> + ?Sized>(h: &mut H, row: &[Value<'a>]) -> Result<Vec<Value<'a>>> {
    row.iter().map(|v| canonical(h, *v)).collect()
}

/// The value with everything listed that can be.
fn canonical<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<Value<'a>> {
    // Bounds the recursions here: a value that is nested too deep has no hash.
    hash(h, v).map_err(|error| first_inside(h, v, error))?;
    if is_listed(v) {
        return Ok(v);
    }
    let v = match v {
        Value::Closure(_) => force(h, v)?,
        Value::Mixed(_) => to_enumerated(h, v)?,
        Value::Lazy(_) if is_enumerable(v) => to_enumerated(h, v)?,
        _ => v,
    };
    let mut kids = Vec::new();
    children(v, &mut kids);
    for kid in &mut kids {
        *kid = canonical(h, *kid)?;
    }
    let arena = h.arena();
    Ok(rebuild(arena, v, &kids))
}

/// TLC puts what is inside of a value into order before the value itself.
#[cold]
pub(crate) fn first_inside<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, error: Box<EvalError>) -> Box<EvalError> {
    if error.kind != EvalErrorKind::Evaluation {
        return error;
    }
    let mut kids = Vec::new();
    children(v, &mut kids);
    for kid in kids {
        if let Err(inner) = hash(h, kid) {
            return first_inside(h, kid, inner);
        }
    }
    error
}

/// Whether the value holds no set or function that is still to be listed.
pub fn is_listed(v: Value<'_>) -> bool {
    let all = |values: &[Value<'_>]| values.iter().all(|v| is_listed(*v));
    if v.is_interned() {
        return true;
    }
    match v {
        Value::Bool(_) | Value::Int(_) | Value::String(_) | Value::Model(_) | Value::Interval(_) => true,
        Value::Tuple(t) => all(t.elements),
        Value::Record(r) => all(r.values),
        Value::Function(f) => all(f.domain) && all(f.values),
        Value::Set(s) => all(s.elements),
        Value::Closure(_) | Value::Lazy(_) | Value::Mixed(_) => false,
    }
}

/// Whether two rows in canonical form ([`canonical_row`]) have equal values. No evaluator is needed, and nothing recurses.
pub fn same_row(a: &[Value<'_>], b: &[Value<'_>]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut left: Vec<Value<'_>> = a.to_vec();
    let mut right: Vec<Value<'_>> = b.to_vec();
    while let (Some(x), Some(y)) = (left.pop(), right.pop()) {
        let same = match (x, y) {
            (Value::Bool(x), Value::Bool(y)) => x == y,
            (Value::Int(x), Value::Int(y)) => x == y,
            (Value::String(x), Value::String(y)) => x == y,
            (Value::Model(x), Value::Model(y)) => x == y,
            (Value::Interval(x), Value::Interval(y)) => x == y,
            (Value::Interval(x), Value::Set(y)) | (Value::Set(y), Value::Interval(x)) => is_interval(x, y.elements),
            _ if same_word(x, y) => true,
            _ => {
                let before = (left.len(), right.len());
                let same = shape(x) == shape(y) && slots(x).eq(slots(y));
                children(x, &mut left);
                children(y, &mut right);
                same && left.len() - before.0 == right.len() - before.1
            }
        };
        if !same {
            return false;
        }
    }
    true
}

pub(crate) fn is_interval(interval: &(i64, i64), elements: &[Value<'_>]) -> bool {
    interval.1.wrapping_sub(interval.0) == elements.len() as i64 - 1
        && (0..).map(|i| interval.0.wrapping_add(i)).zip(elements).all(|(i, e)| matches!(e, Value::Int(n) if *n == i))
}

/// A hash of the structure of a value: of values that [`same_row`] takes for the same it is the same. Nothing is evaluated.
pub(crate) fn shape_digest(v: Value<'_>) -> u64 {
    let (mut digest, mut rest) = (0, vec![v]);
    while let Some(v) = rest.pop() {
        let part = match v {
            Value::Bool(b) => u64::from(b),
            Value::Int(n) => n as u64,
            Value::String(s) | Value::Model(ModelValue { name: s, .. }) => u64::from(s.0),
            // An interval is the set of its elements.
            Value::Interval(_) | Value::Set(_) => 0,
            _ => u64::from(shape(v).0) + 1,
        };
        digest = pair(digest, part);
        if !matches!(v, Value::Set(_)) {
            children(v, &mut rest);
        }
    }
    digest
}

/// Which slots of a closure have values, and how many updates it has.
fn slots<'v>(v: Value<'v>) -> impl Iterator<Item = bool> + 'v {
    let closure = match v {
        Value::Closure(closure) => Some(closure),
        Value::Lazy(Lazy::Filter(_, closure)) => Some(*closure),
        _ => None,
    };
    closure.into_iter().flat_map(|c| {
        let filled = |slots: &'v [Option<Value<'v>>]| slots.iter().map(Option::is_some).chain([false]);
        filled(c.frame).chain(filled(c.state)).chain(filled(c.next)).chain(c.updates.iter().map(|_| true))
    })
}

/// What two composite values must have in common beside their children.
fn shape<'v>(v: Value<'v>) -> (u8, usize, &'v [Symbol]) {
    match v {
        Value::Tuple(_) => (0, 0, &[]),
        Value::Record(r) => (1, 0, r.fields),
        Value::Function(_) => (2, 0, &[]),
        Value::Closure(c) => (3, c.code, &[]),
        Value::Set(_) => (4, 0, &[]),
        Value::Mixed(_) => (5, 0, &[]),
        Value::Lazy(lazy) => match lazy {
            Lazy::Nat => (6, 0, &[]),
            Lazy::Int => (7, 0, &[]),
            Lazy::Real => (8, 0, &[]),
            Lazy::String => (9, 0, &[]),
            Lazy::Any => (10, 0, &[]),
            Lazy::Subset(_) => (11, 0, &[]),
            Lazy::Functions(..) => (12, 0, &[]),
            Lazy::Records(fields, _) => (13, 0, fields),
            Lazy::Product(_) => (14, 0, &[]),
            Lazy::Sequences(_) => (15, 0, &[]),
            Lazy::Union(..) => (16, 0, &[]),
            Lazy::Intersection(..) => (17, 0, &[]),
            Lazy::Difference(..) => (18, 0, &[]),
            Lazy::BigUnion(_) => (19, 0, &[]),
            Lazy::Filter(_, c) => (20, c.code, &[]),
        },
        Value::Bool(_) | Value::Int(_) | Value::String(_) | Value::Model(_) | Value::Interval(_) => (21, 0, &[]),
    }
}

/// One step of a copy.
enum Step<'a> {
    Copy(Value<'a>),
    /// Its children are copied: so many are on the stack of results.
    Rebuild(Value<'a>, usize),
}

/// A deep copy of a value in another arena. Hashes that are known stay known.
pub fn copy_into<'a, 'b>(arena: &'b Bump, v: Value<'a>) -> Value<'b> {
    copy_row(arena, &[v]).first().copied().unwrap_or(Value::Bool(false))
}

/// A deep copy of several values.
pub fn copy_row<'a, 'b>(arena: &'b Bump, row: &[Value<'a>]) -> &'b [Value<'b>] {
    let mut steps: Vec<Step<'a>> = row.iter().rev().map(|v| Step::Copy(*v)).collect();
    let mut done: Vec<Value<'b>> = Vec::with_capacity(row.len());
    let mut kids = Vec::new();
    while let Some(step) = steps.pop() {
        match step {
            Step::Copy(Value::Bool(b)) => done.push(Value::Bool(b)),
            Step::Copy(Value::Int(i)) => done.push(Value::Int(i)),
            Step::Copy(Value::String(s)) => done.push(Value::String(s)),
            Step::Copy(Value::Model(m)) => done.push(Value::Model(m)),
            Step::Copy(Value::Interval(i)) => done.push(Value::Interval(arena.alloc(*i))),
            Step::Copy(v) => {
                children(v, &mut kids);
                steps.push(Step::Rebuild(v, kids.len()));
                steps.extend(kids.drain(..).rev().map(Step::Copy));
            }
            Step::Rebuild(v, count) => {
                let copied = rebuild(arena, v, &done[done.len() - count..]);
                done.truncate(done.len() - count);
                done.push(copied);
            }
        }
    }
    arena.alloc_slice_copy(&done)
}

/// The values directly within a composite, in the order in which [`rebuild`] takes them.
fn children<'a>(v: Value<'a>, out: &mut Vec<Value<'a>>) {
    match v {
        Value::Bool(_) | Value::Int(_) | Value::String(_) | Value::Model(_) | Value::Interval(_) => {}
        Value::Tuple(t) => out.extend_from_slice(t.elements),
        Value::Record(r) => out.extend_from_slice(r.values),
        Value::Function(f) => {
            out.extend_from_slice(f.domain);
            out.extend_from_slice(f.values);
        }
        Value::Closure(c) => closure_children(c, out),
        Value::Set(s) => out.extend_from_slice(s.elements),
        Value::Mixed(items) => out.extend_from_slice(items),
        Value::Lazy(lazy) => match lazy {
            Lazy::Nat | Lazy::Int | Lazy::Real | Lazy::String | Lazy::Any => {}
            Lazy::Subset(s) | Lazy::Sequences(s) | Lazy::BigUnion(s) => out.push(*s),
            Lazy::Functions(s, t) | Lazy::Union(s, t) | Lazy::Intersection(s, t) | Lazy::Difference(s, t) => {
                out.extend([*s, *t]);
            }
            Lazy::Records(_, sets) | Lazy::Product(sets) => out.extend_from_slice(sets),
            Lazy::Filter(s, c) => {
                out.push(*s);
                closure_children(c, out);
            }
        },
    }
}

fn closure_children<'a>(c: &Closure<'a>, out: &mut Vec<Value<'a>>) {
    out.push(c.domain);
    for slots in [c.frame, c.state, c.next] {
        out.extend(slots.iter().flatten());
    }
    for (key, value) in c.updates {
        out.extend([*key, *value]);
    }
}

/// The copied children of a value, handed out in order.
struct Kids<'k, 'b>(&'k [Value<'b>], &'b Bump);

impl<'b> Kids<'_, 'b> {
    fn one(&mut self) -> Value<'b> {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => Value::Bool(false),
        }
    }

    fn many(&mut self, count: usize) -> &'b [Value<'b>] {
        let (some, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        self.1.alloc_slice_copy(some)
    }

    fn slots(&mut self, slots: &[Option<Value<'_>>]) -> &'b [Option<Value<'b>>] {
        let arena = self.1;
        arena.alloc_slice_fill_iter(slots.iter().map(|slot| slot.map(|_| self.one())))
    }

    fn closure(&mut self, c: &Closure<'_>) -> &'b Closure<'b> {
        let domain = self.one();
        let (frame, state, next) = (self.slots(c.frame), self.slots(c.state), self.slots(c.next));
        let arena = self.1;
        let updates = arena.alloc_slice_fill_iter(c.updates.iter().map(|_| (self.one(), self.one())));
        arena.alloc(Closure { code: c.code, domain, frame, state, next, updates })
    }
}

/// The composite with other children.
fn rebuild<'b>(arena: &'b Bump, v: Value<'_>, kids: &[Value<'b>]) -> Value<'b> {
    let mut kids = Kids(kids, arena);
    let hash = |cached: &Cached| Cached::of(cached.peek().unwrap_or(0));
    match v {
        Value::Bool(b) => Value::Bool(b),
        Value::Int(i) => Value::Int(i),
        Value::String(s) => Value::String(s),
        Value::Model(m) => Value::Model(m),
        Value::Interval(i) => Value::Interval(arena.alloc(*i)),
        Value::Tuple(t) => {
            let elements = kids.many(t.elements.len());
            Value::Tuple(arena.alloc(Tuple { hash: hash(&t.hash), elements }))
        }
        Value::Record(r) => {
            let fields = arena.alloc_slice_copy(r.fields);
            let values = kids.many(r.values.len());
            Value::Record(arena.alloc(Record { hash: hash(&r.hash), fields, values }))
        }
        Value::Function(f) => {
            let domain = kids.many(f.domain.len());
            let values = kids.many(f.values.len());
            Value::Function(arena.alloc(Function { hash: hash(&f.hash), domain, values }))
        }
        Value::Set(s) => {
            let elements = kids.many(s.elements.len());
            Value::Set(arena.alloc(Set { hash: hash(&s.hash), elements }))
        }
        Value::Mixed(items) => Value::Mixed(arena.alloc(kids.many(items.len()))),
        Value::Closure(c) => Value::Closure(kids.closure(c)),
        Value::Lazy(lazy) => Value::Lazy(arena.alloc(rebuild_lazy(arena, lazy, &mut kids))),
    }
}

fn rebuild_lazy<'b>(arena: &'b Bump, lazy: &Lazy<'_>, kids: &mut Kids<'_, 'b>) -> Lazy<'b> {
    match lazy {
        Lazy::Nat => Lazy::Nat,
        Lazy::Int => Lazy::Int,
        Lazy::Real => Lazy::Real,
        Lazy::String => Lazy::String,
        Lazy::Any => Lazy::Any,
        Lazy::Subset(_) => Lazy::Subset(kids.one()),
        Lazy::Sequences(_) => Lazy::Sequences(kids.one()),
        Lazy::BigUnion(_) => Lazy::BigUnion(kids.one()),
        Lazy::Functions(..) => Lazy::Functions(kids.one(), kids.one()),
        Lazy::Union(..) => Lazy::Union(kids.one(), kids.one()),
        Lazy::Intersection(..) => Lazy::Intersection(kids.one(), kids.one()),
        Lazy::Difference(..) => Lazy::Difference(kids.one(), kids.one()),
        Lazy::Product(sets) => Lazy::Product(kids.many(sets.len())),
        Lazy::Records(fields, sets) => Lazy::Records(arena.alloc_slice_copy(fields), kids.many(sets.len())),
        Lazy::Filter(_, c) => Lazy::Filter(kids.one(), kids.closure(c)),
    }
}
