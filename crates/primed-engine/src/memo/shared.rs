//! What all workers of a search remember together.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use hashbrown::HashMap;
use primed_value::intern::Table;

use super::edges::{Apart, Edges};
use super::trie::Location;
use super::watch::Written;

/// Bytes of an entry, on the average.
const ENTRY: usize = 64;
/// Of the memory for all that is remembered so much is for edges at most, in quarters.
const QUARTERS: usize = 3;

/// What workers remember together: each has a [`super::Memo`] that reads and writes it. What one has learned the others need not
/// learn again.
#[derive(Debug)]
pub struct SharedMemo {
    pub(super) table: Table,
    pub(super) width: usize,
    /// Most bytes.
    most: usize,
    /// The actions of the parts of the next-state relation, and whether they depend on nothing but the state, as they were met in
    /// the first state: who meets others does not remember.
    pub(super) parts: OnceLock<Vec<(u32, bool)>>,
    /// What is remembered now: when it takes too much memory all is forgotten, and another one begins.
    now: Mutex<Arc<Generation>>,
    /// How many there were before that.
    epoch: AtomicU32,
}

/// What is remembered from when all was forgotten to when all is forgotten again.
#[derive(Debug)]
pub(super) struct Generation {
    edges: Mutex<Arc<Edges>>,
    /// How many tables of edges there were before that.
    version: AtomicU32,
    names: Mutex<Names>,
    roots: AtomicU32,
    locations: AtomicU32,
    /// Nodes that read something and are no roots.
    pub(super) inner: Apart<AtomicU32>,
    /// What parts found, by their outcomes: what each successor changes, one after the other. The first is that of [`super::trie::NOTHING`].
    pub(super) leaves: boxcar::Vec<Box<[Written]>>,
    leaf_bytes: Apart<AtomicUsize>,
}

/// The subject of a trie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Root {
    /// A part of the next-state relation.
    Part(u32),
    /// What an assignment in a part gives.
    Assigned(u32, u32),
    /// A piece of an invariant or constraint.
    Predicate(u32),
    /// A state function or operator.
    Function(u32),
}

/// What has a number in one generation.
#[derive(Debug, Default)]
struct Names {
    roots: HashMap<Root, u32, ahash::RandomState>,
    locations: Vec<Location>,
    numbers: HashMap<Location, u32, ahash::RandomState>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedMemo {
    /// Nothing is known. `table` is whose numbers rows consist of, `width` the number of variables. When what is remembered is
    /// larger than `most` entries (of 64 bytes), all is forgotten.
    pub fn new(table: Table, width: usize, most: usize) -> SharedMemo {
        let most = most.saturating_mul(ENTRY);
        SharedMemo {
            table,
            width,
            most,
            parts: OnceLock::new(),
            now: Mutex::new(Arc::new(Generation::new(for_edges(most)))),
            epoch: AtomicU32::new(0),
        }
    }

    /// What is remembered now, and how many generations there were before.
    pub(super) fn now(&self) -> (Arc<Generation>, u32) {
        let now = lock(&self.now);
        (Arc::clone(&now), self.epoch.load(Ordering::Relaxed))
    }

    /// Whether this is not what is remembered now, or is to be forgotten now.
    #[inline]
    pub(super) fn is_over(&self, epoch: u32, generation: &Generation, edges: &Edges) -> bool {
        self.epoch.load(Ordering::Relaxed) != epoch || generation.bytes(edges) > self.most
    }

    /// Forgets all, unless another worker has done so.
    pub(super) fn forget(&self, epoch: u32) {
        let mut now = lock(&self.now);
        if self.epoch.load(Ordering::Relaxed) == epoch {
            *now = Arc::new(Generation::new(self.most_edges()));
            self.epoch.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Most bytes of a table of edges.
    pub(super) fn most_edges(&self) -> usize {
        for_edges(self.most)
    }
}

/// Of so many bytes so many are for edges.
fn for_edges(most: usize) -> usize {
    most / 4 * QUARTERS
}

impl Generation {
    fn new(edges: usize) -> Generation {
        Generation {
            edges: Mutex::new(Arc::new(Edges::first(edges))),
            version: AtomicU32::new(0),
            names: Mutex::default(),
            roots: AtomicU32::new(0),
            locations: AtomicU32::new(0),
            inner: Apart::default(),
            leaves: boxcar::vec![Box::default()],
            leaf_bytes: Apart::default(),
        }
    }

    /// Bytes in use, roughly.
    #[inline]
    fn bytes(&self, edges: &Edges) -> usize {
        // A place stands in two tables here, and in two of each worker.
        let places = self.locations.load(Ordering::Relaxed) as usize * 6 * size_of::<Location>();
        edges.bytes() + self.leaf_bytes.0.load(Ordering::Relaxed) + places
    }

    /// The table of edges, and its version.
    pub(super) fn edges(&self) -> (Arc<Edges>, u32) {
        let edges = lock(&self.edges);
        (Arc::clone(&edges), self.version.load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn version(&self) -> u32 {
        self.version.load(Ordering::Relaxed)
    }

    /// Makes a larger table of edges in place of this one, of so many bytes at most, unless another worker has done so.
    pub(super) fn grow(&self, version: u32, most: usize) {
        let mut edges = lock(&self.edges);
        if self.version.load(Ordering::Relaxed) == version {
            *edges = Arc::new(edges.grown(most));
            self.version.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many roots have numbers.
    #[inline]
    pub(super) fn roots(&self) -> usize {
        self.roots.load(Ordering::Relaxed) as usize
    }

    /// The number of a root.
    pub(super) fn root(&self, root: Root) -> u32 {
        let mut names = lock(&self.names);
        let next = names.roots.len() as u32;
        let number = *names.roots.entry(root).or_insert(next);
        self.roots.store(names.roots.len() as u32, Ordering::Relaxed);
        number
    }

    /// The number of a place.
    pub(super) fn location(&self, location: Location) -> u32 {
        let mut names = lock(&self.names);
        let Names { locations, numbers, .. } = &mut *names;
        let number = *numbers.entry(location).or_insert_with(|| {
            locations.push(location);
            locations.len() as u32 - 1
        });
        self.locations.store(locations.len() as u32, Ordering::Relaxed);
        number
    }

    /// Adds to a list of places, in the order of their numbers, those that it lacks.
    #[inline]
    pub(super) fn learn_locations(&self, known: &mut Vec<Location>) {
        if self.locations.load(Ordering::Relaxed) as usize > known.len() {
            known.extend_from_slice(&lock(&self.names).locations[known.len()..]);
        }
    }

    /// Keeps what a part found; gives its outcome.
    pub(super) fn leaf(&self, found: Box<[Written]>) -> u32 {
        let bytes = size_of_val(&*found) + 2 * size_of::<Box<[Written]>>();
        self.leaf_bytes.0.fetch_add(bytes, Ordering::Relaxed);
        self.leaves.push(found) as u32
    }
}
