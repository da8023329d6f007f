//! The graph of the behaviours that satisfy a tableau: states paired with its nodes. It is never built, only walked.

use std::cell::Cell;

use hashbrown::HashTable;

use crate::liveness::graph::Graph;
use crate::liveness::tableau::Tableau;
use crate::progress::Progress;

/// A state with a node of the tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Pair(u64);

impl Pair {
    pub(crate) fn new(state: u32, node: u32) -> Pair {
        Pair(u64::from(state) << 32 | u64::from(node))
    }

    pub(crate) fn state(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(crate) fn node(self) -> u32 {
        self.0 as u32
    }
}

/// How far the successors of a pair have been walked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Position {
    step: u32,
    node: u32,
}

/// Bytes that a pair takes while components are looked for, its place in a table apart.
const PAIR: usize = 64;

/// What ends a walk before it is complete.
#[derive(Debug)]
pub(crate) struct Bounds<'p> {
    /// Who may end it.
    pub(crate) progress: &'p Progress,
    /// Bytes that it may take.
    pub(crate) room: usize,
    /// It would have taken more.
    pub(crate) full: Cell<bool>,
}

impl<'p> Bounds<'p> {
    pub(crate) fn new(progress: &'p Progress, room: usize) -> Bounds<'p> {
        Bounds { progress, room, full: Cell::new(false) }
    }
}

/// The product of a state graph with a tableau.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product<'p> {
    pub(crate) graph: &'p Graph,
    pub(crate) tableau: &'p Tableau,
    pub(crate) bounds: Option<&'p Bounds<'p>>,
}

impl<'p> Product<'p> {
    /// The walk is to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.bounds.is_some_and(|bounds| bounds.full.get() || bounds.progress.stop_requested())
    }

    /// Says that so many pairs were met, and that a table for them takes so many bytes beside; the walk may be to end then.
    pub(crate) fn takes(&self, pairs: usize, table: usize) {
        if let Some(bounds) = self.bounds
            && pairs.saturating_mul(PAIR).saturating_add(table) > bounds.room
        {
            bounds.full.set(true);
        }
    }

    /// Whether the state satisfies the literals of the node.
    pub(crate) fn is_consistent(&self, state: u32, node: u32) -> bool {
        let Some(node) = self.tableau.nodes.get(node as usize) else { return false };
        node.literals.iter().all(|(number, holds)| self.graph.state_holds(state, *number) == *holds)
    }

    /// The pairs that a behaviour may begin with.
    pub(crate) fn initial(self) -> impl Iterator<Item = Pair> + 'p {
        let nodes = move |state: u32| self.tableau.initial.iter().map(move |node| (state, *node));
        let pairs = self.graph.initial.iter().flat_map(move |state| nodes(*state));
        pairs.filter(move |(state, node)| self.is_consistent(*state, *node)).map(|(s, n)| Pair::new(s, n))
    }

    /// The next successor of a pair, with the number of the step to it; `at` moves on.
    #[inline]
    pub(crate) fn next(&self, pair: Pair, at: &mut Position) -> Option<(usize, Pair)> {
        let steps = self.graph.steps(pair.state());
        let nodes = self.tableau.next(pair.node());
        loop {
            let step = steps.start + at.step as usize;
            if step >= steps.end {
                return None;
            }
            let Some(node) = nodes.get(at.node as usize) else {
                *at = Position { step: at.step + 1, node: 0 };
                continue;
            };
            at.node += 1;
            let target = self.graph.target(step);
            if self.is_consistent(target, *node) {
                return Some((step, Pair::new(target, *node)));
            }
        }
    }

    /// The promise is kept, or not made, by the pair.
    pub(crate) fn keeps(&self, pair: Pair, promise: usize) -> bool {
        self.tableau.nodes.get(pair.node() as usize).is_none_or(|n| n.open.binary_search(&promise).is_err())
    }
}

/// Entries that a table with a place for every possible pair may have, for each state.
const DENSE_NODES: usize = 8;
const NO_NUMBER: u32 = u32::MAX;

/// Pairs by number, in the order in which they are first met.
#[derive(Debug)]
pub(crate) enum Numbers {
    /// A place for every pair that can be.
    Dense { nodes: usize, table: Vec<u32>, count: u32 },
    /// Those that are met.
    Hashed { table: HashTable<u32>, pairs: Vec<Pair>, hasher: ahash::RandomState },
}

impl Numbers {
    pub(crate) fn new(product: &Product<'_>) -> Numbers {
        let nodes = product.tableau.nodes.len();
        let places = product.graph.bound() * nodes;
        product.takes(0, if nodes <= DENSE_NODES { places * size_of::<u32>() } else { 0 });
        match nodes <= DENSE_NODES && !product.is_stopped() {
            true => Numbers::Dense { nodes, table: vec![NO_NUMBER; places], count: 0 },
            false => Numbers::sparse(),
        }
    }

    /// For few pairs among many.
    pub(crate) fn sparse() -> Numbers {
        // Only the placement in the table depends on it, never a result.
        let hasher = ahash::RandomState::with_seeds(5, 6, 7, 8);
        Numbers::Hashed { table: HashTable::new(), pairs: Vec::new(), hasher }
    }

    /// Bytes of the table with a place for every pair.
    pub(crate) fn dense_bytes(&self) -> usize {
        match self {
            Numbers::Dense { table, .. } => size_of_val(table.as_slice()),
            Numbers::Hashed { .. } => 0,
        }
    }

    /// The number of a pair.
    pub(crate) fn get(&self, pair: Pair) -> Option<u32> {
        match self {
            Numbers::Dense { nodes, table, .. } => {
                let at = pair.state() as usize * nodes + pair.node() as usize;
                table.get(at).copied().filter(|n| *n != NO_NUMBER)
            }
            Numbers::Hashed { table, pairs, hasher } => {
                table.find(hasher.hash_one(pair), |n| pairs[*n as usize] == pair).copied()
            }
        }
    }

    /// Gives a pair the next number.
    pub(crate) fn add(&mut self, pair: Pair) -> u32 {
        match self {
            Numbers::Dense { nodes, table, count } => {
                let at = pair.state() as usize * *nodes + pair.node() as usize;
                if let Some(entry) = table.get_mut(at) {
                    *entry = *count;
                }
                *count += 1;
                *count - 1
            }
            Numbers::Hashed { table, pairs, hasher } => {
                let number = pairs.len() as u32;
                pairs.push(pair);
                table.insert_unique(hasher.hash_one(pair), number, |n| hasher.hash_one(pairs[*n as usize]));
                number
            }
        }
    }
}
