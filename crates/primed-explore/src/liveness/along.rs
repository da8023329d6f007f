//! Temporal properties of one behaviour, as a simulation makes it.

use hashbrown::HashMap;

use crate::liveness::check;
use crate::liveness::graph::{Graph, Observed, Pages};
use crate::liveness::lasso::Ending;
use crate::liveness::normal::Problem;
use crate::liveness::product::Bounds;
use crate::progress::Progress;
use crate::search::Step;
use crate::space::{Expand, StateSpace};

/// Looks for a way to go round for ever on the states of a finite behaviour, or to stay in one of them, that disproves the
/// properties: the states of it, and how it goes on. States that are met again are where it can go back to.
///
/// # Errors
/// The space's own.
pub fn along<S: StateSpace>(
    space: &S,
    problem: &Problem,
    path: &[Step],
) -> Result<Option<(Vec<Step>, Ending)>, S::Failure> {
    let mut numbers: HashMap<&[u32], u32, ahash::RandomState> = HashMap::default();
    let (mut states, mut next): (Vec<&Step>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
    let mut before: Option<u32> = None;
    for step in path {
        let number = *numbers.entry(&step.row).or_insert_with(|| {
            states.push(step);
            // Every state may stutter.
            next.push(vec![states.len() as u32 - 1]);
            states.len() as u32 - 1
        });
        if let Some(successors) = before.and_then(|b| next.get_mut(b as usize))
            && !successors.contains(&number)
        {
            successors.push(number);
        }
        before = Some(number);
    }
    let (mut graph, mut pages, mut observed) = (Graph::new(problem), Pages::default(), Observed::default());
    let mut worker = space.worker();
    for (number, step) in states.iter().enumerate() {
        let rows: Vec<u32> = next[number].iter().flat_map(|n| &states[*n as usize].row).copied().collect();
        observed.begin(&next[number]);
        let expand = Expand { state: &step.row, level: number as u64 + 1, action: None };
        space.observe(&mut worker, problem, expand, &rows, &mut observed)?;
        pages.push(number as u32, &observed);
    }
    graph.append(&mut pages);
    graph.initial = if states.is_empty() { Vec::new() } else { vec![0] };
    let found = check::find(problem, &graph, &Bounds::new(&Progress::default(), usize::MAX));
    Ok(found.map(|lasso| {
        let path = lasso.states.iter().map(|n| Step { row: states[*n as usize].row.clone(), action: 0 });
        (path.collect(), lasso.ending)
    }))
}
