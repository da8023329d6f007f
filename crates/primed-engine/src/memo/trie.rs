//! Tries of what was read: the first place that was read, by its value the next place, and so on to an outcome.
//!
//! Code that depends on nothing but a state reads the same place next whenever everything that it has read so far is the same. So
//! its outcome can be found again by reading the places that it would read, one look-up each.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use hashbrown::HashMap;
use primed_value::intern::Table;
use primed_value::value::Value;

use super::edges::Edges;
use super::shared::{Generation, Root, SharedMemo};
use super::watch::Written;

/// Steps into a variable's value that are told apart; what is read further in counts as reading what is around it.
pub(crate) const STEPS: usize = 3;

/// The outcome of a part that finds nothing.
pub(crate) const NOTHING: u32 = 0;

/// A step into a value: where a part stands in values of one shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    /// The address of the list of fields or of the domain, which all stored values of this shape share; 1 for a tuple.
    shape: usize,
    position: u32,
}

const TUPLE: usize = 1;

/// The list of fields or the domain, and the parts.
fn parts(value: Value<'_>) -> Option<(usize, &[Value<'_>])> {
    Some(match value {
        Value::Tuple(t) => (TUPLE, t.elements),
        Value::Record(r) => (r.fields.as_ptr() as usize, r.values),
        Value::Function(f) => (f.domain.as_ptr() as usize, f.values),
        _ => return None,
    })
}

impl Step {
    /// The step from a value to this part of it, if it is one.
    pub(crate) fn between(whole: Value<'_>, part: Value<'_>, position: impl FnOnce() -> Option<usize>) -> Option<Step> {
        let (shape, parts) = parts(whole)?;
        let position = position()?;
        let same = parts.get(position).is_some_and(|p| primed_value::intern::same_word(*p, part));
        same.then_some(Step { shape, position: position as u32 })
    }
}

/// A place in a state: a variable, or a part of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Location {
    pub(crate) variable: u32,
    length: u32,
    steps: [Step; STEPS],
}

impl Location {
    /// A whole variable.
    pub(crate) fn variable(variable: u32) -> Location {
        Location { variable, length: 0, steps: [Step::default(); STEPS] }
    }

    /// A part of it; false if it is too far in.
    pub(crate) fn enter(&mut self, step: Step) -> bool {
        let Some(slot) = self.steps.get_mut(self.length as usize) else { return false };
        *slot = step;
        self.length += 1;
        true
    }
}

/// A node of a trie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// This place is read. The node has a number, by which its edges are found.
    Read { number: u32, location: u32 },
    /// Nothing more is read.
    Outcome(u32),
}

/// Nodes that are no roots have numbers from here on.
const INNER: u32 = 1 << 31;
/// Nodes that may be added before it is asked whether there are numbers left.
const MOST_READS: u32 = 1 << 30;
/// In place of a value: the edge of a root to its first node.
const FIRST: u32 = u32::MAX;

/// What became of an outcome that was to be remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inserted {
    /// It is.
    New,
    /// There is one already.
    Known(u32),
    /// What is known reads other places: the outcome depends on something else.
    Contradiction,
}

/// The state that a trie is asked about.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'s, 'v> {
    pub(crate) row: &'s [u32],
    pub(crate) values: &'s [Value<'v>],
}

/// Many tries in one table, as one worker sees them: what all share, and copies of what is asked for all the time.
#[derive(Debug)]
pub(crate) struct Tries {
    /// Whose numbers the values have.
    pub(crate) table: Table,
    shared: Arc<SharedMemo>,
    generation: Arc<Generation>,
    epoch: u32,
    edges: Arc<Edges>,
    version: u32,
    /// What is known of the roots, whose numbers are those of this list.
    roots: Vec<Cell<Option<Node>>>,
    locations: Vec<Location>,
    numbers: HashMap<Location, u32, ahash::RandomState>,
}

impl Tries {
    pub(crate) fn new(shared: Arc<SharedMemo>) -> Tries {
        let (generation, epoch) = shared.now();
        let (edges, version) = generation.edges();
        Tries {
            table: shared.table,
            shared,
            generation,
            epoch,
            edges,
            version,
            roots: Vec::new(),
            locations: Vec::new(),
            numbers: HashMap::default(),
        }
    }

    /// All is to be forgotten, or was by others.
    pub(crate) fn is_over(&self) -> bool {
        self.shared.is_over(self.epoch, &self.generation, &self.edges) || self.is_spent()
    }

