//! Interned values: equal values have equal ids, in every worker.
//!
//! A state that is kept is a row of ids. Small scalars are ids themselves; other values are stored once, in canonical form, in
//! arenas that live as long as the interner. What a stored value consists of is stored too, each part once: two stored values
//! are equal exactly if they are the same words, and a value that differs from a stored one in one place shares the rest with it.
//! Looking an id up takes no lock.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;
use hashbrown::{HashSet, HashTable};

use crate::error::{EvalError, EvalErrorKind};
use crate::freeze::{canonical_row, copy_into, is_interval, same_row, to_static};
use crate::hash;
use crate::host::{Host, Result};
use crate::recent;
use crate::symbol::Symbol;
use crate::value::{Cached, Function, ModelValue, Record, Set, Tuple, Value};

/// The id of an interned value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// Ids with this bit are scalars; the two bits below say of which kind, the others hold it.
const SCALAR: u32 = 1 << 31;
const KIND_SHIFT: u32 = 29;
const PAYLOAD: u32 = (1 << KIND_SHIFT) - 1;
const BOOL: u32 = 0;
const INT: u32 = 1;
const STRING: u32 = 2;
const MODEL: u32 = 3;
/// The bits of a model value that hold its name; those above hold its type.
const NAME_BITS: u32 = 22;
/// Integers from `-OFFSET` to `OFFSET - 1` are scalars.
const OFFSET: i64 = 1 << (KIND_SHIFT - 1);

/// Tables, each with a lock of its own.
const SHARDS: usize = 64;
/// Entries of the first chunk; each chunk has twice as many as the one before.
const FIRST_CHUNK: u32 = 1 << 10;
const CHUNKS: usize = 22;

/// Workers that take two locks at once do not wait for one line of memory.
#[derive(Default)]
#[repr(align(128))]
struct Shard {
    ids: HashTable<(u64, u32)>,
    arena: Bump,
}

/// Lists of field names and domains, each once.
#[derive(Default)]
struct Lists {
    domains: HashTable<(u64, &'static [Value<'static>])>,
    known: HashSet<&'static [Symbol], ahash::RandomState>,
    arena: Bump,
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

