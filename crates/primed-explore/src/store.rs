//! The states found so far: rows of ids, each kept in full and once, with the state and action that led to it first.

use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::index::Index;
use crate::records::Records;
use crate::space::Visited;

/// Tables, each with a lock of its own.
const SHARDS: usize = 64;
const SHARD_BITS: u32 = SHARDS.trailing_zeros();
/// A table that lacks less than this part of what it holds is nearly full.
const AHEAD: usize = 16;
/// Words of a record beside row and key: the two halves of the state before it, and the action.
const ORIGIN: usize = 3;

/// The number of a stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(u64);

impl StateId {
    /// Its number: small numbers come first, though some are missing.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The state with a number.
    pub fn of(number: u64) -> StateId {
        StateId(number)
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

/// Workers that take two locks at once do not wait for one line of memory.
#[derive(Debug)]
#[repr(align(128))]
struct Shard {
    /// Numbers of records, by the hash of the key.
    index: Index,
    /// Row, key if keys are not rows, origin.
    records: Records,
}

/// A set of states of one width, shared by workers.
#[derive(Debug)]
pub struct Store {
    width: usize,
    key_width: usize,
    shards: Vec<Mutex<Shard>>,
    /// The first failure of the disk; the search must end.
    failure: OnceLock<String>,
}

impl Store {
    /// An empty store for rows of `width` ids that are told apart by keys of `key_width` ids, or by themselves if that is 0.
    pub fn new(width: usize, key_width: usize) -> Store {
        let shard = || Shard { index: Index::default(), records: Records::new(width + key_width + ORIGIN) };
        Store { width, key_width, shards: (0..SHARDS).map(|_| Mutex::new(shard())).collect(), failure: OnceLock::new() }
    }

    fn lock(&self, shard: usize) -> MutexGuard<'_, Shard> {
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the disk complained of, if states were moved there. Answers given since then are not to be trusted.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    fn failed(&self, error: &io::Error) {
        drop(self.failure.set(error.to_string()));
    }

    /// Stores a state unless one with its key is there. The key is the row itself if keys have no width of their own.
    pub fn insert(&self, row: &[u32], key: &[u32], origin: Origin) -> Visited {
        let hash = hash(key);
        let number = (hash >> (u64::BITS - SHARD_BITS)) as usize;
        let mut shard = self.lock(number);
        let (from, _) = self.key();
        let Shard { index, records } = &mut *shard;
        let known = index.find(hash << SHARD_BITS, |local| {
            records.matches(local as usize, from, key).unwrap_or_else(|e| {
                self.failed(&e);
                false
            })
        });
        if let Some(local) = known {
            return Visited::Known(id(number, local));
        }
        let local = records.len() as u32;
        if index.len() == index.room() {
            self.reserve(&mut shard, larger(local as usize));
        }
        let Shard { index, records } = &mut *shard;
        // 0 is no state. Small numbers take few bits.
        let before = origin.from.map_or(0, |s| s.0 + 1);
        let own = if self.key_width > 0 { key } else { &[] };
        records.push(&[row, own, &[before as u32, (before >> 32) as u32, origin.action]]);
        index.insert(hash << SHARD_BITS, local);
        Visited::New(id(number, local))
    }

    /// Where the key stands in a record, and its length.
    fn key(&self) -> (usize, usize) {
        if self.key_width > 0 { (self.width, self.key_width) } else { (0, self.width) }
    }

    /// Makes a table with room for so many records in place of the one that there is. It takes no hashes from that: they are those
    /// of the records.
    #[cold]
    fn reserve(&self, shard: &mut Shard, count: usize) {
        let (from, width) = self.key();
        let Shard { index, records } = shard;
        // The old one first: both at once would be most of the memory.
        *index = Index::default();
        *index = Index::with_room(count);
        let each = &mut |local: usize, key: &[u32]| {
            index.insert(hash(key) << SHARD_BITS, local as u32);
        };
        if let Err(error) = records.each(from..from + width, each) {
            self.failed(&error);
        }
    }

    /// Gives tables that are nearly full more room, all at once: hashes are spread evenly, so that tables grow at the same time, and
    /// a worker that waited for one would find the next one growing.
    pub fn make_room(&self) {
        (0..SHARDS).into_par_iter().for_each(|number| {
            let mut shard = self.lock(number);
            let len = shard.index.len();
            if shard.index.room() < len + len / AHEAD {
                self.reserve(&mut shard, larger(len));
            }
        });
    }

    /// Copies a state's row into `row`.
    pub fn read(&self, id: StateId, row: &mut Vec<u32>) {
        let (shard, local) = split(id);
        row.clear();
        if let Err(error) = self.lock(shard).records.read(local, 0..self.width, row) {
            self.failed(&error);
        }
    }

    /// How a state was first reached.
    pub fn origin(&self, id: StateId) -> Origin {
        let (shard, local) = split(id);
        let (first, mut words) = (self.width + self.key_width, Vec::new());
        if let Err(error) = self.lock(shard).records.read(local, first..first + ORIGIN, &mut words) {
            self.failed(&error);
        }
        let [low, high, action] = words[..] else { return Origin { from: None, action: 0 } };
        let before = u64::from(low) | u64::from(high) << 32;
        Origin { from: before.checked_sub(1).map(StateId), action }
    }

    /// How many states are stored.
    pub fn len(&self) -> usize {
        (0..SHARDS).map(|s| self.lock(s).records.len()).sum()
    }

    /// Nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that the states take, tables included.
    pub fn bytes(&self) -> usize {
        (0..SHARDS).map(|s| self.lock(s)).map(|s| s.records.bytes() + s.index.bytes()).sum()
    }

    /// Bytes of memory that [`Store::spill`] would free.
    pub fn spillable(&self) -> usize {
        (0..SHARDS).map(|s| self.lock(s).records.spillable()).sum()
    }

    /// Moves what can be moved to files in a folder, which is made if it is not there; the tables stay in memory. The files have
    /// no names any more where the system allows that: they are gone with the store.
    ///
    /// # Errors
    /// Those of writing. What could not be moved is in memory still, and nothing is lost.
    pub fn spill(&self, folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        (0..SHARDS).try_for_each(|s| self.lock(s).records.spill(&folder.join(format!("states-{s}"))))
    }

    /// Writes all states.
    ///
    /// # Errors
    /// Those of writing, and of reading what was moved to disk.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        (0..SHARDS).try_for_each(|s| self.lock(s).records.write(out))
    }

    /// Reads what [`Store::write`] wrote, into an empty store. After each table `full` may move what was read to disk.
    ///
    /// # Errors
    /// Those of reading; states of another width; those of `full`.
    pub fn restore(&self, input: &mut dyn io::Read, full: &mut dyn FnMut(&Store) -> io::Result<()>) -> io::Result<()> {
        for number in 0..SHARDS {
            let mut shard = self.lock(number);
            shard.records.restore(input)?;
            let count = shard.records.len();
            self.reserve(&mut shard, count);
            drop(shard);
            full(self)?;
        }
        Ok(())
    }
}

/// Room for more than so many records, by a quarter: every growth goes through all records, and room that is not used is memory.
fn larger(records: usize) -> usize {
    records + records / 4 + 1
}

fn id(shard: usize, local: u32) -> StateId {
    StateId(u64::from(local) << SHARD_BITS | shard as u64)
}

fn split(id: StateId) -> (usize, usize) {
    ((id.0 & (SHARDS as u64 - 1)) as usize, (id.0 >> SHARD_BITS) as usize)
}

/// The hash of a row. It is part of what a checkpoint holds, so it is the same in every process and on every machine.
fn hash(row: &[u32]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = row.len() as u64;
    let mut pairs = row.chunks_exact(2);
    for pair in &mut pairs {
        let word = u64::from(pair[0]) | u64::from(pair[1]) << 32;
        hash = fold(hash ^ word, FACTOR);
    }
    if let [last] = pairs.remainder() {
        hash = fold(hash ^ u64::from(*last), FACTOR);
    }
    fold(hash, 0xd6e8_feb8_6659_fd93)
}

/// Both halves of the product: every bit of the input reaches every bit of the output.
#[inline]
fn fold(word: u64, factor: u64) -> u64 {
    let product = u128::from(word ^ 0xa076_1d64_78bd_642f) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}
