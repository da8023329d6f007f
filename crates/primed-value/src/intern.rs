//! Interned values: equal values have equal ids, in every worker.
//!
//! A state that is kept is a row of ids. Small scalars are ids themselves; other values are stored once, in canonical form, in
//! arenas that live as long as the interner. What a stored value consists of is stored too, each part once: two stored values
//! are equal exactly if they are the same words, and a value that differs from a stored one in one place shares the rest with it.
//! Looking an id up takes no lock. When there are many values, large ones are kept as lists of ids ([`crate::packed`]).

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;
use hashbrown::{HashMap, HashTable};

use crate::entries::Entries;
use crate::error::{EvalError, EvalErrorKind};
use crate::freeze::{canonical_row, copy_into, first_inside, is_interval, packed_to_static, same_row, to_static};
use crate::hash;
use crate::held::Held;
use crate::host::{Host, Result};
pub use crate::ids::ValueId;
use crate::ids::{HELD, SCALAR, scalar, scalar_of};
use crate::packed::{self, Packed, Shape};
use crate::recent;
use crate::symbol::Symbol;
use crate::value::{Cached, Function, Record, Set, Tuple, Value};

/// Tables, each with a lock of its own.
const SHARDS: usize = 64;
/// So many values are kept whole, however large they are.
const WHOLE: u32 = 1 << 16;
/// Of those with so many parts a fraction as large is: they take most of the memory, and building one anew costs less for each part
/// than what is done with it.
const MANY: usize = 12;
const MANY_FRACTION: u32 = 8;
/// Of a memory that has a limit one value is kept whole for so many bytes.
const PAGE: usize = 1 << 12;

/// Workers that take two locks at once do not wait for one line of memory.
#[derive(Default)]
#[repr(align(128))]
struct Shard {
    /// Part of the hash, so that most values need not be looked at, and the id.
    ids: HashTable<(u32, u32)>,
    arena: Bump,
}

/// Lists of field names and domains, each once.
#[derive(Default)]
struct Lists {
    domains: HashTable<(u64, &'static Set<'static>)>,
    records: HashMap<&'static [Symbol], &'static Record<'static>, ahash::RandomState>,
    /// Values that are kept as lists of ids, and occur in domains.
    whole: HashMap<u32, Value<'static>, ahash::RandomState>,
    arena: Bump,
}

