//! A counterexample: a way to a component and a cycle in it that meets every demand.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};

use crate::liveness::check::stay;
use crate::liveness::components::Component;
use crate::liveness::normal::Demand;
use crate::liveness::product::{Pair, Product};

/// How a behaviour goes on after its last state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Back to the state with this number, counted from 0.
    Back(usize),
    /// It stays there for ever.
    Stutters,
    /// In any way: what came before disproves the property already.
    Any,
}

/// A behaviour: states by their numbers in the store, no two equal ones in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The states.
    pub states: Vec<u32>,
    /// What follows them.
    pub ending: Ending,
}

type Set = HashSet<Pair, ahash::RandomState>;
type Parents = HashMap<Pair, Pair, ahash::RandomState>;

/// Something that the cycle still has to go through.
#[derive(Clone, Copy)]
enum Goal {
    Promise(usize),
    Returns(usize),
}

struct Cycle<'c> {
    product: &'c Product<'c>,
    demands: &'c [Demand],
    bound: &'c [usize],
    within: Set,
}

impl Cycle<'_> {
    /// The goal is met by the step from the pair.
    fn meets(&self, goal: Goal, pair: Pair, step: usize) -> bool {
        match goal {
            Goal::Promise(promise) => self.product.keeps(pair, promise),
            Goal::Returns(d) => {
                let returns = self.demands.get(d).and_then(|d| d.returns);
                returns.is_some_and(|check| self.product.graph.holds(pair.state(), step, check))
            }
        }
    }

    /// The steps of a pair inside the component.
    fn steps(&self, pair: Pair) -> impl Iterator<Item = (usize, Pair)> + '_ {
        let mut at = Default::default();
        std::iter::from_fn(move || self.product.next(pair, &mut at)).filter(move |(step, next)| {
            self.within.contains(next) && stay(self.product, self.demands, self.bound, pair, *step)
        })
    }

    /// What a cycle has to go through: the promises, and what must return where it does not stay.
    fn goals(&self) -> Vec<Goal> {
        let stays = |d: usize| {
            let check = self.demands[d].stays;
            let holds = |pair: Pair, step| check.is_some_and(|c| self.product.graph.holds(pair.state(), step, c));
            self.within.iter().all(|pair| self.steps(*pair).all(|(step, _)| holds(*pair, step)))
        };
        let promises = (0..self.product.tableau.promises).map(Goal::Promise);
        let open = (0..self.demands.len()).filter(|d| !self.bound.contains(d) && !stays(*d));
        promises.chain(open.map(Goal::Returns)).collect()
    }

    /// The shortest way of at least one step from a pair that ends with a step which `wanted` accepts: its pairs after the
    /// first, and the steps between all of them.
    fn way(&self, from: Pair, wanted: impl Fn(Pair, usize, Pair) -> bool) -> Option<Vec<(usize, Pair)>> {
        let mut parents: HashMap<Pair, (Pair, usize), ahash::RandomState> = HashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(pair) = queue.pop_front() {
            for (step, next) in self.steps(pair) {
                if wanted(pair, step, next) {
                    let mut way = vec![(step, next)];
                    let mut at = pair;
                    while at != from {
                        let Some((before, step)) = parents.get(&at) else { break };
                        way.push((*step, at));
                        at = *before;
                    }
                    way.reverse();
                    return Some(way);
                }
                if next != from && !parents.contains_key(&next) {
                    parents.insert(next, (pair, step));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// A cycle from a pair through all goals: its pairs, the first one not repeated.
    fn through(&self, entry: Pair, mut goals: Vec<Goal>) -> Vec<Pair> {
        let mut pairs = vec![entry];
        while let Some(last) = pairs.last().copied() {
            if goals.is_empty() {
                break;
            }
            let Some(way) = self.way(last, |pair, step, _| goals.iter().any(|g| self.meets(*g, pair, step))) else {
                break;
            };
            let mut from = last;
            for (step, next) in way {
                goals.retain(|g| !self.meets(*g, from, step));
                pairs.push(next);
                from = next;
            }
        }
        let last = pairs.last().copied().unwrap_or(entry);
        if last == entry && pairs.len() > 1 {
            pairs.pop();
        } else if let Some(way) = self.way(last, |_, _, next| next == entry) {
            pairs.extend(way.iter().map(|(_, next)| *next));
            pairs.pop();
        }
        pairs
    }
}

/// The counterexample that a component holds, see [`crate::liveness::check`].
pub(crate) fn build(product: &Product<'_>, demands: &[Demand], component: &Component<'_>, bound: &[usize]) -> Lasso {
    let within: Set = component.pairs.iter().copied().collect();
    let cycle = Cycle { product, demands, bound, within };
    let goals = cycle.goals();
    // A state that can be stayed in for ever is the simplest one.
    let stutters = |pair: &Pair| {
        let mut own = cycle.steps(*pair).filter(|(_, next)| next == pair);
        own.any(|(step, _)| goals.iter().all(|g| cycle.meets(*g, *pair, step)))
    };
    let simple: Set = component.pairs.iter().copied().filter(stutters).collect();
    let prefix = shortest(product, if simple.is_empty() { &cycle.within } else { &simple });
    let Some(entry) = prefix.last().copied() else { return Lasso { states: Vec::new(), ending: Ending::Any } };
    let round = if simple.is_empty() { cycle.through(entry, goals) } else { vec![entry] };
    joined(&prefix, &round)
}

/// A shortest way from an initial pair to one of the set.
fn shortest(product: &Product<'_>, set: &Set) -> Vec<Pair> {
    let mut parents: Parents = HashMap::default();
    let mut queue = VecDeque::new();
    for pair in product.initial() {
        parents.insert(pair, pair);
        queue.push_back(pair);
    }
    while let Some(pair) = queue.pop_front() {
        if set.contains(&pair) {
            return path(&parents, pair);
        }
        let mut at = Default::default();
        while let Some((_, next)) = product.next(pair, &mut at) {
            if !parents.contains_key(&next) {
                parents.insert(next, pair);
                queue.push_back(next);
            }
        }
    }
    Vec::new()
}

/// The way to a pair; a pair that is its own parent is where it begins.
pub(crate) fn path(parents: &Parents, to: Pair) -> Vec<Pair> {
    let mut way = vec![to];
    let mut at = to;
    while let Some(before) = parents.get(&at).filter(|before| **before != at) {
        way.push(*before);
        at = *before;
    }
    way.reverse();
    way
}

/// The states of a prefix that ends where a cycle begins, and of the cycle; equal ones in a row are one.
fn joined(prefix: &[Pair], round: &[Pair]) -> Lasso {
    let mut states: Vec<u32> = prefix.iter().map(|p| p.state()).collect();
    states.dedup();
    let back = states.len().saturating_sub(1);
    states.extend(round.iter().skip(1).map(|p| p.state()));
    states.dedup();
    while states.len() > back + 1 && states.last() == states.get(back) {
        states.pop();
    }
    folded(states, back)
}

/// The same behaviour in as few states as can be. Pairs are told apart by more than their states: the way to a cycle may end with
/// states of that cycle, and the cycle may be one that is gone round several times.
fn folded(mut states: Vec<u32>, mut back: usize) -> Lasso {
    while back > 0 && states.len() > back + 1 && states.last() == states.get(back - 1) {
        states.pop();
        back -= 1;
    }
    let round = states.get(back..).unwrap_or(&[]);
    let is_period = |n: &usize| round.len() % n == 0 && round.iter().zip(round.iter().skip(*n)).all(|(a, b)| a == b);
    let period = (1..=round.len()).find(is_period).unwrap_or(round.len());
    states.truncate(back + period);
    let ending = if states.len() == back + 1 { Ending::Stutters } else { Ending::Back(back) };
    Lasso { states, ending }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lasso(states: &[u32], back: usize) -> (Vec<u32>, Ending) {
        let Lasso { states, ending } = folded(states.to_vec(), back);
        (states, ending)
    }

    #[test]
    fn the_way_to_a_cycle_does_not_go_along_the_cycle() {
        assert_eq!(lasso(&[1, 2, 3, 2], 2), (vec![1, 2, 3], Ending::Back(1)));
        assert_eq!(lasso(&[2, 3, 1, 2, 3], 2), (vec![2, 3, 1], Ending::Back(0)));
        assert_eq!(lasso(&[1, 2, 3, 4], 2), (vec![1, 2, 3, 4], Ending::Back(2)));
        assert_eq!(lasso(&[1, 2], 1), (vec![1, 2], Ending::Stutters));
    }

    #[test]
    fn a_cycle_is_gone_round_once() {
        assert_eq!(lasso(&[1, 2, 3, 2, 3], 1), (vec![1, 2, 3], Ending::Back(1)));
        assert_eq!(lasso(&[2, 3, 2, 3, 2], 1), (vec![2, 3], Ending::Back(0)));
    }
}
