//! The states found so far: rows of ids, each kept in full and once, with the state and action that led to it first.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;

use crate::space::Visited;

/// Tables, each with a lock of its own.
const SHARDS: usize = 64;
const SHARD_BITS: u32 = SHARDS.trailing_zeros();

/// The number of a stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(u64);

impl StateId {
    /// Its number: small numbers come first, though some are missing.
    pub(crate) fn number(self) -> u32 {
        self.0 as u32
    }

    /// The state with a number.
    pub(crate) fn of(number: u32) -> StateId {
        StateId(number.into())
    }
}

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
    /// What `index` tells states apart by; empty if that is the row.
    keys: Vec<u32>,
    origins: Vec<Origin>,
}

/// A set of states of one width, shared by workers.
#[derive(Debug)]
pub struct Store {
    width: usize,
    key_width: usize,
    shards: Vec<Mutex<Shard>>,
    hasher: ahash::RandomState,
}

impl Store {
    /// An empty store for rows of `width` ids that are told apart by keys of `key_width` ids, or by themselves if that is 0.
    pub fn new(width: usize, key_width: usize) -> Store {
        Store {
            width,
            key_width,
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            // Only the placement in tables depends on it, never a result.
            hasher: ahash::RandomState::with_seeds(1, 2, 3, 4),
        }
    }

    fn lock(&self, shard: usize) -> MutexGuard<'_, Shard> {
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a state unless one with its key is there. The key is the row itself if keys have no width of their own.
    pub fn insert(&self, row: &[u32], key: &[u32], origin: Origin) -> Visited {
        let own = self.key_width > 0;
        let (width, hash) = (if own { self.key_width } else { self.width }, self.hasher.hash_one(key));
        let number = (hash >> (64 - SHARD_BITS)) as usize;
        let mut shard = self.lock(number);
        let Shard { index, rows, keys, origins } = &mut *shard;
        let id = |local: u32| StateId(u64::from(local) << SHARD_BITS | number as u64);
        let at = |i: u32| i as usize * width..(i as usize + 1) * width;
        let known = if own { &*keys } else { &*rows };
        if let Some(local) = index.find(hash, |i| known[at(*i)] == *key) {
            return Visited::Known(id(*local));
        }
        let local = origins.len() as u32;
        rows.extend_from_slice(row);
        if own {
            keys.extend_from_slice(key);
        }
        origins.push(origin);
        let known = if own { &*keys } else { &*rows };
        index.insert_unique(hash, local, |i| self.hasher.hash_one(&known[at(*i)]));
        Visited::New(id(local))
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
            (shard.rows.capacity() + shard.keys.capacity()) * 4
                + shard.origins.capacity() * size_of::<Origin>()
                + shard.index.capacity() * 5
        };
        (0..SHARDS).map(shard).sum()
    }
}

fn split(id: StateId) -> (usize, usize) {
    ((id.0 & (SHARDS as u64 - 1)) as usize, (id.0 >> SHARD_BITS) as usize)
}
