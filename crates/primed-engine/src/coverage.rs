//! How often the expressions below an action were evaluated, listed as TLC lists it: the counters of one formula form a tree of the
//! applications of operators in it, and of those in the definitions that it uses. What goes without saying is left out.
//!
//! The rules are TLC's (messages 2221 and 2775), found by asking it: an expression is listed if it was evaluated, or gives a variable
//! its next value; those inside of it are listed if not all of them have its count.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use primed_value::error::Place;

/// What happened to one expression.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    /// Evaluations.
    count: AtomicU64,
    /// Elements that were gone through, of sets that it made.
    cost: AtomicU64,
}

impl Counter {
    #[inline]
    pub(crate) fn count(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn spend(&self, cost: u64) {
        self.cost.fetch_add(cost, Ordering::Relaxed);
    }

    fn pair(&self) -> Pair {
        Pair { count: self.count.load(Ordering::Relaxed), cost: self.cost.load(Ordering::Relaxed) }
    }
}

/// What a formula is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A conjunct of the initial predicate; its number.
    Initial(usize),
    /// An action of the next-state relation; where its formula stands.
    Next(Place),
    /// An invariant; its number.
    Invariant(usize),
    /// An action constraint; its number.
    ActionConstraint(usize),
    /// A constraint; its number.
    Constraint(usize),
}

/// One expression of a formula.
#[derive(Debug)]
pub(crate) struct CostNode {
    pub(crate) place: Place,
    pub(crate) children: Vec<u32>,
    /// It gives a variable its next value: it is listed though it was never evaluated.
    pub(crate) primed: bool,
    /// It is `UNCHANGED`, which is listed as a whole.
    pub(crate) unchanged: bool,
    pub(crate) counter: Arc<Counter>,
}

/// The counters of a program.
#[derive(Debug, Default)]
pub struct Costs {
    pub(crate) nodes: Vec<CostNode>,
    pub(crate) roots: Vec<(Role, u32)>,
}

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostLine {
    /// Where the expression stands.
    pub place: Place,
    /// How many of the expressions around it are listed too.
    pub depth: usize,
    /// Evaluations.
    pub count: u64,
    /// Elements that were gone through, of sets that it made.
    pub cost: u64,
}

/// The counts of an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pair {
    count: u64,
    cost: u64,
}

impl Pair {
    fn is_zero(self) -> bool {
        self == Pair::default()
    }
}

impl Costs {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// What was counted of a formula as a whole: of an initial predicate, states that it gave and states that it refused when all
    /// variables had values; of a constraint, states that it is false of and states that it is true of.
    pub fn whole(&self, role: Role) -> Option<[u64; 2]> {
        let Pair { count, cost } = self.nodes.get(self.root(role)?)?.counter.pair();
        Some([count, cost])
    }

    /// The list of the expressions in a formula.
    pub fn lines(&self, role: Role) -> Vec<CostLine> {
        let Some(root) = self.root(role) else { return Vec::new() };
        let counts = self.nodes.iter().map(|node| node.counter.pair()).collect();
        let mut listing = Listing { costs: self, counts, below: vec![None; self.nodes.len()], lines: Vec::new() };
        for child in &self.nodes[root].children {
            listing.print(*child as usize, 0);
        }
        listing.lines
    }

    fn root(&self, role: Role) -> Option<usize> {
        self.roots.iter().find(|(known, _)| *known == role).map(|(_, root)| *root as usize)
    }
}

/// A list that is being written.
struct Listing<'c> {
    costs: &'c Costs,
    counts: Vec<Pair>,
    /// The different counts in the expressions below each one and in itself, as far as they were looked at.
    below: Vec<Option<Arc<[Pair]>>>,
    lines: Vec<CostLine>,
}

