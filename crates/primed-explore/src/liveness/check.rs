//! The search for a behaviour that disproves the properties.
//!
//! Such a behaviour goes round in a component of the product graph for ever. A demand `<>[]P \/ []<>Q` is met there if Q
//! occurs in the component or all its steps satisfy P; if neither, it can only be met in a component of what remains without
//! the steps that violate P (Emerson and Lei 1987).

use hashbrown::HashSet;

use crate::liveness::components::{Component, Follow, components};
use crate::liveness::graph::Graph;
use crate::liveness::lasso::{self, Lasso};
use crate::liveness::normal::{Branch, Demand, Problem};
use crate::liveness::product::{Bounds, Numbers, Pair, Product};

/// What a component says of a branch.
enum Found {
    /// It holds a behaviour that disproves the properties.
    Behaviour,
    /// It holds none.
    Nothing,
    /// Perhaps, by steps on which these demands stay.
    Perhaps(Vec<usize>),
}

/// A behaviour of the graph that disproves the properties. None is found if the walk ends at its bounds.
pub(crate) fn find(problem: &Problem, graph: &Graph, bounds: &Bounds<'_>) -> Option<Lasso> {
    problem.branches.iter().find_map(|branch| {
        let product = Product { graph, tableau: problem.tableaux.get(branch.tableau)?, bounds: Some(bounds) };
        in_branch(&product, branch)
    })
}

fn in_branch(product: &Product<'_>, branch: &Branch) -> Option<Lasso> {
    let demands = &branch.demands;
    // Components that may hold a behaviour on steps on which certain demands stay.
    let mut remaining: Vec<(Vec<Pair>, Vec<usize>)> = Vec::new();
    let look = |component: &Component<'_>, bound: &[usize], remaining: &mut Vec<(Vec<Pair>, Vec<usize>)>| {
        match judge(product, demands, component, bound) {
            Found::Behaviour => return Some(lasso::build(product, demands, component, bound)),
            Found::Nothing => {}
            Found::Perhaps(more) => remaining.push((component.pairs.to_vec(), [bound, &more].concat())),
        }
        None
    };
    let only_stays: Vec<usize> = (0..demands.len()).filter(|d| demands[*d].returns.is_none()).collect();
    let follow = |pair: Pair, step: usize, _: Pair| match stay(product, demands, &only_stays, pair, step) {
        true => Follow::Yes,
        false => Follow::Apart,
    };
    let numbers = Numbers::new(product);
    let found = components(product, product.initial(), numbers, follow, |c| look(c, &only_stays, &mut remaining));
    if found.is_some() {
        return found;
    }
    while let Some((pairs, bound)) = remaining.pop().filter(|_| !product.is_stopped()) {
        let within: HashSet<Pair, ahash::RandomState> = pairs.iter().copied().collect();
        let follow = |pair: Pair, step: usize, next: Pair| match within.contains(&next)
            && stay(product, demands, &bound, pair, step)
        {
            true => Follow::Yes,
            false => Follow::No,
        };
        let (roots, numbers) = (pairs.iter().copied(), Numbers::sparse());
        let found = components(product, roots, numbers, follow, |c| look(c, &bound, &mut remaining));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The step satisfies what must stay, of these demands.
pub(crate) fn stay(product: &Product<'_>, demands: &[Demand], bound: &[usize], pair: Pair, step: usize) -> bool {
    bound.iter().all(|d| demands[*d].stays.is_some_and(|check| product.graph.holds(pair.state(), step, check)))
}

/// Whether the component holds a behaviour all of whose steps satisfy what must stay of the demands `bound`.
fn judge(product: &Product<'_>, demands: &[Demand], component: &Component<'_>, bound: &[usize]) -> Found {
    let promises = product.tableau.promises;
    if !(0..promises).all(|p| component.pairs.iter().any(|pair| product.keeps(*pair, p))) {
        return Found::Nothing;
    }
    let mut returned = vec![false; demands.len()];
    let mut stayed: Vec<bool> = demands.iter().map(|d| d.stays.is_some()).collect();
    bound.iter().for_each(|d| returned[*d] = true);
    let mut any = false;
    'walk: for pair in component.pairs {
        let mut at = Default::default();
        while let Some((step, next)) = product.next(*pair, &mut at) {
            if !component.contains(next) || !stay(product, demands, bound, *pair, step) {
                continue;
            }
            any = true;
            for (d, demand) in demands.iter().enumerate() {
                if returned[d] {
                    continue;
                }
                let holds = |check| product.graph.holds(pair.state(), step, check);
                returned[d] = demand.returns.is_some_and(holds);
                stayed[d] = stayed[d] && demand.stays.is_some_and(holds);
            }
            if returned.iter().all(|r| *r) {
                break 'walk;
            }
        }
    }
    if !any {
        return Found::Nothing;
    }
    let unmet: Vec<usize> = (0..demands.len()).filter(|d| !returned[*d] && !stayed[*d]).collect();
    match unmet.as_slice() {
        [] => Found::Behaviour,
        unmet if unmet.iter().all(|d| demands[*d].stays.is_some()) => Found::Perhaps(unmet.to_vec()),
        _ => Found::Nothing,
    }
}
