//! The states found so far: rows of ids, each kept in full and once, with the state and action that led to it first.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use crossbeam_utils::sync::{ShardedLock, ShardedLockReadGuard, ShardedLockWriteGuard};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::bytes::damaged;
use crate::index::{Entries, Found, Index};
use crate::records::{BLOCK, Place, Records};
use crate::space::Visited;

/// A table that lacks less than this part of what it holds is nearly full.
const AHEAD: usize = 16;
/// Words of a record beside row and key: the two halves of the state before it, and the action.
const ORIGIN: usize = 3;
/// Numbers for which the table has room that are in no block yet: each worker begins one that it may not fill.
const SPARE: usize = 16 * BLOCK;
/// Blocks that are read between two looks at memory.
const LOOK: usize = 64;
/// Blocks whose hashes are in memory at one time when the table grows, and those that a worker takes at once.
const SLICE: usize = 512;
const JOB: usize = 8;
/// Numbers of states.
const NUMBERS: usize = u32::MAX as usize;

/// The most states that a store may hold: not all numbers are those of states.
pub const MAX_STATES: usize = NUMBERS - (NUMBERS >> 4);

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

    fn place(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
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

/// Found by a hash of their keys, kept in the order in which each worker found them.
#[derive(Debug)]
struct Tables {
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
    /// Workers look and add with a part of the lock that is their own; who makes room or moves states has all of it.
    tables: ShardedLock<Tables>,
    /// Where states are added, for workers that are not there at the moment.
    places: Mutex<Vec<Place>>,
    /// The first failure of the disk; the search must end.
    failure: OnceLock<String>,
}

/// The place where a worker adds states, until it is dropped.
#[derive(Debug)]
pub struct Hand<'s> {
    store: &'s Store,
    place: Place,
}

impl Drop for Hand<'_> {
    fn drop(&mut self) {
        let place = std::mem::take(&mut self.place);
        self.store.places.lock().unwrap_or_else(PoisonError::into_inner).push(place);
    }
}

impl Store {
    /// An empty store for rows of `width` ids that are told apart by keys of `key_width` ids, or by themselves if that is 0.
    pub fn new(width: usize, key_width: usize) -> Store {
        let tables = Tables { index: Index::default(), records: Records::new(width + key_width + ORIGIN) };
        let (tables, places) = (ShardedLock::new(tables), Mutex::default());
        Store { width, key_width, tables, places, failure: OnceLock::new() }
    }

    /// Who has it must not ask for it again.
    #[inline]
    fn tables(&self) -> ShardedLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn tables_alone(&self) -> ShardedLockWriteGuard<'_, Tables> {
        self.tables.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the disk complained of, if states were moved there. Answers given since then are not to be trusted.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    #[cold]
    fn failed(&self, error: &io::Error) {
        drop(self.failure.set(error.to_string()));
    }

