//! Tries of what was read: the first place that was read, by its value the next place, and so on to an outcome.
//!
//! Code that depends on nothing but a state reads the same place next whenever everything that it has read so far is the same. So
//! its outcome can be found again by reading the places that it would read, one look-up each.

use hashbrown::{HashMap, HashTable};
use primed_value::intern::Table;
use primed_value::value::Value;

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

/// From a node to the next one, which it holds: going along costs one look-up.
#[derive(Debug)]
struct Edge {
    /// The number of the node, and that of the value that was read there.
    key: u64,
    /// The number of the next node, or [`LEAF`].
    to: u32,
    /// The place that is read there, or the outcome.
    what: u32,
}

/// In place of a number: the node is an outcome.
const LEAF: u32 = u32::MAX;
/// Nodes that are no roots have numbers from here on.
const INNER: u32 = 1 << 31;
/// Nodes that may be added before it is asked whether there are numbers left.
const MOST_READS: u32 = 1 << 30;

impl Edge {
    fn new(key: u64, to: Node) -> Edge {
        match to {
            Node::Read { number, location } => Edge { key, to: number, what: location },
            Node::Outcome(outcome) => Edge { key, to: LEAF, what: outcome },
        }
    }

    fn to(&self) -> Node {
        match self.to {
            LEAF => Node::Outcome(self.what),
            number => Node::Read { number, location: self.what },
        }
    }
}

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

/// Many tries in one table.
#[derive(Debug)]
pub(crate) struct Tries {
    /// Whose numbers the values have.
    pub(crate) table: Table,
    /// What is known of the roots, whose numbers are those of this list.
    roots: Vec<Option<Node>>,
    /// Nodes that read something and are no roots.
    inner: u32,
    edges: HashTable<Edge>,
    locations: Vec<Location>,
    numbers: HashMap<Location, u32, ahash::RandomState>,
}

impl Tries {
    pub(crate) fn new(table: Table) -> Tries {
        Tries {
            table,
            roots: Vec::new(),
            inner: 0,
            edges: HashTable::new(),
            locations: Vec::new(),
            numbers: HashMap::default(),
        }
    }

    /// Bytes in use, roughly.
    pub(crate) fn bytes(&self) -> usize {
        // A table is half empty on the average, and a place stands in two of them.
        self.roots.len() * size_of::<Option<Node>>()
            + self.edges.len() * 2 * size_of::<Edge>()
            + self.locations.len() * 3 * size_of::<Location>()
    }

    /// There are no numbers left for nodes.
    pub(crate) fn is_spent(&self) -> bool {
        self.inner >= LEAF - INNER - MOST_READS || self.roots.len() >= INNER as usize - MOST_READS as usize
    }

    /// Forgets all tries and places.
    pub(crate) fn clear(&mut self) {
        self.roots.clear();
        self.inner = 0;
        self.edges.clear();
        self.locations.clear();
        self.numbers.clear();
    }

    /// A new trie.
    pub(crate) fn root(&mut self) -> u32 {
        self.roots.push(None);
        self.roots.len() as u32 - 1
    }

    /// The number of a place.
    pub(crate) fn location(&mut self, location: Location) -> u32 {
        let (locations, next) = (&mut self.locations, self.numbers.len() as u32);
        *self.numbers.entry(location).or_insert_with(|| {
            locations.push(location);
            next
        })
    }

    /// The place of a number.
    pub(crate) fn place(&self, location: u32) -> Location {
        self.locations[location as usize]
    }

    /// The number of the value at a place of a state.
    #[inline]
    pub(crate) fn read(&self, location: u32, asked: Asked<'_, '_>) -> Option<u32> {
        let Location { variable, length, steps } = self.locations[location as usize];
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
        self.roots[root as usize]
    }

