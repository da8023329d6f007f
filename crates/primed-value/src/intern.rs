//! Interned values: equal values have equal ids, in every worker.
//!
//! A state that is kept is a row of ids. Small scalars are ids themselves; other values are stored once, in canonical form, in
//! arenas that live as long as the interner. Looking an id up takes no lock.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use bumpalo::Bump;
use hashbrown::HashTable;

use crate::error::{EvalError, EvalErrorKind};
use crate::freeze::{canonical_row, copy_into, same_row, to_static};
use crate::hash;
use crate::host::{Host, Result};
use crate::symbol::Symbol;
use crate::value::Value;

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
/// Integers from `-OFFSET` to `OFFSET - 1` are scalars.
const OFFSET: i64 = 1 << (KIND_SHIFT - 1);

/// Tables, each with a lock of its own.
const SHARDS: usize = 64;
/// Entries of the first chunk; each chunk has twice as many as the one before.
const FIRST_CHUNK: u32 = 1 << 10;
const CHUNKS: usize = 22;

#[derive(Default)]
struct Shard {
    ids: HashTable<(u64, u32)>,
    arena: Bump,
}

/// A chunk of the look-up table.
type Chunk = OnceLock<Box<[OnceLock<Value<'static>>]>>;

/// A table of values shared by all workers.
pub struct Interner {
    // INVARIANT: every value in `chunks` lives in the arena of some shard, which is neither reset nor dropped before `self`.
    chunks: [Chunk; CHUNKS],
    shards: Vec<Mutex<Shard>>,
    count: AtomicU32,
}

impl Default for Interner {
    fn default() -> Interner {
        Interner {
            chunks: std::array::from_fn(|_| OnceLock::new()),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            count: AtomicU32::new(0),
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
        self.shards.iter().map(|s| s.lock().unwrap_or_else(PoisonError::into_inner).arena.allocated_bytes()).sum()
    }

    /// The id of a value.
    ///
    /// # Errors
    /// TLC's for a value that cannot be in a state; the limit of 2^31 different values.
    pub fn intern<'a, H: Host<'a> + ?Sized>(&self, h: &mut H, value: Value<'a>) -> Result<ValueId> {
        if let Some(id) = scalar(value) {
            return Ok(id);
        }
        let canonical = canonical_row(h, &[value])?;
        let value = canonical[0];
        let hash = hash::hash(h, value)?;
        let shard = &self.shards[(hash >> 58) as usize % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let equal = |(other, id): &(u64, u32)| {
            *other == hash && self.stored(*id).is_some_and(|stored| same_row(&[stored], &[value]))
        };
        if let Some((_, id)) = shard.ids.find(hash, equal) {
            return Ok(ValueId(*id));
        }
        let id = self.count.fetch_add(1, Ordering::Relaxed);
        if id >= SCALAR - 1 {
            let message = "more than 2147483646 different values occur in states";
            return Err(EvalError::of_kind(EvalErrorKind::Limit, 1000, message));
        }
        let copy = to_static(copy_into(&shard.arena, value));
        self.store(id, copy);
        shard.ids.insert_unique(hash, (hash, id), |(hash, _)| *hash);
        Ok(ValueId(id))
    }

    /// The value of an id of this table; FALSE for a foreign one.
    #[inline]
    pub fn get(&self, id: ValueId) -> Value<'_> {
        if id.0 & SCALAR != 0 {
            let payload = id.0 & PAYLOAD;
            return match (id.0 & !SCALAR) >> KIND_SHIFT {
                BOOL => Value::Bool(payload != 0),
                INT => Value::Int(i64::from(payload) - OFFSET),
                _ => Value::String(Symbol(payload)),
            };
        }
        self.stored(id.0).unwrap_or(Value::Bool(false))
    }

    fn stored(&self, id: u32) -> Option<Value<'_>> {
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
