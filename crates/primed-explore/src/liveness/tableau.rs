//! The tableau of a formula over states: an automaton whose runs are the behaviours that satisfy it.
//!
//! A node says which state predicates hold now and which formulas must hold from the next state on; a run is fair if every
//! `<>F` that is promised is kept infinitely often (Manna and Pnueli, Temporal Verification of Reactive Systems: Safety, 5.5).

use std::collections::BTreeSet;

use hashbrown::HashMap;

use crate::liveness::formula::{Formula, Level};

/// Nodes that a tableau may have.
const MAX_NODES: usize = 50_000;

/// A state predicate by its number in the problem, and whether it holds.
pub(crate) type Literal = (usize, bool);

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// The literals that hold here.
    pub(crate) literals: Vec<Literal>,
    /// Promises that are made and not kept here, by number, sorted.
    pub(crate) open: Vec<usize>,
    /// The obligations of the next state, by number; equal for nodes with the same successors.
    obligations: usize,
}

/// A tableau.
#[derive(Debug)]
pub struct Tableau {
    /// The nodes.
    pub(crate) nodes: Vec<Node>,
    /// The nodes that a behaviour may begin in.
    pub(crate) initial: Vec<u32>,
    /// The successors, by obligations.
    successors: Vec<Vec<u32>>,
    /// How many promises there are.
    pub(crate) promises: usize,
    /// A promise contains an "always".
    promises_always: bool,
}

/// A formula with its parts by number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    Constant(bool),
    Literal(usize, bool),
    And(Vec<usize>),
    Or(Vec<usize>),
    Always(usize),
    Eventually(usize),
}

#[derive(Default)]
struct Parts {
    all: Vec<Part>,
    numbers: HashMap<Part, usize>,
    /// For each promise, the number of its `<>F` and of F.
    promises: Vec<(usize, usize)>,
}

impl Parts {
    fn number(&mut self, part: Part) -> usize {
        if let Some(number) = self.numbers.get(&part) {
            return *number;
        }
        let number = self.all.len();
        if let Part::Eventually(inner) = part {
            self.promises.push((number, inner));
        }
        self.all.push(part.clone());
        self.numbers.insert(part, number);
        number
    }

    fn add(&mut self, formula: &Formula, state: &mut dyn FnMut(&Formula) -> usize) -> usize {
        let part = match formula {
            Formula::Constant(b) => Part::Constant(*b),
            Formula::Not(inner) if inner.level() < Level::Temporal => match &**inner {
                Formula::Constant(b) => Part::Constant(!b),
                inner => Part::Literal(state(inner), false),
            },
            other if other.level() < Level::Temporal => Part::Literal(state(other), true),
            Formula::And(items) => Part::And(items.iter().map(|i| self.add(i, state)).collect()),
            Formula::Or(items) => Part::Or(items.iter().map(|i| self.add(i, state)).collect()),
            Formula::Always(inner) => Part::Always(self.add(inner, state)),
            Formula::Eventually(inner) => Part::Eventually(self.add(inner, state)),
            // Negation has been pushed inwards: it stands before state formulas only.
            Formula::Atom(_) | Formula::Not(_) => Part::Literal(state(formula), true),
        };
        self.number(part)
    }
}

impl Parts {
    fn promises_always(&self) -> bool {
        // What a part consists of has smaller numbers.
        let mut always: Vec<bool> = Vec::with_capacity(self.all.len());
        for part in &self.all {
            let contains = match part {
                Part::Always(_) => true,
                Part::Eventually(inner) => always[*inner],
                Part::And(items) | Part::Or(items) => items.iter().any(|i| always[*i]),
                Part::Constant(_) | Part::Literal(..) => false,
            };
            always.push(contains);
        }
        self.promises.iter().any(|(_, inner)| always[*inner])
    }
}

/// A node that is being made.
#[derive(Clone, Default)]
struct Draft {
    todo: Vec<usize>,
    holds: BTreeSet<usize>,
    literals: BTreeSet<Literal>,
    next: BTreeSet<usize>,
}

