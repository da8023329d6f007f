//! The simplest exact breadth-first search: rows in the order in which they were found, and a table of their numbers.

use std::hash::{Hash, Hasher};

/// A specification whose states are packed into words.
pub(crate) trait Packed {
    /// A state.
    type Row: Copy + Eq + Hash;

    /// The initial states.
    fn initial(&self, emit: &mut dyn FnMut(Self::Row));

    /// All that the next-state relation allows, as often as TLC would generate it.
    fn next(&self, row: Self::Row, emit: &mut impl FnMut(Self::Row));

    /// The invariants.
    fn holds(&self, row: Self::Row) -> bool;
}

/// What TLC counts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// States generated.
    pub(crate) generated: u64,
    /// Different states.
    pub(crate) distinct: usize,
    /// Levels of the state graph.
    pub(crate) depth: usize,
    /// The first state that violates an invariant, by its number.
    pub(crate) violated: Option<usize>,
}

/// A multiplication for each word: both halves of the product are used.
#[derive(Default)]
struct Words(u64);

impl Hasher for Words {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product =
            u128::from((self.0.rotate_left(23) ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15)) * 0xf39c_c060_5ced_c835;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_usize(&mut self, _: usize) {} // the length of an array is always the same

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Each state in full, once, with the number of the one that led to it.
struct Store<R> {
    rows: Vec<R>,
    parents: Vec<u32>,
    /// Numbers of rows, from 1; 0 is free. Its length is a power of two.
    table: Vec<u32>,
}

impl<R: Copy + Eq + Hash> Store<R> {
    fn new() -> Self {
        Store { rows: Vec::new(), parents: Vec::new(), table: vec![0; 1 << 12] }
    }

    fn hash(row: &R) -> usize {
        let mut hasher = Words::default();
        row.hash(&mut hasher);
        hasher.finish() as usize
    }

    /// Whether the state is new.
    fn insert(&mut self, row: R, parent: u32) -> bool {
        if self.rows.len() * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = Self::hash(&row) & mask;
        loop {
            match self.table[at] {
                0 => break,
                number if self.rows[number as usize - 1] == row => return false,
                _ => at = (at + 1) & mask,
            }
        }
        self.rows.push(row);
        self.parents.push(parent);
        self.table[at] = self.rows.len() as u32;
        true
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![0u32; mask + 1];
        for (i, row) in self.rows.iter().enumerate() {
            let mut at = Self::hash(row) & mask;
            while table[at] != 0 {
                at = (at + 1) & mask;
            }
            table[at] = i as u32 + 1;
        }
        self.table = table;
    }
}

/// Searches all states, breadth first, and ends at the first that violates an invariant.
pub(crate) fn search<P: Packed>(spec: &P) -> Counts {
    let mut store = Store::new();
    let mut counts = Counts::default();
    let mut violated = None;
    spec.initial(&mut |row| {
        counts.generated += 1;
        if store.insert(row, 0) && !spec.holds(row) {
            violated = violated.or(Some(store.rows.len()));
        }
    });
    let (mut at, mut level) = (0, store.rows.len());
    counts.depth = 1;
    while at < store.rows.len() && violated.is_none() {
        if at == level {
            (level, counts.depth) = (store.rows.len(), counts.depth + 1);
        }
        let row = store.rows[at];
        at += 1;
        spec.next(row, &mut |found| {
            counts.generated += 1;
            if store.insert(found, at as u32) && !spec.holds(found) {
                violated = violated.or(Some(store.rows.len()));
            }
        });
    }
    counts.distinct = store.rows.len();
    counts.violated = violated;
    counts
}