    /// There are no numbers left for nodes.
    fn is_spent(&self) -> bool {
        self.generation.inner.0.load(Ordering::Relaxed) >= u32::MAX - INNER - MOST_READS
            || self.generation.roots() >= INNER as usize - MOST_READS as usize
    }

    /// Forgets all tries and places, unless others have: roots, places and outcomes have other numbers then.
    pub(crate) fn forget(&mut self) {
        self.shared.forget(self.epoch);
        *self = Tries::new(Arc::clone(&self.shared));
    }

    /// Takes over what others have changed.
    #[inline]
    pub(crate) fn refresh(&mut self) {
        if self.generation.version() != self.version {
            (self.edges, self.version) = self.generation.edges();
        }
        self.generation.learn_locations(&mut self.locations);
        if self.generation.roots() > self.roots.len() {
            self.roots.resize(self.generation.roots(), Cell::new(None));
        }
    }

    /// The number of the trie of a subject.
    pub(crate) fn root(&self, root: Root) -> u32 {
        self.generation.root(root)
    }

    /// What a part found, by its outcome: [`NOTHING`], or that of [`Generation::leaf`].
    #[inline]
    pub(crate) fn leaf(&self, leaf: u32) -> &[Written] {
        self.generation.leaves.get(leaf as usize).map_or(&[], |found| found)
    }

    /// The number of a place.
    pub(crate) fn location(&mut self, location: Location) -> u32 {
        let (generation, locations) = (&self.generation, &mut self.locations);
        *self.numbers.entry(location).or_insert_with(|| {
            let number = generation.location(location);
            generation.learn_locations(locations);
            number
        })
    }

    /// The place of a number that [`Tries::location`] or [`Tries::reads`] gave.
    pub(crate) fn place(&self, location: u32) -> Location {
        self.locations[location as usize]
    }

    /// The number of the value at a place of a state.
    #[inline]
    pub(crate) fn read(&self, location: u32, asked: Asked<'_, '_>) -> Option<u32> {
        // Others may have named it just now.
        let Location { variable, length, ref steps } = *self.locations.get(location as usize)?;
        if length == 0 {
            return asked.row.get(variable as usize).copied();
        }
        let mut value = *asked.values.get(variable as usize)?;
        for step in &steps[..length as usize] {
            let (shape, parts) = parts(value)?;
            if shape != step.shape {
                return None;
            }
            value = *parts.get(step.position as usize)?;
        }
        self.table.known(value).map(|id| id.0)
    }

    /// A root, if something is known of it.
    #[inline]
    pub(crate) fn start(&self, root: u32) -> Option<Node> {
        match self.roots.get(root as usize) {
            Some(known) if known.get().is_some() => known.get(),
            slot => {
                let start = self.follow(root, FIRST);
                if let Some(slot) = slot {
                    slot.set(start);
                }
                start
            }
        }
    }

    /// The node after one where a value was read.
    #[inline]
    pub(crate) fn follow(&self, number: u32, id: u32) -> Option<Node> {
        self.edges.find(key(number, id))
    }

    /// The outcome for a state, if it is known.
    #[inline]
    pub(crate) fn outcome(&self, root: u32, asked: Asked<'_, '_>) -> Option<u32> {
        self.outcome_from(self.start(root)?, asked)
    }

    /// The same from a node on.
    #[inline]
    pub(crate) fn outcome_from(&self, mut at: Node, asked: Asked<'_, '_>) -> Option<u32> {
        loop {
            match at {
                Node::Outcome(outcome) => return Some(outcome),
                Node::Read { number, location } => at = self.follow(number, self.read(location, asked)?)?,
            }
        }
    }

    /// An edge to a node, unless there is one; true if it is new.
    fn edge(&mut self, key: u64, to: &mut dyn FnMut(&Generation) -> Node) -> (Node, bool) {
        loop {
            if let Some(edge) = self.edges.insert(key, || to(&self.generation)) {
                return edge;
            }
            self.generation.grow(self.version, self.shared.most_edges());
            (self.edges, self.version) = self.generation.edges();
        }
    }