/// How a value is kept.
#[derive(Clone, Copy, Debug)]
enum Stored {
    Whole(Value<'static>),
    Packed(&'static Packed<'static>),
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
    entries: Entries<Stored>,
    shards: Vec<Mutex<Shard>>,
    count: AtomicU32,
    /// The number of this table among all of the process.
    table: u32,
    lists: Mutex<Lists>,
    held: Mutex<Held>,
    /// So many values are kept whole.
    whole: u32,
}

impl Default for Interner {
    fn default() -> Interner {
        static TABLES: AtomicU32 = AtomicU32::new(1);
        Interner {
            entries: Entries::default(),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            count: AtomicU32::new(0),
            table: TABLES.fetch_add(1, Ordering::Relaxed),
            lists: Mutex::default(),
            held: Mutex::default(),
            whole: WHOLE,
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
        lists + held + self.entries.bytes() + self.shards.iter().map(shard).sum::<usize>()
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
        Ok((id, self.marked(h.arena(), value, id, stored)))
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
    fn marked<'a>(&self, arena: &'a Bump, value: Value<'a>, id: ValueId, stored: Stored) -> Value<'a> {
        match stored {
            Stored::Whole(stored) => stored,
            Stored::Packed(packed) => {
                let known = Cached::copied(packed.hash(), self.table, id.0);
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
    fn add<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, hash: u64, value: Value<'a>) -> Result<(ValueId, Stored)> {
        let ids = match self.packs(value) {
            true => self.ids(h, packed::parts(value).unwrap_or(&[]))?,
            false => &[],
        };
        // What values share is looked up before the lock of the value's own shard is taken.
        let shape = match value {
            Value::Tuple(_) => Some(Shape::Tuple),
            Value::Set(_) => Some(Shape::Set),
            Value::Record(r) => Some(Shape::Record(self.shared_fields(r.fields))),
            Value::Function(f) => {
                let domain = Value::Set(h.arena().alloc(Set { hash: Cached::new(), elements: f.domain }));
                Some(Shape::Function(self.shared_domain(hash::hash(h, domain)?, f.domain)))
            }
            _ => None,
        };
        self.insert(hash, value, shape, ids)
    }

    /// A value whose parts are stored is to be kept as a list of ids.
    fn packs(&self, value: Value<'_>) -> bool {
        let copies = |parts: &[Value<'_>]| parts.iter().any(|part| part.cached().is_some_and(Cached::is_copy));
        let Some(parts) = packed::parts(value) else { return false };
        let domain = matches!(value, Value::Function(f) if copies(f.domain));
        let whole = match parts.len() {
            0..packed::LEAST => u32::MAX,
            packed::LEAST..MANY => self.whole,
            _ => self.whole / MANY_FRACTION,
        };
        let large = self.count.load(Ordering::Relaxed) >= whole;
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
        self.shards[(hash >> 58) as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A value whose parts are stored, if it is stored itself.
    fn find(&self, hash: u64, value: Value<'_>) -> Option<(ValueId, Stored)> {
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
    fn find_in(&self, shard: &Shard, hash: u64, value: Value<'_>) -> Option<(ValueId, Stored)> {
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
    fn is_same(&self, stored: Stored, value: Value<'_>) -> bool {
        match stored {
            Stored::Whole(stored) => same_node(stored, value),
            Stored::Packed(packed) => packed.is(value, |id, part| match self.known(part) {
                Some(known) => known.0 == id,
                // Intervals, say, do not bear their ids.
                None => matches!(self.stored(id), Some(Stored::Whole(stored)) if same_row(&[stored], &[part])),
            }),
        }
    }

    /// Stores a value whose parts are stored; by their ids, if these are given. `shape` is what it shares with others.
    fn insert(
        &self,
        hash: u64,
        value: Value<'_>,
        shape: Option<Shape<'static>>,
        ids: &[u32],
    ) -> Result<(ValueId, Stored)> {
        let mut shard = self.shard(hash);
        // Another worker may have stored it meanwhile.
        if let Some(found) = self.find_in(&shard, hash, value) {
            return Ok(found);
        }
        let id = self.count.fetch_add(1, Ordering::Relaxed);
        if id >= HELD {
            return Err(too_many());
        }
        let arena = &shard.arena;
        let stored = match (shape, packed::parts(value)) {
            (Some(shape), Some(parts)) if ids.is_empty() => {
                let own = arena.alloc_slice_fill_iter(parts.iter().map(|v| to_static(*v)));
                let known = Cached::interned(hash, self.table, id);
                Stored::Whole(to_static(packed::value_of(arena, shape, known, own)))
            }
            (Some(shape), _) => Stored::Packed(packed_to_static(Packed::new(arena, hash, shape, ids))),
            (None, _) => Stored::Whole(to_static(copy_into(arena, value))),
        };
        self.entries.set(id, stored);
        shard.ids.insert_unique(spread(hash as u32), (hash as u32, id), |(tag, _)| spread(*tag));
        recent::note(self.table, hash, id);
        Ok((ValueId(id), stored))
    }

    /// A domain, whose elements are stored, that all functions over it share.
    fn shared_domain(&self, hash: u64, elements: &[Value<'_>]) -> &'static Set<'static> {
        let mut lists = self.lists();
        let known = lists.domains.find(hash, |(other, domain)| *other == hash && same_parts(domain.elements, elements));
        if let Some((_, domain)) = known {
            return domain;
        }
        let whole: Vec<Value<'static>> = elements.iter().map(|element| self.whole(&mut lists, *element)).collect();
        let Lists { domains, arena, .. } = &mut *lists;
        let set = arena.alloc(Set { hash: Cached::new(), elements: arena.alloc_slice_copy(&whole) });
        let Value::Set(domain) = to_static(Value::Set(set)) else { return &NOTHING };
        domains.insert_unique(hash, (hash, domain), |(hash, _)| *hash);
        domain
    }

    /// A value that is stored, whole.
    fn whole(&self, lists: &mut Lists, value: Value<'_>) -> Value<'static> {
        let id = value.cached().filter(|cached| cached.is_copy()).and_then(|cached| cached.id(self.table));
        match id {
            Some(id) => self.whole_of(lists, id),
            // It lives as long as the table.
            None => to_static(value),
        }
    }

    fn whole_of(&self, lists: &mut Lists, id: u32) -> Value<'static> {
        if let Some(value) = lists.whole.get(&id) {
            return *value;
        }
        let packed = match self.stored(id) {
            Some(Stored::Packed(packed)) => packed,
            Some(Stored::Whole(value)) => return value,
            None => return self.leaf(id),
        };
        let parts: Vec<Value<'static>> = packed.parts().map(|part| self.whole_of(lists, part)).collect();
        let known = Cached::interned(packed.hash(), self.table, id);
        let value = to_static(packed.of(&lists.arena, known, lists.arena.alloc_slice_copy(&parts)));
        lists.whole.insert(id, value);
        value
    }

    /// A record with these fields that all such records share them with.
    fn shared_fields(&self, fields: &[Symbol]) -> &'static Record<'static> {
        let mut lists = self.lists();
        let Lists { records, arena, .. } = &mut *lists;
        if let Some(record) = records.get(fields) {
            return record;
        }
        let fields: &[Symbol] = arena.alloc_slice_copy(fields);
        let record = Value::Record(arena.alloc(Record { hash: Cached::new(), fields, values: &[] }));
        let Value::Record(record) = to_static(record) else { return &NO_FIELDS };
        records.insert(record.fields, record);
        record
    }

    /// The value of an id of this table, in the arena if it is not kept whole; FALSE for a foreign one.
    #[inline]
    pub fn get<'a>(&'a self, arena: &'a Bump, id: ValueId) -> Value<'a> {
        match scalar_of(id.0) {
            Some(scalar) => scalar,
            None => match self.stored(id.0) {
                Some(Stored::Whole(value)) => value,
                Some(Stored::Packed(packed)) => {
                    packed.unpack(self, arena, Cached::copied(packed.hash(), self.table, id.0))
                }
                None => self.held().get(id.0).unwrap_or(Value::Bool(false)),
            },
        }
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
    fn stored(&self, id: u32) -> Option<Stored> {
        self.entries.get(id)
    }
}

#[cold]
fn too_many() -> Box<EvalError> {
    EvalError::of_kind(EvalErrorKind::Limit, 1000, "more than 1879048192 different values occur in states")
}

static NOTHING: Set<'static> = Set { hash: Cached::new(), elements: &[] };
static NO_FIELDS: Record<'static> = Record { hash: Cached::new(), fields: &[], values: &[] };

/// The hash that a table wants of a part of the whole hash.
#[inline]
fn spread(tag: u32) -> u64 {
    u64::from(tag).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Whether a stored value is this one, whose parts are stored.
#[inline]
fn same_node(stored: Value<'_>, value: Value<'_>) -> bool {
    match (stored, value) {
        (Value::Tuple(a), Value::Tuple(b)) => same_words(a.elements, b.elements),
        (Value::Record(a), Value::Record(b)) => same_words(a.values, b.values) && a.fields == b.fields,
        (Value::Function(a), Value::Function(b)) => same_words(a.values, b.values) && same_parts(a.domain, b.domain),
        (Value::Set(a), Value::Set(b)) => same_words(a.elements, b.elements),
        (Value::Interval(a), Value::Set(b)) | (Value::Set(b), Value::Interval(a)) => is_interval(a, b.elements),
        (Value::Tuple(_) | Value::Record(_) | Value::Function(_) | Value::Set(_), _) => false,
        _ => same_row(&[stored], &[value]),
    }
}

/// As [`same_words`], where copies of stored values count as these.
pub(crate) fn same_parts(a: &[Value<'_>], b: &[Value<'_>]) -> bool {
    let same = |(a, b): (&Value<'_>, &Value<'_>)| {
        same_word(*a, *b) || matches!((a.cached(), b.cached()), (Some(a), Some(b)) if a.same(b))
    };
    std::ptr::eq(a, b) || a.len() == b.len() && a.iter().zip(b).all(same)
}

fn same_words(a: &[Value<'_>], b: &[Value<'_>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_word(*a, *b))
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