    /// The node after one where a value was read.
    #[inline]
    pub(crate) fn follow(&self, number: u32, id: u32) -> Option<Node> {
        let key = key(number, id);
        self.edges.find(spread(key), |e| e.key == key).map(Edge::to)
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

    /// Remembers an outcome after these reads (place and value), in order.
    pub(crate) fn insert(&mut self, root: u32, reads: &[(u32, u32)], outcome: u32) -> Inserted {
        let first = match reads.first() {
            Some((location, _)) => Node::Read { number: root, location: *location },
            None => Node::Outcome(outcome),
        };
        let slot = &mut self.roots[root as usize];
        let mut new = slot.is_none() && reads.is_empty();
        let mut at = *slot.get_or_insert(first);
        for (n, (location, id)) in reads.iter().enumerate() {
            let number = match at {
                Node::Read { number, location: known } if known == *location => number,
                _ => return Inserted::Contradiction,
            };
            let key = key(number, *id);
            at = match self.edges.entry(spread(key), |e| e.key == key, |e| spread(e.key)) {
                hashbrown::hash_table::Entry::Occupied(edge) => edge.get().to(),
                hashbrown::hash_table::Entry::Vacant(edge) => {
                    let to = match reads.get(n + 1) {
                        Some((location, _)) => {
                            self.inner += 1;
                            Node::Read { number: INNER + self.inner, location: *location }
                        }
                        None => Node::Outcome(outcome),
                    };
                    edge.insert(Edge::new(key, to));
                    new = true;
                    to
                }
            };
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

#[inline]
pub(crate) fn spread(key: u64) -> u64 {
    let product = u128::from(key ^ 0xa076_1d64_78bd_642f) * u128::from(0x9e37_79b9_7f4a_7c15_u64);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use primed_value::intern::Interner;

    use super::*;

    /// Asks about a state of integers.
    fn outcome(tries: &Tries, root: u32, row: &[u32]) -> Option<u32> {
        tries.outcome(root, Asked { row, values: &[] })
    }

    #[test]
    fn the_same_reads_give_the_same_outcome() {
        let mut tries = Tries::new(Interner::new().table());
        let places: Vec<u32> = (0..3).map(|v| tries.location(Location::variable(v))).collect();
        let root = tries.root();
        assert_eq!(outcome(&tries, root, &[7, 8, 9]), None);
        // What is read next depends on what was read.
        assert_eq!(tries.insert(root, &[(places[0], 7), (places[2], 9)], 1), Inserted::New);
        assert_eq!(tries.insert(root, &[(places[0], 6), (places[1], 8)], 2), Inserted::New);
        assert_eq!(outcome(&tries, root, &[7, 100, 9]), Some(1));
        assert_eq!(outcome(&tries, root, &[6, 8, 100]), Some(2));
        assert_eq!(outcome(&tries, root, &[6, 9, 100]), None);
        assert_eq!(tries.insert(root, &[(places[0], 7), (places[2], 9)], 3), Inserted::Known(1));
    }

    #[test]
    fn reads_that_contradict_what_is_known_are_told() {
        let mut tries = Tries::new(Interner::new().table());
        let (x, y) = (tries.location(Location::variable(0)), tries.location(Location::variable(1)));
        let root = tries.root();
        assert_eq!(tries.insert(root, &[(x, 1), (y, 1)], 1), Inserted::New);
        assert_eq!(tries.insert(root, &[(y, 1)], 1), Inserted::Contradiction);
        assert_eq!(tries.insert(root, &[(x, 1)], 1), Inserted::Contradiction);
        assert_eq!(tries.insert(root, &[], 1), Inserted::Contradiction);
        let always = tries.root();
        assert_eq!(tries.insert(always, &[], 5), Inserted::New);
        assert_eq!(outcome(&tries, always, &[1, 2]), Some(5));
    }

    #[test]
    fn nothing_is_known_after_forgetting() {
        let mut tries = Tries::new(Interner::new().table());
        let x = tries.location(Location::variable(0));
        let root = tries.root();
        tries.insert(root, &[(x, 1)], 1);
        tries.clear();
        assert_eq!(tries.bytes(), 0);
        let root = tries.root();
        assert_eq!(outcome(&tries, root, &[1]), None);
    }
}
