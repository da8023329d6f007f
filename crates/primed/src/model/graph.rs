//! The state graph, given away while it is found.

use std::sync::{Mutex, PoisonError};

use hashbrown::HashMap;
use primed_engine::TakenParameter;
use primed_engine::env::Env;
use primed_explore::space::Visited;
use primed_explore::store::StateId;
use primed_value::print;

use crate::model::ModelChecker;
use crate::model::counterexample::printed;

/// A state of the graph.
#[derive(Clone, Copy, Debug)]
pub struct GraphState<'g> {
    /// Its number; they begin with 1.
    pub number: u64,
    /// Its level, 1 for an initial state.
    pub level: u64,
    /// It satisfies the constraints.
    pub inside: bool,
    /// Variables with their values as TLC prints them.
    pub values: &'g [(String, String)],
}

/// A step of the graph.
#[derive(Clone, Copy, Debug)]
pub struct GraphStep<'g> {
    /// The state before it.
    pub from: u64,
    /// The state after it.
    pub to: u64,
    /// The action, if it has a name.
    pub action: Option<&'g str>,
    /// The action with the values of its parameters.
    pub signature: &'g str,
}

/// Receives a state graph. A step comes before the state that it leads to for the first time.
pub trait Graph: Send {
    /// A state was found.
    fn state(&mut self, state: &GraphState<'_>);

    /// A step was found. It may be found more than once, by different actions.
    fn step(&mut self, step: &GraphStep<'_>);
}

/// Gives the states that a search visits to a [`Graph`].
pub(super) struct Dumper<'g> {
    graph: &'g Mutex<dyn Graph>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Levels; state `n` is at `n - 1`.
    levels: Vec<u64>,
    by_id: HashMap<StateId, u64, ahash::RandomState>,
    /// States that are stored, and those outside the constraints.
    by_row: HashMap<Vec<u32>, u64, ahash::RandomState>,
}

impl Known {
    /// The state's number, and whether it is new.
    fn number(&mut self, row: &[u32], visited: Visited, level: u64) -> (u64, bool) {
        let known = match visited {
            Visited::New(id) | Visited::Known(id) => self.by_id.get(&id),
            Visited::Outside => self.by_row.get(row),
        };
        if let Some(number) = known {
            return (*number, false);
        }
        self.levels.push(level);
        let number = self.levels.len() as u64;
        if let Visited::New(id) | Visited::Known(id) = visited {
            self.by_id.insert(id, number);
        }
        self.by_row.insert(row.to_vec(), number);
        (number, true)
    }
}

impl<'g> Dumper<'g> {
    pub(super) fn new(graph: &'g Mutex<dyn Graph>) -> Dumper<'g> {
        Dumper { graph, known: Mutex::default() }
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        let Known { levels, by_id, by_row } = &*self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let row = by_row.keys().next().map_or(0, |row| row.capacity() * size_of::<u32>());
        levels.capacity() * size_of::<u64>() + by_id.allocation_size() + by_row.allocation_size() + by_row.len() * row
    }

    /// The environment's current state was visited, coming from the state of the row `before` (none for an initial one).
    pub(super) fn found<'a>(
        &self,
        checker: &'a ModelChecker,
        env: &mut Env<'a>,
        before: &[u32],
        row: &[u32],
        visited: Visited,
    ) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let from = known.by_row.get(before).copied();
        let level = from.and_then(|from| known.levels.get(from as usize - 1)).map_or(1, |level| level + 1);
        let (number, new) = known.number(row, visited, level);
        // The lock on what is known is kept, so that no other worker gives away a step to this state before the state.
        let mut graph = self.graph.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(from) = from {
            let action = checker.next.actions.get((env.action() as usize).wrapping_sub(1));
            let action = action.and_then(|a| a.name.as_deref());
            let signature = signature(env, action.unwrap_or("UnnamedAction"));
            graph.step(&GraphStep { from, to: number, action, signature: &signature });
        }
        if new {
            let state = env.current().to_vec();
            let shown = checker.model.shown.iter().map(|id| id.0 as usize);
            let shown = shown.filter_map(|i| Some((checker.model.variables.get(i)?, *state.get(i)?)));
            let values: Vec<(String, String)> =
                shown.map(|(v, value)| (v.name.to_string(), printed(env, value))).collect();
            let inside = !matches!(visited, Visited::Outside);
            graph.state(&GraphState { number, level, inside, values: &values });
        }
    }
}

/// The action with the values of its parameters, as TLC writes it.
fn signature(env: &mut Env<'_>, name: &str) -> String {
    let parameters = env.taken().to_vec();
    if parameters.is_empty() {
        return name.to_owned();
    }
    let values = parameters.into_iter().filter_map(|(_, parameter)| match parameter {
        TakenParameter::Value(value) => Some(print::print_short(env, value, usize::MAX)),
        TakenParameter::Operator(_) => None,
    });
    format!("{name}({})", values.collect::<Vec<_>>().join(","))
}