/// A chunk of the look-up table.
type Chunk = OnceLock<Box<[OnceLock<Value<'static>>]>>;

/// A table of values shared by all workers.
pub struct Interner {
    // INVARIANT: every value in `chunks` lives in the arena of some shard, which is neither reset nor dropped before `self`; so do
    // the lists of field names in that of `fields`. Only what lives there bears the number of this table.
    chunks: [Chunk; CHUNKS],
    shards: Vec<Mutex<Shard>>,
    count: AtomicU32,
    /// The number of this table among all of the process.
    table: u32,
    /// The lists of field names of the records that are stored.
    fields: Mutex<Lists>,
}

impl Default for Interner {
    fn default() -> Interner {
        static TABLES: AtomicU32 = AtomicU32::new(1);
        Interner {
            chunks: std::array::from_fn(|_| OnceLock::new()),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            count: AtomicU32::new(0),
            table: TABLES.fetch_add(1, Ordering::Relaxed),
            fields: Mutex::default(),
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

    /// How many values are stored; scalars are not.
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed) as usize
    }

    /// Nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the arenas.
    pub fn allocated_bytes(&self) -> usize {
        let lists = self.fields.lock().unwrap_or_else(PoisonError::into_inner).arena.allocated_bytes();
        let shard = |s: &Mutex<Shard>| s.lock().unwrap_or_else(PoisonError::into_inner).arena.allocated_bytes();
        lists + self.shards.iter().map(shard).sum::<usize>()
    }

    /// The id of a value.
    ///
    /// # Errors
    /// TLC's for a value that cannot be in a state; the limit of 2^31 different values.
    #[inline]
    pub fn intern<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, value: Value<'a>) -> Result<ValueId> {
        match self.known(value) {
            Some(id) => Ok(id),
            None => Ok(self.node(h, value)?.0),
        }
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

    /// Stores a value unless it is there; gives its id, and itself as it is stored.
    fn node<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, value: Value<'a>) -> Result<(ValueId, Value<'static>)> {
        // Bounds the recursion: a value that is nested too deep has no hash.
        let hash = hash::hash(h, value)?;
        let value = match value {
            Value::Closure(_) | Value::Mixed(_) | Value::Lazy(_) => canonical_row(h, &[value])?[0],
            value => value,
        };
        if let Some(id) = self.known(value) {
            return Ok((id, self.stored(id.0).unwrap_or(Value::Bool(false))));
        }
        let value = match value {
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
        };
        // Functions over one domain share it; this looks it up before the lock of the function's own shard is taken.
        if let Some((id, stored)) = self.find(hash, value) {
            return Ok((id, stored));
        }
        let domain = match value {
            Value::Function(f) => {
                let domain = Value::Set(h.arena().alloc(Set { hash: Cached::new(), elements: f.domain }));
                Some(self.shared_domain(hash::hash(h, domain)?, f.domain))
            }
            _ => None,
        };
        self.insert(hash, value, domain)
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

    fn shard(&self, hash: u64) -> std::sync::MutexGuard<'_, Shard> {
        self.shards[(hash >> 58) as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A value whose parts are stored, if it is stored itself.
    fn find(&self, hash: u64, value: Value<'_>) -> Option<(ValueId, Value<'static>)> {
        let recent = recent::number(self.table, hash).and_then(|id| Some((ValueId(id), self.stored(id)?)));
        if let Some((id, stored)) = recent
            && same_node(stored, value)
        {
            return Some((id, stored));
        }
        let found = self.find_in(&self.shard(hash), hash, value)?;
        recent::note(self.table, hash, found.0.0);
        Some(found)
    }

    #[inline]
    fn find_in(&self, shard: &Shard, hash: u64, value: Value<'_>) -> Option<(ValueId, Value<'static>)> {
        let mut found = None;
        shard.ids.find(hash, |(other, id)| {
            *other == hash
                && self.stored(*id).is_some_and(|stored| {
                    let same = same_node(stored, value);
                    if same {
                        found = Some((ValueId(*id), stored));
                    }
                    same
                })
        });
        found
    }

    /// Stores a value whose parts are stored. `domain`, of a function, is its domain as it is stored.
    fn insert(
        &self,
        hash: u64,
        value: Value<'_>,
        domain: Option<&'static [Value<'static>]>,
    ) -> Result<(ValueId, Value<'static>)> {
        let fields = match value {
            Value::Record(r) => self.shared_fields(r.fields),
            _ => &[],
        };
        let mut shard = self.shard(hash);
        // Another worker may have stored it meanwhile.
        if let Some(found) = self.find_in(&shard, hash, value) {
            return Ok(found);
        }
        let id = self.count.fetch_add(1, Ordering::Relaxed);
        if id >= SCALAR - 1 {
            let message = "more than 2147483646 different values occur in states";
            return Err(EvalError::of_kind(EvalErrorKind::Limit, 1000, message));
        }
        let arena = &shard.arena;
        let own = |values: &[Value<'_>]| arena.alloc_slice_fill_iter(values.iter().map(|v| to_static(*v)));
        let known = || Cached::interned(hash, self.table, id);
        let copy = match value {
            Value::Tuple(t) => Value::Tuple(arena.alloc(Tuple { hash: known(), elements: own(t.elements) })),
            Value::Record(r) => Value::Record(arena.alloc(Record { hash: known(), fields, values: own(r.values) })),
            Value::Function(f) => {
                let domain: &[Value<'_>] = match domain {
                    Some(domain) => domain,
                    None => own(f.domain),
                };
                Value::Function(arena.alloc(Function { hash: known(), domain, values: own(f.values) }))
            }
            Value::Set(s) => Value::Set(arena.alloc(Set { hash: known(), elements: own(s.elements) })),
            leaf => copy_into(arena, leaf),
        };
        let copy = to_static(copy);
        self.store(id, copy);
        shard.ids.insert_unique(hash, (hash, id), |(hash, _)| *hash);
        recent::note(self.table, hash, id);
        Ok((ValueId(id), copy))
    }

    /// A domain, whose elements are stored, that all functions over it share.
    fn shared_domain(&self, hash: u64, elements: &[Value<'_>]) -> &'static [Value<'static>] {
        let mut lists = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        let Lists { domains, arena, .. } = &mut *lists;
        let known = domains.find(hash, |(other, domain)| *other == hash && same_words(domain, elements));
        if let Some((_, domain)) = known {
            return domain;
        }
        let elements = arena.alloc_slice_fill_iter(elements.iter().map(|v| to_static(*v)));
        let set = Value::Set(arena.alloc(Set { hash: Cached::new(), elements }));
        let Value::Set(Set { elements: domain, .. }) = to_static(set) else { return &[] };
        domains.insert_unique(hash, (hash, domain), |(hash, _)| *hash);
        domain
    }

    /// A list of field names that all records with these fields share.
    fn shared_fields(&self, fields: &[Symbol]) -> &'static [Symbol] {
        let mut lists = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        let Lists { known, arena, .. } = &mut *lists;
        if let Some(list) = known.get(fields) {
            return list;
        }
        let fields: &[Symbol] = arena.alloc_slice_copy(fields);
        let record = Value::Record(arena.alloc(Record { hash: Cached::new(), fields, values: &[] }));
        let Value::Record(Record { fields: list, .. }) = to_static(record) else { return &[] };
        known.insert(list);
        list
    }

    /// The value of an id of this table; FALSE for a foreign one.
    #[inline]
    pub fn get(&self, id: ValueId) -> Value<'_> {
        if id.0 & SCALAR != 0 {
            let payload = id.0 & PAYLOAD;
            return match (id.0 & !SCALAR) >> KIND_SHIFT {
                BOOL => Value::Bool(payload != 0),
                INT => Value::Int(i64::from(payload) - OFFSET),
                STRING => Value::String(Symbol(payload)),
                _ => {
                    let name = Symbol(payload & ((1 << NAME_BITS) - 1));
                    Value::Model(ModelValue { name, kind: (payload >> NAME_BITS) as u8 })
                }
            };
        }
        self.stored(id.0).unwrap_or(Value::Bool(false))
    }

    #[inline]
    fn stored(&self, id: u32) -> Option<Value<'static>> {
        let (chunk, index) = place(id);
        self.chunks.get(chunk)?.get()?.get(index)?.get().copied()
    }

    fn store(&self, id: u32, value: Value<'static>) {
        let (chunk, index) = place(id);
        let Some(chunk_cell) = self.chunks.get(chunk) else { return };
        let size = (FIRST_CHUNK as usize) << chunk;
        let entries = chunk_cell.get_or_init(|| (0..size).map(|_| OnceLock::new()).collect());
        if let Some(entry) = entries.get(index) {
            // Nobody else has this id.
            let _ = entry.set(value);
        }
    }
}

/// Whether a stored value is this one, whose parts are stored.
#[inline]
fn same_node(stored: Value<'_>, value: Value<'_>) -> bool {
    match (stored, value) {
        (Value::Tuple(a), Value::Tuple(b)) => same_words(a.elements, b.elements),
        (Value::Record(a), Value::Record(b)) => same_words(a.values, b.values) && a.fields == b.fields,
        (Value::Function(a), Value::Function(b)) => {
            same_words(a.values, b.values) && (std::ptr::eq(a.domain, b.domain) || same_words(a.domain, b.domain))
        }
        (Value::Set(a), Value::Set(b)) => same_words(a.elements, b.elements),
        (Value::Interval(a), Value::Set(b)) | (Value::Set(b), Value::Interval(a)) => is_interval(a, b.elements),
        (Value::Tuple(_) | Value::Record(_) | Value::Function(_) | Value::Set(_), _) => false,
        _ => same_row(&[stored], &[value]),
    }
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

/// Where an id is kept: its chunk and the index there.
fn place(id: u32) -> (usize, usize) {
    let shifted = u64::from(id) + u64::from(FIRST_CHUNK);
    let chunk = 63 - shifted.leading_zeros() - FIRST_CHUNK.trailing_zeros();
    (chunk as usize, (shifted - (u64::from(FIRST_CHUNK) << chunk)) as usize)
}

/// The id of a small scalar.
#[inline]
fn scalar(value: Value<'_>) -> Option<ValueId> {
    let (kind, payload) = match value {
        Value::Bool(b) => (BOOL, u32::from(b)),
        Value::Int(n) if (-OFFSET..OFFSET).contains(&n) => (INT, (n + OFFSET) as u32),
        Value::String(Symbol(s)) if s <= PAYLOAD => (STRING, s),
        Value::Model(m) if m.name.0 >> NAME_BITS == 0 && m.kind >> (KIND_SHIFT - NAME_BITS) == 0 => {
            (MODEL, u32::from(m.kind) << NAME_BITS | m.name.0)
        }
        _ => return None,
    };
    Some(ValueId(SCALAR | kind << KIND_SHIFT | payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_places_of_their_own() {
        assert_eq!(place(0), (0, 0));
        assert_eq!(place(FIRST_CHUNK - 1), (0, FIRST_CHUNK as usize - 1));
        assert_eq!(place(FIRST_CHUNK), (1, 0));
        assert_eq!(place(3 * FIRST_CHUNK - 1), (1, 2 * FIRST_CHUNK as usize - 1));
        assert!(place(SCALAR - 2).0 < CHUNKS);
    }

    #[test]
    fn small_scalars_are_their_own_ids() {
        let interner = Interner::new();
        for n in [0, -1, 1, 1000, OFFSET - 1, -OFFSET] {
            let id = scalar(Value::Int(n)).unwrap();
            assert!(matches!(interner.get(id), Value::Int(m) if m == n));
        }
        assert!(scalar(Value::Int(OFFSET)).is_none());
        let id = scalar(Value::Bool(true)).unwrap();
        assert!(matches!(interner.get(id), Value::Bool(true)));
        let id = scalar(Value::String(Symbol(7))).unwrap();
        assert!(matches!(interner.get(id), Value::String(Symbol(7))));
    }
}
