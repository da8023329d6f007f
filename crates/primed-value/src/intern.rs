//! Interned values: equal values have equal ids, in every worker.
//!
//! A state that is kept is a row of ids. Small scalars are ids themselves; other values are stored once, in canonical form, in
//! arenas that live as long as the interner. What a stored value consists of is stored too, each part once: two stored values
//! are equal exactly if they are the same words, and a value that differs from a stored one in one place shares the rest with it.
//! Looking an id up takes no lock. When there are many values, large ones are kept as lists of ids ([`crate::packed`]).

mod shapes;

use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;
use hashbrown::HashTable;

use self::shapes::{Lists, Numbered};
use crate::entries::{Entries, Entry};
use crate::error::{EvalError, EvalErrorKind};
use crate::freeze::{canonical_row, copy_into, first_inside, is_interval, same_row, static_ref, to_static};
use crate::hash;
use crate::heap::{End, Heap, PLACE_BITS, Reader};
use crate::held::Held;
use crate::host::{Host, Result};
pub use crate::ids::ValueId;
use crate::ids::{HELD, SCALAR, scalar, scalar_of};
use crate::packed::{self, Packed, Shape};
use crate::recent;
use crate::value::{Cached, Function, Record, Set, Tuple, Value};

/// Tables, each with a lock of its own.
const SHARDS: usize = 64;
/// So many values are kept whole, however large they are.
const WHOLE: u32 = 1 << 10;
/// Values of so many bytes are not told by their differences to others.
const SHORT: usize = 12;
/// Nor are those of so few parts.
const FEW: usize = 6;
/// One in so many times that a value is built anew it is kept whole from then on: those that are looked at often soon are.
const SAMPLE: u32 = 32;
/// One in so many values, beside as many as are whole from the beginning, and none with more parts than this.
const KEPT: usize = 32;
const MANY: usize = 12;
/// Of a memory that has a limit one value is kept whole for so many bytes.
const PAGE: usize = 1 << 12;

/// Workers that take two locks at once do not wait for one line of memory.
#[derive(Default)]
#[repr(align(128))]
struct Shard {
    /// Part of the hash, so that most values need not be looked at, and the id.
    ids: HashTable<(u32, u32)>,
    arena: Bump,
    /// Of this shard's heap.
    end: End,
}

/// How a value is kept.
#[derive(Clone, Copy, Debug)]
enum Stored<'i> {
    Whole(Value<'static>),
    Packed(Packed<'i>),
}

/// Which table of interned values it is: enough to tell the numbers of values that came out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table(u32);

impl Table {
    /// The id of a value that is one itself, or that came out of this table.
    #[inline]
    pub fn known(self, value: Value<'_>) -> Option<ValueId> {
        match value.cached() {
            Some(cached) => cached.id(self.0).map(ValueId),
            None => scalar(value),
        }
    }
}

/// A table of values shared by all workers.
pub struct Interner {
    // INVARIANT: every value in `entries` lives in the arena of some shard, which is neither reset nor dropped before `self`; so do
    // the lists of field names and the domains in that of `lists`. Only what lives there, and copies of it that are marked, bears
    // the number of this table. Parts of a value that is kept whole are kept whole, or are in `lists`.
    entries: Entries,
    shards: Vec<Mutex<Shard>>,
    /// One for each shard, which alone writes there.
    heaps: Vec<Heap>,
    /// Shapes that packed values name.
    shapes: boxcar::Vec<Shape>,
    count: AtomicU32,
    /// The number of this table among all of the process.
    table: u32,
    lists: Mutex<Lists>,
    held: Mutex<Held>,
    /// So many values are kept whole.
    whole: u32,
    /// How many were made whole.
    made_whole: AtomicUsize,
}

impl Default for Interner {
    fn default() -> Interner {
        static TABLES: AtomicU32 = AtomicU32::new(1);
        Interner {
            entries: Entries::default(),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            heaps: (0..SHARDS).map(|_| Heap::default()).collect(),
            shapes: boxcar::Vec::new(),
            count: AtomicU32::new(0),
            table: TABLES.fetch_add(1, Ordering::Relaxed),
            lists: Mutex::default(),
            held: Mutex::default(),
            whole: WHOLE,
            made_whole: AtomicUsize::new(0),
        }
    }
}

impl fmt::Debug for Interner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interner({} values)", self.len())
    }
}

impl Interner {
    /// An empty table.
    pub fn new() -> Interner {
        Interner::default()
    }