    /// Remembers an outcome after these reads (place and value), in order. It is made if it is new.
    pub(crate) fn insert(
        &mut self,
        root: u32,
        reads: &[(u32, u32)],
        outcome: &mut dyn FnMut(&Generation) -> u32,
    ) -> Inserted {
        let first = &mut |generation: &Generation| match reads.first() {
            Some((location, _)) => Node::Read { number: root, location: *location },
            None => Node::Outcome(outcome(generation)),
        };
        let (mut at, began) = match self.start(root) {
            Some(known) => (known, false),
            None => self.edge(key(root, FIRST), first),
        };
        let mut new = began && reads.is_empty();
        for (n, (location, id)) in reads.iter().enumerate() {
            let number = match at {
                Node::Read { number, location: known } if known == *location => number,
                _ => return Inserted::Contradiction,
            };
            let next = &mut |generation: &Generation| match reads.get(n + 1) {
                Some((location, _)) => {
                    let number = INNER + generation.inner.0.fetch_add(1, Ordering::Relaxed);
                    Node::Read { number, location: *location }
                }
                None => Node::Outcome(outcome(generation)),
            };
            let added;
            (at, added) = self.edge(key(number, *id), next);
            new |= added;
        }
        match at {
            Node::Outcome(_) if new => Inserted::New,
            Node::Outcome(known) => Inserted::Known(known),
            Node::Read { .. } => Inserted::Contradiction,
        }
    }
}

#[inline]
fn key(node: u32, id: u32) -> u64 {
    u64::from(node) << 32 | u64::from(id)
}

#[cfg(test)]
mod tests {
    use primed_value::intern::Interner;

    use super::*;

    fn tries() -> Tries {
        Tries::new(Arc::new(SharedMemo::new(Interner::new().table(), 3, 1 << 20)))
    }

    /// Asks about a state of integers.
    fn outcome(tries: &Tries, root: u32, row: &[u32]) -> Option<u32> {
        tries.outcome(root, Asked { row, values: &[] })
    }

    #[test]
    fn the_same_reads_give_the_same_outcome() {
        let mut tries = tries();
        let places: Vec<u32> = (0..3).map(|v| tries.location(Location::variable(v))).collect();
        let root = tries.root(Root::Part(0));
        assert_eq!(outcome(&tries, root, &[7, 8, 9]), None);
        // What is read next depends on what was read.
        assert_eq!(tries.insert(root, &[(places[0], 7), (places[2], 9)], &mut |_| 1), Inserted::New);
        assert_eq!(tries.insert(root, &[(places[0], 6), (places[1], 8)], &mut |_| 2), Inserted::New);
        assert_eq!(outcome(&tries, root, &[7, 100, 9]), Some(1));
        assert_eq!(outcome(&tries, root, &[6, 8, 100]), Some(2));
        assert_eq!(outcome(&tries, root, &[6, 9, 100]), None);
        assert_eq!(tries.insert(root, &[(places[0], 7), (places[2], 9)], &mut |_| 3), Inserted::Known(1));
    }

    #[test]
    fn reads_that_contradict_what_is_known_are_told() {
        let mut tries = tries();
        let (x, y) = (tries.location(Location::variable(0)), tries.location(Location::variable(1)));
        let root = tries.root(Root::Predicate(0));
        assert_eq!(tries.insert(root, &[(x, 1), (y, 1)], &mut |_| 1), Inserted::New);
        assert_eq!(tries.insert(root, &[(y, 1)], &mut |_| 1), Inserted::Contradiction);
        assert_eq!(tries.insert(root, &[(x, 1)], &mut |_| 1), Inserted::Contradiction);
        assert_eq!(tries.insert(root, &[], &mut |_| 1), Inserted::Contradiction);
        let always = tries.root(Root::Function(0));
        assert_eq!(tries.insert(always, &[], &mut |_| 5), Inserted::New);
        assert_eq!(outcome(&tries, always, &[1, 2]), Some(5));
    }

    #[test]
    fn workers_know_what_others_learned_until_one_forgets() {
        let shared = Arc::new(SharedMemo::new(Interner::new().table(), 1, 1 << 20));
        let (mut one, mut other) = (Tries::new(Arc::clone(&shared)), Tries::new(shared));
        let (x, root) = (one.location(Location::variable(0)), one.root(Root::Part(0)));
        // So many that the table grows.
        for id in 0..10_000 {
            assert_eq!(one.insert(root, &[(x, id)], &mut |_| id), Inserted::New);
        }
        other.refresh();
        assert_eq!(other.root(Root::Part(0)), root);
        assert!((0..10_000).all(|id| outcome(&other, root, &[id]) == Some(id)));
        other.forget();
        assert!(one.is_over() && !other.is_over());
        assert_eq!(outcome(&other, other.root(Root::Part(0)), &[1]), None);
        one.forget();
        one.refresh();
        assert!(!one.is_over());
        assert_eq!(outcome(&one, one.root(Root::Part(0)), &[1]), None);
    }
}