impl Tableau {
    /// The tableau of a conjunction; `state` gives the number of a state formula. `None` if it grows too large.
    pub(crate) fn new(formulas: &[Formula], state: &mut dyn FnMut(&Formula) -> usize) -> Option<Tableau> {
        let mut parts = Parts::default();
        let first: BTreeSet<usize> = formulas.iter().map(|f| parts.add(f, state)).collect();
        let mut tableau = Tableau {
            nodes: Vec::new(),
            initial: Vec::new(),
            successors: Vec::new(),
            promises: parts.promises.len(),
            promises_always: parts.promises_always(),
        };
        let mut known: HashMap<BTreeSet<usize>, usize> = HashMap::new();
        known.insert(first.clone(), 0);
        let mut obligations = vec![first];
        let mut done = 0;
        while done < obligations.len() {
            let mut successors = Vec::new();
            for (draft, open) in drafts(&parts, &obligations[done])? {
                let next = match known.get(&draft.next) {
                    Some(next) => *next,
                    None => {
                        known.insert(draft.next.clone(), obligations.len());
                        obligations.push(draft.next);
                        obligations.len() - 1
                    }
                };
                let node = Node { literals: draft.literals.into_iter().collect(), open, obligations: next };
                let number = tableau.nodes.iter().position(|n| *n == node).unwrap_or_else(|| {
                    tableau.nodes.push(node);
                    tableau.nodes.len() - 1
                });
                successors.push(number as u32);
            }
            successors.dedup();
            tableau.successors.push(successors);
            if tableau.nodes.len() > MAX_NODES {
                return None;
            }
            done += 1;
        }
        tableau.initial = tableau.successors.first().cloned().unwrap_or_default();
        Some(tableau)
    }

    /// Whether something of the form `<>F` has to hold where F contains an "always".
    pub fn promises_always(&self) -> bool {
        self.promises_always
    }

    /// The nodes that may follow a node.
    pub(crate) fn next(&self, node: u32) -> &[u32] {
        let obligations = self.nodes.get(node as usize).map_or(0, |n| n.obligations);
        self.successors.get(obligations).map_or(&[], Vec::as_slice)
    }

    /// What its nodes ask of states.
    pub(crate) fn literals(&self) -> impl Iterator<Item = Literal> + '_ {
        self.nodes.iter().flat_map(|node| node.literals.iter().copied())
    }

    /// Whatever follows this node satisfies the formula: nothing is required of it.
    pub(crate) fn is_settled(&self, node: u32) -> bool {
        let Some(this) = self.nodes.get(node as usize) else { return false };
        this.literals.is_empty() && this.open.is_empty() && self.next(node) == [node]
    }

    /// The tableau requires nothing at all.
    pub(crate) fn is_trivial(&self) -> bool {
        matches!(self.initial.as_slice(), [only] if self.is_settled(*only))
    }
}

/// Every way to satisfy the obligations in one state, with the promises that it leaves open.
fn drafts(parts: &Parts, obligations: &BTreeSet<usize>) -> Option<Vec<(Draft, Vec<usize>)>> {
    let mut found: Vec<(Draft, Vec<usize>)> = Vec::new();
    let mut stack = vec![Draft { todo: obligations.iter().copied().collect(), ..Draft::default() }];
    while let Some(mut draft) = stack.pop() {
        if stack.len() > MAX_NODES {
            return None;
        }
        let Some(part) = draft.todo.pop() else {
            let open = open_promises(parts, &draft);
            let weaker = |(other, other_open): &(Draft, Vec<usize>)| {
                other.literals.is_subset(&draft.literals)
                    && other.next.is_subset(&draft.next)
                    && other_open.iter().all(|p| open.contains(p))
            };
            if !found.iter().any(weaker) {
                found.push((draft, open));
            }
            continue;
        };
        if !draft.holds.insert(part) {
            stack.push(draft);
            continue;
        }
        expand(parts, part, draft, &mut stack);
    }
    Some(found)
}

/// Takes one part of a draft to pieces.
fn expand(parts: &Parts, part: usize, mut draft: Draft, stack: &mut Vec<Draft>) {
    match &parts.all[part] {
        Part::Constant(false) => {}
        Part::Constant(true) => stack.push(draft),
        Part::Literal(state, holds) => {
            if !draft.literals.contains(&(*state, !holds)) {
                draft.literals.insert((*state, *holds));
                stack.push(draft);
            }
        }
        Part::And(items) => {
            draft.todo.extend(items);
            stack.push(draft);
        }
        Part::Or(items) => {
            if items.iter().any(|i| draft.holds.contains(i)) {
                return stack.push(draft);
            }
            for item in items.iter().rev() {
                let mut way = draft.clone();
                way.todo.push(*item);
                stack.push(way);
            }
        }
        Part::Always(inner) => {
            draft.todo.push(*inner);
            draft.next.insert(part);
            stack.push(draft);
        }
        Part::Eventually(inner) => {
            let mut later = draft.clone();
            later.next.insert(part);
            stack.push(later);
            draft.todo.push(*inner);
            stack.push(draft);
        }
    }
}

fn open_promises(parts: &Parts, draft: &Draft) -> Vec<usize> {
    let open = |(promise, (made, kept)): (usize, &(usize, usize))| {
        (draft.holds.contains(made) && !draft.holds.contains(kept)).then_some(promise)
    };
    parts.promises.iter().enumerate().filter_map(open).collect()
}