    /// An empty table for so many bytes of memory: where there is little, fewer values are kept whole.
    pub fn within(bytes: usize) -> Interner {
        Interner::keeping_whole(u32::try_from(bytes / PAGE).map_or(WHOLE, |pages| pages.min(WHOLE)))
    }

    /// An empty table that keeps the first so many values whole, however large they are.
    pub fn keeping_whole(whole: u32) -> Interner {
        Interner { whole, ..Interner::default() }
    }

    /// How many values are stored; scalars are not.
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed) as usize
    }

    /// Nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that the values take, tables included.
    pub fn allocated_bytes(&self) -> usize {
        let lists = self.lists().arena.allocated_bytes();
        let shard = |s: &Mutex<Shard>| {
            let shard = s.lock().unwrap_or_else(PoisonError::into_inner);
            shard.arena.allocated_bytes() + shard.ids.allocation_size()
        };
        let held = self.held().allocated_bytes();
        let heaps = self.heaps.iter().map(Heap::bytes).sum::<usize>();
        lists + held + heaps + self.entries.bytes() + self.shards.iter().map(shard).sum::<usize>()
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lists(&self) -> MutexGuard<'_, Lists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The id of a value.
    ///
    /// # Errors
    /// TLC's for a value that cannot be in a state; the limit of so many different values.
    #[inline]
    pub fn intern<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, value: Value<'a>) -> Result<ValueId> {
        match self.known(value) {
            Some(id) => Ok(id),
            None => Ok(self.node(h, value)?.0),
        }
    }

    /// The id of a value that is in no state that is kept: where it has no canonical form, one for all that look like it.
    ///
    /// # Errors
    /// The limit of so many values.
    #[cold]
    pub fn hold<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, value: Value<'a>) -> Result<ValueId> {
        if let Ok(id) = self.intern(h, value) {
            return Ok(id);
        }
        self.held().id(value).map(ValueId).ok_or_else(too_many)
    }

    /// There is no value without canonical form.
    pub fn holds_none(&self) -> bool {
        self.held().is_empty()
    }

    /// The id is that of a value without canonical form.
    pub fn is_held(id: ValueId) -> bool {
        id.0 & (SCALAR | HELD) == HELD
    }

    /// Whether a value is the one of this id.
    ///
    /// # Errors
    /// As for [`Interner::intern`].
    pub fn is<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, value: Value<'a>, id: ValueId) -> Result<bool> {
        let own = if Interner::is_held(id) { self.hold(h, value) } else { self.intern(h, value) };
        Ok(own? == id)
    }

    /// Which table it is.
    pub fn table(&self) -> Table {
        Table(self.table)
    }

    /// The id of a value that is one itself, or that came out of this table.
    #[inline]
    pub fn known(&self, value: Value<'_>) -> Option<ValueId> {
        self.table().known(value)
    }

    /// Stores a value unless it is there; gives its id, and itself as it is stored, or as a marked copy of that.
    fn node<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, value: Value<'a>) -> Result<(ValueId, Value<'a>)> {
        if let Some(id) = self.known(value) {
            return Ok((id, value));
        }
        // Bounds the recursion: a value that is nested too deep has no hash.
        let hash = hash::hash(h, value).map_err(|error| first_inside(h, value, error))?;
        let value = match value {
            Value::Closure(_) | Value::Mixed(_) | Value::Lazy(_) => canonical_row(h, &[value])?[0],
            value => value,
        };
        if let Some(id) = self.known(value) {
            return Ok((id, value));
        }
        let value = self.of_stored(h, value)?;
        let (id, stored) = match self.find(hash, value) {
            Some(found) => found,
            None => self.add(h, hash, value)?,
        };
        Ok((id, self.marked(h.arena(), value, hash, id, stored)))
    }

    /// The value with each part as it is stored.
    fn of_stored<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, value: Value<'a>) -> Result<Value<'a>> {
        Ok(match value {
            Value::Tuple(t) => {
                let elements = self.children(h, t.elements)?;
                Value::Tuple(h.arena().alloc(Tuple { hash: Cached::new(), elements }))
            }
            Value::Record(r) => {
                let values = self.children(h, r.values)?;
                Value::Record(h.arena().alloc(Record { hash: Cached::new(), fields: r.fields, values }))
            }
            Value::Function(f) => {
                let (domain, values) = (self.children(h, f.domain)?, self.children(h, f.values)?);
                Value::Function(h.arena().alloc(Function { hash: Cached::new(), domain, values }))
            }
            Value::Set(s) => {
                let elements = self.children(h, s.elements)?;
                Value::Set(h.arena().alloc(Set { hash: Cached::new(), elements }))
            }
            leaf => leaf,
        })
    }

    /// What is handed out for a value that is stored: that itself, or the value, which then bears its id.
    fn marked<'a>(&self, arena: &'a Bump, value: Value<'a>, hash: u64, id: ValueId, stored: Stored<'_>) -> Value<'a> {
        match stored {
            Stored::Whole(stored) => stored,
            Stored::Packed(packed) => {
                let known = Cached::copied(hash, self.table, id.0);
                match packed::parts(value) {
                    Some(parts) => packed.of(arena, known, parts),
                    None => {
                        // An interval.
                        let parts = packed.parts().map(|id| self.leaf(id));
                        packed.of(arena, known, arena.alloc_slice_fill_iter(parts))
                    }
                }
            }
        }
    }

    /// Parts of a value, each as it is stored.
    fn children<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, parts: &'a [Value<'a>]) -> Result<&'a [Value<'a>]> {
        let stays = |part: &Value<'a>| match part.cached() {
            Some(cached) => cached.id(self.table).is_some(),
            None => matches!(part, Value::Bool(_) | Value::Int(_) | Value::String(_) | Value::Model(_)),
        };
        let Some(first) = parts.iter().position(|part| !stays(part)) else { return Ok(parts) };
        let mut all = ArenaVec::with_capacity_in(parts.len(), h.arena());
        all.extend_from_slice(&parts[..first]);
        for part in &parts[first..] {
            all.push(if stays(part) { *part } else { self.node(h, *part)?.1 });
        }
        Ok(all.into_bump_slice())
    }

    /// Stores a value whose parts are stored, and that was not found.
    fn add<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, hash: u64, value: Value<'a>) -> Result<(ValueId, Stored<'_>)> {
        let ids = match self.packs(value) {
            true => self.ids(h, packed::parts(value).unwrap_or(&[]))?,
            false => &[],
        };
        // What values share is looked up before the lock of the value's own shard is taken.
        let shape = match value {
            Value::Tuple(_) => Some((Shape::Tuple, 0)),
            Value::Set(_) => Some((Shape::Set, 0)),
            Value::Record(r) => Some(self.shared_fields(r.fields)),
            Value::Function(f) => {
                let domain = Value::Set(h.arena().alloc(Set { hash: Cached::new(), elements: f.domain }));
                Some(self.shared_domain(hash::hash(h, domain)?, f.domain))
            }
            _ => None,
        };
        let packed = match shape {
            Some((shape, number)) if !ids.is_empty() => Some(self.bytes(shape, number, ids)),
            _ => None,
        };
        self.insert(hash, value, shape, packed.as_deref())
    }

    /// What a value of these parts is written as: its difference to a value that was looked at lately, if that is short.
    fn bytes(&self, shape: Shape, number: u32, ids: &[u32]) -> Vec<u8> {
        let whole = packed::bytes(shape, number, ids);
        let difference = |other: u32| match self.stored(other) {
            Some(Stored::Packed(packed)) => packed.difference(other, shape, ids),
            _ => None,
        };
        let short = if whole.len() < SHORT { None } else { recent::looked_at(self.table).find_map(difference) };
        short.filter(|short| short.len() < whole.len()).unwrap_or(whole)
    }

    /// A value whose parts are stored is to be kept as a list of ids.
    fn packs(&self, value: Value<'_>) -> bool {
        let copies = |parts: &[Value<'_>]| parts.iter().any(|part| part.cached().is_some_and(Cached::is_copy));
        let Some(parts) = packed::parts(value) else { return false };
        let domain = matches!(value, Value::Function(f) if copies(f.domain));
        let large = self.count.load(Ordering::Relaxed) >= self.whole && !parts.is_empty();
        large || domain || copies(parts)
    }

    /// The ids of values that are stored.
    fn ids<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, parts: &'a [Value<'a>]) -> Result<&'a [u32]> {
        let mut ids = ArenaVec::with_capacity_in(parts.len(), h.arena());
        for part in parts {
            ids.push(self.intern(h, *part)?.0);
        }
        Ok(ids.into_bump_slice())
    }

    fn shard(&self, hash: u64) -> MutexGuard<'_, Shard> {
        self.shards[shard_of(hash)].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A value whose parts are stored, if it is stored itself.
    fn find(&self, hash: u64, value: Value<'_>) -> Option<(ValueId, Stored<'_>)> {
        let recent = recent::number(self.table, hash).and_then(|id| Some((ValueId(id), self.stored(id)?)));
        if let Some((id, stored)) = recent
            && self.is_same(stored, value)
        {
            return Some((id, stored));
        }
        let found = self.find_in(&self.shard(hash), hash, value)?;
        recent::note(self.table, hash, found.0.0);
        Some(found)
    }

    #[inline]
    fn find_in(&self, shard: &Shard, hash: u64, value: Value<'_>) -> Option<(ValueId, Stored<'_>)> {
        let (tag, mut found) = (hash as u32, None);
        shard.ids.find(spread(tag), |(other, id)| {
            *other == tag
                && self.stored(*id).is_some_and(|stored| {
                    let same = self.is_same(stored, value);
                    if same {
                        found = Some((ValueId(*id), stored));
                    }
                    same
                })
        });
        found
    }

    /// Whether a stored value is this one, whose parts are stored.
    #[inline]
    fn is_same(&self, stored: Stored<'_>, value: Value<'_>) -> bool {
        match stored {
            Stored::Whole(stored) => same_node(stored, value),
            Stored::Packed(packed) => packed.is(value, |id, part| match self.known(part) {
                Some(known) => known.0 == id,
                // Intervals, say, do not bear their ids.
                None => matches!(self.stored(id), Some(Stored::Whole(stored)) if same_row(&[stored], &[part])),
            }),
        }
    }

    /// Stores a value whose parts are stored; as these bytes, if they are given. `shape` is what it shares with others.
    fn insert(
        &self,
        hash: u64,
        value: Value<'_>,
        shape: Option<Numbered>,
        bytes: Option<&[u8]>,
    ) -> Result<(ValueId, Stored<'_>)> {
        let mut shard = self.shard(hash);
        // Another worker may have stored it meanwhile.
        if let Some(found) = self.find_in(&shard, hash, value) {
            return Ok(found);
        }
        let id = self.count.fetch_add(1, Ordering::Relaxed);
        if id >= HELD {
            return Err(too_many());
        }
        let Shard { arena, end, .. } = &mut *shard;
        match (shape, packed::parts(value), bytes) {
            (_, _, Some(bytes)) => {
                let number = shard_of(hash);
                let place = self.heaps[number].push(end, bytes).ok_or_else(too_many)?;
                self.entries.set_place(id, place | (number as u64) << PLACE_BITS);
            }
            (Some((shape, _)), Some(parts), None) => {
                let own = arena.alloc_slice_fill_iter(parts.iter().map(|v| to_static(*v)));
                let known = Cached::interned(hash, self.table, id);
                let whole = to_static(packed::value_of(arena, shape, known, own));
                self.entries.set_whole(id, static_ref(arena.alloc(whole)));
            }
            _ => {
                let whole = to_static(copy_into(arena, value));
                self.entries.set_whole(id, static_ref(arena.alloc(whole)));
            }
        }
        shard.ids.insert_unique(spread(hash as u32), (hash as u32, id), |(tag, _)| spread(*tag));
        recent::note(self.table, hash, id);
        let stored = self.stored(id).ok_or_else(too_many)?;
        Ok((ValueId(id), stored))
    }

    /// The value of an id of this table, in the arena if it is not kept whole; FALSE for a foreign one.
    #[inline]
    pub fn get<'a>(&'a self, arena: &'a Bump, id: ValueId) -> Value<'a> {
        self.part(arena, id.0)
    }

    /// As [`Interner::get`].
    #[inline]
    pub(crate) fn part<'a>(&'a self, arena: &'a Bump, id: u32) -> Value<'a> {
        match scalar_of(id) {
            Some(scalar) => scalar,
            None => match self.entries.get(id) {
                Some(Entry::Whole(value)) => value,
                Some(Entry::InHeap(place)) => self.unpacked(arena, id, place),
                None => self.held().get(id).unwrap_or(Value::Bool(false)),
            },
        }
    }

    /// The value of this number, which stands at this place.
    fn unpacked<'a>(&'a self, arena: &'a Bump, id: u32, place: u64) -> Value<'a> {
        let Some(packed) = self.packed(place) else { return Value::Bool(false) };
        if recent::is_sample(SAMPLE) && packed.len() <= MANY {
            self.make_whole(id, place);
        }
        if packed.len() > FEW {
            recent::look_at(self.table, id);
        }
        packed.unpack(self, arena, Cached::copied(0, self.table, id))
    }

    /// The value of an id is a set.
    pub fn is_set(&self, id: ValueId) -> bool {
        match self.stored(id.0) {
            Some(Stored::Whole(value)) => crate::sets::is_set(value),
            Some(Stored::Packed(packed)) => packed.is_set(),
            None => false,
        }
    }

    /// The value of an id, if it is always kept whole.
    fn leaf(&self, id: u32) -> Value<'static> {
        match (scalar_of(id), self.stored(id)) {
            (Some(value), _) | (None, Some(Stored::Whole(value))) => value,
            _ => Value::Bool(false),
        }
    }

    #[inline]
    fn stored(&self, id: u32) -> Option<Stored<'_>> {
        Some(match self.entries.get(id)? {
            Entry::Whole(value) => Stored::Whole(value),
            Entry::InHeap(place) => Stored::Packed(self.packed(place)?),
        })
    }

    /// What stands at a place.
    #[inline]
    fn packed(&self, place: u64) -> Option<Packed<'_>> {
        let at = |id: u32| self.bytes_at(self.entries.place(id)?);
        Packed::read(self.bytes_at(place)?, at, |number| self.shapes.get(number as usize).copied())
    }

    #[inline]
    fn bytes_at(&self, place: u64) -> Option<Reader<'_>> {
        Some(self.heaps.get((place >> PLACE_BITS) as usize)?.at(place & ((1 << PLACE_BITS) - 1)))
    }
}

