//! Units that need each other in a circle: in whatever order they stand, one of them uses a name that means nothing yet.

use hashbrown::HashSet;

use super::{Judge, Meaning};
use crate::analysis::graph::{Kind, Sym};
use crate::analysis::stubs::Stubs;
use crate::analysis::table::Analyser;

/// For each unit, which circle it belongs to; a unit in none has one for itself.
#[derive(Default)]
pub(super) struct Circles {
    number: Vec<usize>,
}

impl Circles {
    /// Whether a unit and one that gives the name its meaning later belong to the same circle.
    pub(super) fn holds(&self, unit: usize, meaning: Option<&Meaning>) -> bool {
        let Some(number) = self.number.get(unit) else { return false };
        meaning.is_some_and(|m| m.sound.iter().any(|later| *later > unit && self.number.get(*later) == Some(number)))
    }
}

impl Judge<'_> {
    /// Finds the circles among the units: a unit needs those before it whose names it uses, and those behind it that define
    /// what had to be stood in for.
    pub(super) fn circles(
        &self,
        analyser: &Analyser,
        stubs: &Stubs,
        meanings: &hashbrown::HashMap<std::sync::Arc<str>, Meaning>,
    ) -> Circles {
        let mut needs: Vec<Vec<usize>> = vec![Vec::new(); self.units.len()];
        let mut later = false;
        for (name, _, spot) in &stubs.uses {
            let base = name.split('!').next().unwrap_or(name);
            let (Some(unit), Some(meaning)) = (self.unit_at(spot.span), meanings.get(base)) else { continue };
            let found = meaning.sound.iter().filter(|l| **l > unit);
            later |= found.clone().next().is_some();
            needs[unit].extend(found);
        }
        if !later {
            return Circles::default();
        }
        let stand_ins: HashSet<Sym> = stubs.symbols.values().copied().collect();
        for (kind, spot) in &analyser.graph.nodes {
            let (Kind::Apply { op, .. } | Kind::OpArg(op)) = kind else { continue };
            let there = analyser.graph.symbol(*op).spot;
            if spot.file != 0 || there.file != 0 || stand_ins.contains(op) {
                continue;
            }
            if let (Some(user), Some(used)) = (self.unit_at(spot.span), self.unit_at(there.span))
                && user > used
            {
                needs[user].push(used);
            }
        }
        Circles { number: components(&needs) }
    }
}

/// The number of the strongly connected component of each node (Kosaraju's algorithm).
fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
    for (from, to) in edges.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |to| (from, *to))) {
        back[to].push(from);
    }
    let mut seen = vec![false; edges.len()];
    let mut order = Vec::with_capacity(edges.len());
    for root in 0..edges.len() {
        finish(edges, root, &mut seen, &mut order);
    }
    let mut number = vec![usize::MAX; edges.len()];
    for root in order.into_iter().rev() {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if number[node] == usize::MAX {
                number[node] = root;
                open.extend(&back[node]);
            }
        }
    }
    number
}

/// Appends what is reached from a node in the order in which a depth-first walk leaves it.
fn finish(edges: &[Vec<usize>], root: usize, seen: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[root], true) {
        return;
    }
    let mut path = vec![(root, 0)];
    while let Some((node, next)) = path.last_mut() {
        match edges[*node].get(*next) {
            Some(to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[*to], true) {
                    path.push((*to, 0));
                }
            }
            None => {
                order.push(*node);
                path.pop();
            }
        }
    }
}
