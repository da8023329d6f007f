//! Properties that a finite prefix disproves, found while states are searched: the newest TLC ends the search there.
//!
//! A branch without demands whose tableau has a node that requires nothing more is disproved by any way to that node.

use hashbrown::{HashMap, HashSet};

use crate::liveness::graph::Graph;
use crate::liveness::lasso::{Ending, Lasso, path};
use crate::liveness::normal::Problem;
use crate::liveness::product::{Pair, Product};

type Parents = HashMap<Pair, Pair, ahash::RandomState>;

/// The pairs of one branch that are reached so far.
#[derive(Debug)]
struct Branch {
    tableau: usize,
    reached: Parents,
    /// For states that are not expanded yet: the nodes to be looked at then, with the pair before each.
    waiting: HashMap<u32, Vec<(u32, Option<Pair>)>, ahash::RandomState>,
}

/// All branches that are watched.
#[derive(Debug)]
pub(crate) struct Watch {
    branches: Vec<Branch>,
    initial: HashSet<u32, ahash::RandomState>,
}

impl Watch {
    /// Watches what can be watched of a problem.
    pub(crate) fn new(problem: &Problem, initial: &[u32]) -> Watch {
        let mut tableaux: Vec<usize> = Vec::new();
        for branch in problem.branches.iter().filter(|b| b.demands.is_empty()) {
            let tableau = &problem.tableaux[branch.tableau];
            let settles = (0..tableau.nodes.len() as u32).any(|node| tableau.is_settled(node));
            if settles && !tableau.is_trivial() && !tableaux.contains(&branch.tableau) {
                tableaux.push(branch.tableau);
            }
        }
        let branch = |tableau| Branch { tableau, reached: Parents::default(), waiting: HashMap::default() };
        let branches: Vec<Branch> = tableaux.into_iter().map(branch).collect();
        let initial = if branches.is_empty() { HashSet::default() } else { initial.iter().copied().collect() };
        Watch { branches, initial }
    }

    /// There is nothing to watch.
    pub(crate) fn is_idle(&self) -> bool {
        self.branches.is_empty()
    }

    /// A state has been expanded; gives a way that disproves the properties.
    pub(crate) fn expanded(&mut self, problem: &Problem, graph: &Graph, state: u32) -> Option<Lasso> {
        let initial = self.initial.contains(&state);
        self.branches.iter_mut().find_map(|branch| branch.expanded(problem, graph, state, initial))
    }
}

impl Branch {
    fn expanded(&mut self, problem: &Problem, graph: &Graph, state: u32, initial: bool) -> Option<Lasso> {
        let product = Product { graph, tableau: &problem.tableaux[self.tableau], bounds: None };
        let mut arrived = self.waiting.remove(&state).unwrap_or_default();
        if initial {
            arrived.extend(product.tableau.initial.iter().map(|node| (*node, None)));
        }
        let mut stack = Vec::new();
        for (node, before) in arrived {
            self.enter(&product, Pair::new(state, node), before, &mut stack);
        }
        while let Some(pair) = stack.pop() {
            if product.tableau.is_settled(pair.node()) {
                let mut states: Vec<u32> = path(&self.reached, pair).iter().map(|p| p.state()).collect();
                states.dedup();
                return Some(Lasso { states, ending: Ending::Any });
            }
            for step in graph.steps(pair.state()) {
                let target = graph.target(step);
                for node in product.tableau.next(pair.node()) {
                    match graph.is_known(target) {
                        true => self.enter(&product, Pair::new(target, *node), Some(pair), &mut stack),
                        false => {
                            let waiting = self.waiting.entry(target).or_default();
                            if !waiting.iter().any(|(n, _)| n == node) {
                                waiting.push((*node, Some(pair)));
                            }
                        }
                    }
                }
            }
        }
        None
    }

    fn enter(&mut self, product: &Product<'_>, pair: Pair, before: Option<Pair>, stack: &mut Vec<Pair>) {
        if product.is_consistent(pair.state(), pair.node()) && !self.reached.contains_key(&pair) {
            self.reached.insert(pair, before.unwrap_or(pair));
            stack.push(pair);
        }
    }
}