    /// A place to add states, for one worker.
    pub fn hand(&self) -> Hand<'_> {
        let place = self.places.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Hand { store: self, place: place.unwrap_or_default() }
    }

    /// Where the key stands in a record, and its length.
    fn key(&self) -> (usize, usize) {
        if self.key_width > 0 { (self.width, self.key_width) } else { (0, self.width) }
    }

    /// Gives a worker room for more states.
    #[cold]
    fn make_way(&self, place: &mut Place) {
        // What takes long is done while others go on.
        let full = if place.is_full() { self.tables().records.tighten(place) } else { None };
        let mut tables = self.tables_alone();
        if let Some(chunk) = full {
            tables.records.close(place, chunk);
        }
        if place.begins_block() && tables.records.numbers() + BLOCK > NUMBERS {
            return self.failed(&damaged("there are too many states"));
        }
        tables.records.make_room(place);
        let promised = tables.records.promised();
        if !tables.index.has_room(promised, tables.records.numbers()) {
            self.reserve(&mut tables, larger(promised), false);
        }
    }

    /// Makes a table with room for so many records in place of the one that there is. It takes no hashes from that: they are those
    /// of the records. If it is made by all workers, none of them may be waiting.
    #[cold]
    fn reserve(&self, tables: &mut Tables, count: usize, together: bool) {
        let Tables { index, records } = tables;
        let numbers = records.numbers() + SPARE + count.saturating_sub(records.promised());
        // The old one first: both at once would be most of the memory.
        *index = Index::default();
        *index = Index::with_room(count, numbers);
        let records = &*records;
        let entries = |blocks: Range<usize>, index: &Index| {
            let (mut numbers, mut hashes, mut pair) = (Vec::with_capacity(JOB * BLOCK), Vec::new(), Vec::new());
            for block in blocks {
                self.hashes(records, block, &mut pair, &mut hashes);
                numbers.extend(hashes.iter().copied().zip(records.range(block)));
            }
            index.entries(&numbers, together)
        };
        let (blocks, slice) = (records.blocks(), if together { SLICE } else { JOB });
        for first in (0..blocks).step_by(slice) {
            let end = blocks.min(first + slice);
            let jobs: Vec<Range<usize>> = (first..end).step_by(JOB).map(|job| job..end.min(job + JOB)).collect();
            let all: Vec<Entries> = match together {
                true => jobs.into_par_iter().with_max_len(1).map(|job| entries(job, index)).collect(),
                false => jobs.into_iter().map(|job| entries(job, index)).collect(),
            };
            index.add_all(&all, together);
        }
    }

    /// The hashes of the keys of a block. They are computed column by column: no hash waits for another.
    fn hashes(&self, records: &Records, block: usize, pair: &mut Vec<u32>, hashes: &mut Vec<u64>) {
        let (from, width) = self.key();
        hashes.clear();
        hashes.resize(records.range(block).len(), width as u64);
        let each = &mut |place: usize, column: &[u32]| {
            if place % 2 == 1 {
                let pairs = pair.iter().zip(column);
                hashes.iter_mut().zip(pairs).for_each(|(hash, (low, high))| *hash = with_pair(*hash, *low, *high));
            } else if place + 1 == width {
                hashes.iter_mut().zip(column).for_each(|(hash, last)| *hash = with_last(*hash, *last));
            } else {
                pair.clear();
                pair.extend_from_slice(column);
            }
        };
        if let Err(error) = records.columns(block, from..from + width, each) {
            self.failed(&error);
        }
        hashes.iter_mut().for_each(|hash| *hash = whole(*hash));
    }

    /// Gives a table that is nearly full more room while no state is being added: all workers take part.
    pub fn make_room(&self) {
        let mut tables = self.tables_alone();
        let promised = tables.records.promised();
        if !tables.index.has_room(promised + promised / AHEAD, tables.records.numbers()) {
            self.reserve(&mut tables, larger(promised), true);
        }
    }

    /// No states are added any more, or not for a while: what has room for more gets as small as can be.
    pub fn settle(&self) {
        self.places.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.tables_alone().records.close_all();
    }

    /// Copies a state's row into `row`.
    pub fn read(&self, id: StateId, row: &mut Vec<u32>) {
        row.clear();
        if let Err(error) = self.tables().records.read(id.place(), 0..self.width, row) {
            self.failed(&error);
        }
    }

    /// How a state was first reached.
    pub fn origin(&self, id: StateId) -> Origin {
        let (first, mut words) = (self.width + self.key_width, Vec::new());
        if let Err(error) = self.tables().records.read(id.place(), first..first + ORIGIN, &mut words) {
            self.failed(&error);
        }
        let [low, high, action] = words[..] else { return Origin { from: None, action: 0 } };
        let before = u64::from(low) | u64::from(high) << 32;
        Origin { from: before.checked_sub(1).map(StateId), action }
    }

    /// How many states are stored.
    pub fn len(&self) -> usize {
        self.tables().records.len()
    }

    /// Nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that the states take, tables included.
    pub fn bytes(&self) -> usize {
        let tables = self.tables();
        tables.records.bytes() + tables.index.bytes()
    }

    /// Bytes of memory that [`Store::spill`] would free.
    pub fn spillable(&self) -> usize {
        self.tables().records.spillable()
    }

    /// Moves what can be moved to a file in a folder, which is made if it is not there; the table stays in memory. The file has
    /// no name any more where the system allows that: it is gone with the store.
    ///
    /// # Errors
    /// Those of writing. What could not be moved is in memory still, and nothing is lost.
    pub fn spill(&self, folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        self.tables_alone().records.spill(&folder.join("states"))
    }

    /// Writes all states.
    ///
    /// # Errors
    /// Those of writing, and of reading what was moved to disk.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.tables().records.write(out)
    }

    /// Reads what [`Store::write`] wrote, into an empty store. Now and then `full` may move what was read to disk.
    ///
    /// # Errors
    /// Those of reading; states of another width; those of `full`.
    pub fn restore(&self, input: &mut dyn io::Read, full: &mut dyn FnMut(&Store) -> io::Result<()>) -> io::Result<()> {
        let blocks = self.tables().records.restore(input)?;
        if blocks > (NUMBERS / BLOCK) as u64 {
            return Err(damaged("there are too many states"));
        }
        for block in 1..=blocks {
            self.tables_alone().records.restore_block(input)?;
            if block.is_multiple_of(LOOK as u64) {
                full(self)?;
            }
        }
        let mut tables = self.tables_alone();
        let count = tables.records.promised();
        self.reserve(&mut tables, count, false);
        drop(tables);
        full(self)
    }
}

