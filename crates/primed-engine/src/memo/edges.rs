//! The edges of tries, in one table that all workers read and add to without locks.
//!
//! An edge is two words: what it goes from, and what it leads to. Both are written once, the first word first; who sees the first
//! without the second sees an edge that is not there yet. So a look-up is a few plain loads from one line of memory.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::trie::Node;

/// An edge, in a line of memory with three others.
#[derive(Debug, Default)]
#[repr(align(16))]
struct Slot {
    /// The key, inverted; 0 is no edge.
    from: AtomicU64,
    /// The node, inverted; 0 while it is not there yet.
    to: AtomicU64,
}

impl Slot {
    /// Where the edge leads, if it is there.
    #[inline]
    fn node(&self) -> Option<Node> {
        // What the node stands for was written before it.
        let to = self.to.load(Ordering::Acquire);
        (to != 0).then(|| node(to))
    }
}

/// What many workers write is kept away from what they read.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Apart<T>(pub(super) T);

/// Of so many slots so many are used at most: beyond that look-ups become long.
const SLOTS: usize = 4;
const USED: usize = 3;
/// Slots of the first table.
const FEW: usize = 1 << 10;

/// A table of edges, of fixed size.
#[derive(Debug)]
pub(super) struct Edges {
    slots: Box<[Slot]>,
    used: Apart<AtomicUsize>,
}

/// In place of the number of a node: it is an outcome.
const LEAF: u32 = u32::MAX;

fn word(node: Node) -> u64 {
    let (number, what) = match node {
        Node::Read { number, location } => (number, location),
        Node::Outcome(outcome) => (LEAF, outcome),
    };
    !(u64::from(number) << 32 | u64::from(what))
}

#[inline]
fn node(word: u64) -> Node {
    let (number, what) = ((!word >> 32) as u32, !word as u32);
    if number == LEAF { Node::Outcome(what) } else { Node::Read { number, location: what } }
}

#[inline]
pub(super) fn spread(key: u64) -> u64 {
    let product = u128::from(key ^ 0xa076_1d64_78bd_642f) * u128::from(0x9e37_79b9_7f4a_7c15_u64);
    product as u64 ^ (product >> 64) as u64
}

impl Edges {
    /// A first table, of up to so many bytes.
    pub(super) fn first(bytes: usize) -> Edges {
        Edges::with_slots(FEW.min(bytes / size_of::<Slot>()))
    }

    fn with_slots(slots: usize) -> Edges {
        Edges { slots: (0..slots.max(SLOTS)).map(|_| Slot::default()).collect(), used: Apart::default() }
    }

    /// A larger table with the same edges, of up to so many bytes; if that is too small it is larger by a little only. What others
    /// add to this one meanwhile may be missing.
    pub(super) fn grown(&self, bytes: usize) -> Edges {
        let (len, most) = (self.slots.len(), bytes / size_of::<Slot>());
        let grown = Edges::with_slots((len + len / 2).min(most).max(len + len / SLOTS));
        for slot in &self.slots {
            let to = slot.to.load(Ordering::Acquire);
            if to != 0 {
                grown.insert(!slot.from.load(Ordering::Relaxed), || node(to));
            }
        }
        grown
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    /// Where an edge is, if it is not further on.
    #[inline]
    fn place(&self, key: u64) -> usize {
        (((spread(key) >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    /// The slots where an edge may be, in order.
    #[inline]
    fn slots_from(&self, first: usize) -> impl Iterator<Item = &Slot> {
        let (before, from) = self.slots.split_at(first);
        from.iter().chain(before)
    }

    /// Where an edge leads.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<Node> {
        let first = self.place(key);
        let slot = &self.slots[first];
        match slot.from.load(Ordering::Relaxed) {
            0 => None,
            from if from == !key => slot.node(),
            _ => self.find_further(key, first),
        }
    }

    fn find_further(&self, key: u64, first: usize) -> Option<Node> {
        for slot in self.slots_from(first).skip(1) {
            match slot.from.load(Ordering::Relaxed) {
                0 => return None,
                from if from == !key => return slot.node(),
                _ => {}
            }
        }
        None
    }

    /// Adds an edge to this node, unless there is one; gives where it leads, and whether it is new. Nothing if the table is full.
    pub(super) fn insert(&self, key: u64, to: impl FnOnce() -> Node) -> Option<(Node, bool)> {
        for slot in self.slots_from(self.place(key)) {
            let mut from = slot.from.load(Ordering::Relaxed);
            if from == 0 {
                if self.used.0.fetch_add(1, Ordering::Relaxed) >= self.slots.len() / SLOTS * USED {
                    return None;
                }
                let taken = slot.from.compare_exchange(0, !key, Ordering::Relaxed, Ordering::Relaxed);
                from = taken.err().unwrap_or(!key);
            }
            if from == !key {
                let known = slot.to.load(Ordering::Acquire);
                if known != 0 {
                    return Some((node(known), false));
                }
                // Whoever is the first says where it leads.
                let to = to();
                return Some(match slot.to.compare_exchange(0, word(to), Ordering::Release, Ordering::Acquire) {
                    Ok(_) => (to, true),
                    Err(known) => (node(known), false),
                });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inserted_is_found() {
        let mut edges = Edges::with_slots(8);
        let to =
            |n: u32| if n.is_multiple_of(2) { Node::Outcome(n) } else { Node::Read { number: n, location: n / 7 } };
        for n in 0..10_000u32 {
            let key = u64::from(n) << 31;
            assert_eq!(edges.find(key), None);
            while edges.insert(key, || to(n)).is_none() {
                edges = edges.grown(usize::MAX);
            }
            assert_eq!(edges.insert(key, || Node::Outcome(n + 1)), Some((to(n), false)));
        }
        assert!((0..10_000u32).all(|n| edges.find(u64::from(n) << 31) == Some(to(n))));
        assert_eq!(edges.find(1), None);
    }

    #[test]
    fn a_table_that_may_not_grow_grows_by_little() {
        let edges = Edges::with_slots(1000);
        assert_eq!(edges.grown(1500 * size_of::<Slot>()).slots.len(), 1500);
        assert_eq!(edges.grown(0).slots.len(), 1250);
    }

    #[test]
    fn workers_agree_where_an_edge_leads() {
        let edges = Edges::with_slots(1 << 12);
        let insert = |worker: u32| -> Vec<Node> {
            (0..1000).filter_map(|n| Some(edges.insert(n, || Node::Outcome(worker << 16 | n as u32))?.0)).collect()
        };
        let (first, second) = std::thread::scope(|scope| {
            let other = scope.spawn(|| insert(1));
            (insert(2), other.join().unwrap_or_default())
        });
        assert!(first.len() == 1000 && first == second);
    }
}
