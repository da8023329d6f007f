//! The states found so far: rows of ids, each kept in full and once, with the state and action that led to it first.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;

/// Tables, each with a lock of its own.
const SHARDS: usize = 64;
const SHARD_BITS: u32 = SHARDS.trailing_zeros();

/// The number of a stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(u64);

/// How a state was first reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The state before it; `None` for an initial state.
    pub from: Option<StateId>,
    /// The action's number, as the state space counts them.
    pub action: u32,
}

#[derive(Debug, Default)]
struct Shard {
    index: HashTable<u32>,
    rows: Vec<u32>,
    origins: Vec<Origin>,
}

/// A set of states of one width, shared by workers.
#[derive(Debug)]
pub struct Store {
    width: usize,
    shards: Vec<Mutex<Shard>>,
    hasher: ahash::RandomState,
}

impl Store {
    /// An empty store for rows of `width` ids.
    pub fn new(width: usize) -> Store {
        Store {
            width,
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            // Only the placement in tables depends on it, never a result.
            hasher: ahash::RandomState::with_seeds(1, 2, 3, 4),
        }
    }

    fn lock(&self, shard: usize) -> MutexGuard<'_, Shard> {
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a state; `None` if it was there already.
    pub fn insert(&self, row: &[u32], origin: Origin) -> Option<StateId> {
        let (width, hash) = (self.width, self.hasher.hash_one(row));
        let number = (hash >> (64 - SHARD_BITS)) as usize;
        let mut shard = self.lock(number);
        let Shard { index, rows, origins } = &mut *shard;
        let at = |i: u32| i as usize * width..(i as usize + 1) * width;
        if index.find(hash, |i| rows[at(*i)] == *row).is_some() {
            return None;
        }
        let local = origins.len() as u32;
        rows.extend_from_slice(row);
        origins.push(origin);
        index.insert_unique(hash, local, |i| self.hasher.hash_one(&rows[at(*i)]));
        Some(StateId(u64::from(local) << SHARD_BITS | number as u64))
    }

    /// Copies a state's row into `row`.
    pub fn read(&self, id: StateId, row: &mut Vec<u32>) {
        let (shard, local) = split(id);
        let shard = self.lock(shard);
        row.clear();
        row.extend_from_slice(shard.rows.get(local * self.width..(local + 1) * self.width).unwrap_or(&[]));
    }

    /// How a state was first reached.
    pub fn origin(&self, id: StateId) -> Origin {
        let (shard, local) = split(id);
        let shard = self.lock(shard);
        shard.origins.get(local).copied().unwrap_or(Origin { from: None, action: 0 })
    }

    /// How many states are stored.
    pub fn len(&self) -> usize {
        (0..SHARDS).map(|s| self.lock(s).origins.len()).sum()
    }

    /// Nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that the states take, tables included.
    pub fn bytes(&self) -> usize {
        let shard = |s: usize| {
            let shard = self.lock(s);
            shard.rows.capacity() * 4 + shard.origins.capacity() * size_of::<Origin>() + shard.index.capacity() * 5
        };
        (0..SHARDS).map(shard).sum()
    }
}

fn split(id: StateId) -> (usize, usize) {
    ((id.0 & (SHARDS as u64 - 1)) as usize, (id.0 >> SHARD_BITS) as usize)
}