impl Hand<'_> {
    /// Stores a state unless one with its key is there. The key is the row itself if keys have no width of their own.
    pub fn insert(&mut self, row: &[u32], key: &[u32], origin: Origin) -> Visited {
        let (store, place, hash) = (self.store, &mut self.place, hash(key));
        let ((from, _), own) = (store.key(), if store.key_width > 0 { key } else { &[] });
        // 0 is no state. Small numbers take few bits.
        let before = origin.from.map_or(0, |s| s.0 + 1);
        let origin = [before as u32, (before >> 32) as u32, origin.action];
        loop {
            let tables = store.tables();
            let Tables { index, records } = &*tables;
            let is = |number: u32| {
                records.matches(number as usize, from, key).unwrap_or_else(|e| {
                    store.failed(&e);
                    false
                })
            };
            let found = if place.has_room() {
                index.find_or_add(hash, is, || {
                    records.put(place, &[row, own, &origin]);
                    place.number()
                })
            } else {
                index.find(hash, is).map(Found::Known)
            };
            match found {
                Some(Found::Known(number)) => return Visited::Known(StateId(u64::from(number))),
                Some(Found::Added(number)) => {
                    records.keep(place);
                    return Visited::New(StateId(u64::from(number)));
                }
                None => {}
            }
            drop(tables);
            if store.failure().is_some() {
                // The search ends.
                return Visited::Outside;
            }
            store.make_way(place);
        }
    }
}

/// Room for more than so many records, by a quarter: every growth goes through all records, and room that is not used is memory.
fn larger(records: usize) -> usize {
    records + records / 4 + 1
}

/// The hash of a row. It is the same in every process and on every machine.
fn hash(row: &[u32]) -> u64 {
    let mut pairs = row.chunks_exact(2);
    let hash = (&mut pairs).fold(row.len() as u64, |hash, pair| with_pair(hash, pair[0], pair[1]));
    whole(pairs.remainder().iter().fold(hash, |hash, last| with_last(hash, *last)))
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of what was before, and two more words.
#[inline]
fn with_pair(hash: u64, low: u32, high: u32) -> u64 {
    fold(hash ^ (u64::from(low) | u64::from(high) << 32), FACTOR)
}

/// The same with one that is left over.
#[inline]
fn with_last(hash: u64, last: u32) -> u64 {
    fold(hash ^ u64::from(last), FACTOR)
}

/// No more words come.
#[inline]
fn whole(hash: u64) -> u64 {
    fold(hash, 0xd6e8_feb8_6659_fd93)
}

/// Both halves of the product: every bit of the input reaches every bit of the output.
#[inline]
fn fold(word: u64, factor: u64) -> u64 {
    let product = u128::from(word ^ 0xa076_1d64_78bd_642f) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// What a worker inserts: rows that others insert, too, in another order.
    fn rows(worker: u32, count: u32) -> impl Iterator<Item = [u32; 3]> {
        (0..count)
            .map(move |n| n.wrapping_mul(2 * worker + 1) % count)
            .map(|n| [n / 100, n % 100, n.wrapping_mul(0x9e37_79b9)])
    }

    #[test]
    fn workers_store_each_state_once_while_tables_grow_and_states_move() {
        const COUNT: u32 = 1 << 15;
        let folder = std::env::temp_dir().join(format!("primed-store-{}", std::process::id()));
        let (store, new) = (Store::new(3, 0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for worker in 0..4 {
                let (store, new) = (&store, &new);
                scope.spawn(move || {
                    let mut hand = store.hand();
                    for row in rows(worker, COUNT) {
                        let origin = Origin { from: Some(StateId::of(u64::from(row[0]))), action: row[1] };
                        new.fetch_add(
                            usize::from(matches!(hand.insert(&row, &row, origin), Visited::New(_))),
                            Ordering::Relaxed,
                        );
                    }
                });
            }
            for round in 0..50 {
                store.make_room();
                if round % 10 == 9 {
                    store.spill(&folder).unwrap();
                }
                std::thread::yield_now();
            }
        });
        store.settle();
        assert_eq!((store.len(), new.into_inner(), store.failure()), (COUNT as usize, COUNT as usize, None));
        let mut bytes = Vec::new();
        store.write(&mut bytes).unwrap();
        let back = Store::new(3, 0);
        back.restore(&mut bytes.as_slice(), &mut |_| Ok(())).unwrap();
        let (mut hand, mut again, mut read) = (store.hand(), back.hand(), Vec::new());
        for row in rows(0, COUNT) {
            let origin = Origin { from: None, action: 0 };
            let Visited::Known(id) = hand.insert(&row, &row, origin) else { panic!("{row:?} is new") };
            assert_eq!(again.insert(&row, &row, origin), Visited::Known(id));
            for store in [&store, &back] {
                store.read(id, &mut read);
                assert_eq!(read, row);
                assert_eq!(store.origin(id), Origin { from: Some(StateId::of(u64::from(row[0]))), action: row[1] });
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn states_are_told_apart_by_their_keys() {
        let store = Store::new(2, 1);
        let (mut hand, origin) = (store.hand(), Origin { from: None, action: 7 });
        for n in 0..10_000u32 {
            assert!(matches!(hand.insert(&[n, 5], &[n / 2], origin), Visited::New(_)) == (n % 2 == 0));
        }
        assert_eq!(store.len(), 5000);
        // A specification without variables has one state.
        let none = Store::new(0, 0);
        let mut hand = none.hand();
        assert!(matches!(hand.insert(&[], &[], origin), Visited::New(_)));
        assert!(matches!(hand.insert(&[], &[], origin), Visited::Known(_)));
    }
}