/// The number of the shard of a hash.
#[inline]
fn shard_of(hash: u64) -> usize {
    (hash >> 58) as usize % SHARDS
}

#[cold]
fn too_many() -> Box<EvalError> {
    EvalError::of_kind(EvalErrorKind::Limit, 1000, "more than 1879048192 different values occur in states")
}

/// The hash that a table wants of a part of the whole hash.
#[inline]
fn spread(tag: u32) -> u64 {
    u64::from(tag).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Whether a stored value is this one, whose parts are stored.
#[inline]
fn same_node(stored: Value<'_>, value: Value<'_>) -> bool {
    match (stored, value) {
        (Value::Tuple(a), Value::Tuple(b)) => same_parts(a.elements, b.elements),
        (Value::Record(a), Value::Record(b)) => same_parts(a.values, b.values) && a.fields == b.fields,
        (Value::Function(a), Value::Function(b)) => same_parts(a.values, b.values) && same_parts(a.domain, b.domain),
        (Value::Set(a), Value::Set(b)) => same_parts(a.elements, b.elements),
        (Value::Interval(a), Value::Set(b)) | (Value::Set(b), Value::Interval(a)) => is_interval(a, b.elements),
        (Value::Tuple(_) | Value::Record(_) | Value::Function(_) | Value::Set(_), _) => false,
        _ => same_row(&[stored], &[value]),
    }
}

/// The same parts, which are stored, or copies of what is stored.
pub(crate) fn same_parts(a: &[Value<'_>], b: &[Value<'_>]) -> bool {
    let same = |(a, b): (&Value<'_>, &Value<'_>)| {
        same_word(*a, *b) || matches!((a.cached(), b.cached()), (Some(a), Some(b)) if a.same(b))
    };
    std::ptr::eq(a, b) || a.len() == b.len() && a.iter().zip(b).all(same)
}

/// The same scalar, or the same reference. For stored values, and values whose parts are stored, that is equality.
#[inline]
pub fn same_word(a: Value<'_>, b: Value<'_>) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Model(a), Value::Model(b)) => a == b,
        (Value::Tuple(a), Value::Tuple(b)) => std::ptr::eq(a, b),
        (Value::Record(a), Value::Record(b)) => std::ptr::eq(a, b),
        (Value::Function(a), Value::Function(b)) => std::ptr::eq(a, b),
        (Value::Set(a), Value::Set(b)) => std::ptr::eq(a, b),
        (Value::Interval(a), Value::Interval(b)) => std::ptr::eq(a, b),
        (Value::Lazy(a), Value::Lazy(b)) => std::ptr::eq(a, b),
        (Value::Mixed(a), Value::Mixed(b)) => std::ptr::eq(a, b),
        (Value::Closure(a), Value::Closure(b)) => std::ptr::eq(a, b),
        _ => false,
    }
}