impl Listing<'_> {
    /// The different counts of what is worth a line: an expression and those inside of it.
    fn collected(&mut self, node: usize) -> Arc<[Pair]> {
        if let Some(known) = &self.below[node] {
            return known.clone();
        }
        // An expression is not inside of itself, but may be met again by way of an operator that is passed.
        self.below[node] = Some(Arc::new([]));
        let mut found = Vec::new();
        if !self.counts[node].is_zero() || self.is_primed(node) {
            found.push(self.counts[node]);
        }
        self.children(node, &mut found);
        let found: Arc<[Pair]> = found.into();
        self.below[node] = Some(found.clone());
        found
    }

    /// The same for those inside only.
    fn children(&mut self, node: usize, found: &mut Vec<Pair>) {
        for child in &self.costs.nodes[node].children {
            let inner = stacker::maybe_grow(64 << 10, 1 << 20, || self.collected(*child as usize));
            for pair in inner.iter() {
                if !found.contains(pair) {
                    found.push(*pair);
                }
            }
        }
    }

    fn is_primed(&self, node: usize) -> bool {
        self.costs.nodes[node].primed || self.costs.nodes[node].unchanged
    }

    fn print(&mut self, node: usize, depth: usize) {
        let mut below = Vec::new();
        self.children(node, &mut below);
        let own = self.counts[node];
        let primed = self.is_primed(node);
        if self.costs.nodes[node].unchanged {
            below.retain(|pair| !pair.is_zero());
            let inner = first_in_hash_set(&below).map_or(0, |pair| pair.count);
            return match below.is_empty() {
                true => self.line(node, depth, own),
                false => self.line(node, depth, Pair { count: own.count.max(inner), cost: 0 }),
            };
        }
        match below.as_slice() {
            [] if own.count == 0 && !primed => {}
            [] => self.line(node, depth, own),
            [all] if all.count < own.count => {
                self.line(node, depth, own);
                self.inside(node, depth + 1);
            }
            [all] if !primed && own.is_zero() && !all.is_zero() => self.line(node, depth, *all),
            [all] if own.is_zero() && all.is_zero() => {
                if primed {
                    self.line(node, depth, own);
                }
                self.inside(node, depth + usize::from(primed));
            }
            [all] if own == *all => self.line(node, depth, own),
            _ => {
                let listed = !own.is_zero() || primed;
                if listed {
                    self.line(node, depth, own);
                }
                self.inside(node, depth + usize::from(listed));
            }
        }
    }

    fn inside(&mut self, node: usize, depth: usize) {
        for child in &self.costs.nodes[node].children {
            stacker::maybe_grow(64 << 10, 1 << 20, || self.print(*child as usize, depth));
        }
    }

    fn line(&mut self, node: usize, depth: usize, Pair { count, cost }: Pair) {
        self.lines.push(CostLine { place: self.costs.nodes[node].place, depth, count, cost });
    }
}

/// The first that Java's `HashSet` gives of pairs that were put into it in this order.
fn first_in_hash_set(pairs: &[Pair]) -> Option<Pair> {
    let hash = |n: u64| (n ^ (n >> 32)) as u32;
    let spread = |pair: &Pair| {
        let hash = 31u32.wrapping_mul(31u32.wrapping_add(hash(pair.count))).wrapping_add(hash(pair.cost));
        hash ^ (hash >> 16)
    };
    // It has 16 places, and twice as many whenever three quarters of them are taken.
    let mut places = 16;
    while pairs.len() > places / 4 * 3 {
        places *= 2;
    }
    pairs.iter().min_by_key(|pair| spread(pair) as usize & (places - 1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(nodes: &[(u64, bool, &[u32])]) -> Costs {
        let node = |(place, (count, primed, children)): (u32, &(u64, bool, &[u32]))| {
            let counter = Arc::<Counter>::default();
            (0..*count).for_each(|_| counter.count());
            let place = Place { file: 0, start: place, end: place };
            CostNode { place, children: children.to_vec(), primed: *primed, unchanged: false, counter }
        };
        Costs { nodes: (0..).zip(nodes).map(node).collect(), roots: vec![(Role::Initial(0), 0)] }
    }

    fn lines(nodes: &[(u64, bool, &[u32])]) -> Vec<(u32, usize, u64)> {
        let lines = tree(nodes).lines(Role::Initial(0));
        lines.iter().map(|line| (line.place.start, line.depth, line.count)).collect()
    }

    #[test]
    fn what_has_the_count_of_what_is_around_it_goes_without_saying() {
        assert_eq!(lines(&[(0, false, &[1]), (3, false, &[2, 3]), (3, false, &[]), (3, false, &[])]), [(1, 0, 3)]);
        let differs = [(0, false, &[1][..]), (3, false, &[2, 3]), (3, false, &[]), (1, false, &[])];
        assert_eq!(lines(&differs), [(1, 0, 3), (2, 1, 3), (3, 1, 1)]);
    }

    #[test]
    fn what_was_not_evaluated_is_listed_where_it_gives_a_value() {
        assert_eq!(lines(&[(0, false, &[1]), (0, false, &[2]), (0, false, &[])]), []);
        assert_eq!(lines(&[(0, false, &[1]), (0, false, &[2]), (0, true, &[])]), [(2, 0, 0)]);
        assert_eq!(lines(&[(0, false, &[1]), (0, false, &[2]), (4, false, &[])]), [(1, 0, 4)]);
    }
}
