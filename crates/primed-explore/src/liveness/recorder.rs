//! What a search remembers for temporal properties.

use std::io::{self, Read, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashSet;

use crate::liveness::check;
use crate::liveness::graph::{Graph, Observed, Pages};
use crate::liveness::lasso::Lasso;
use crate::liveness::normal::Problem;
use crate::liveness::product::Bounds;
use crate::liveness::watch::Watch;
use crate::store::StateId;

/// The different successors of the state that is being expanded, the state itself among them: it may always stutter.
#[derive(Debug, Default)]
pub(crate) struct Successors {
    pub(crate) numbers: Vec<u32>,
    /// Their rows, one after the other.
    pub(crate) rows: Vec<u32>,
    /// The rows of those that are new.
    pub(crate) fresh: Vec<u32>,
    seen: HashSet<u32, ahash::RandomState>,
}

impl Successors {
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.rows.clear();
        self.fresh.clear();
        self.seen.clear();
    }

    /// Adds a successor unless it is there already.
    pub(crate) fn add(&mut self, number: u32, row: &[u32]) {
        if self.seen.insert(number) {
            self.numbers.push(number);
            self.rows.extend_from_slice(row);
        }
    }
}

/// What one worker uses again and again.
#[derive(Debug, Default)]
pub(crate) struct Notebook {
    /// All successors in the order in which they were found, for iterative deepening.
    pub(crate) seen: Vec<StateId>,
    pub(crate) successors: Successors,
    pub(crate) observed: Observed,
    pub(crate) pages: Pages,
}

/// The graph that is recorded.
#[derive(Debug)]
pub(crate) struct Recorder<'p> {
    pub(crate) problem: &'p Problem,
    graph: Mutex<Graph>,
    watch: Mutex<Option<Watch>>,
}

impl<'p> Recorder<'p> {
    pub(crate) fn new(problem: &'p Problem) -> Recorder<'p> {
        Recorder { problem, graph: Mutex::new(Graph::new(problem)), watch: Mutex::new(None) }
    }

    fn graph(&self) -> MutexGuard<'_, Graph> {
        self.graph.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The initial states are known.
    pub(crate) fn begin(&self, initial: impl Iterator<Item = u32>) {
        let initial: Vec<u32> = initial.collect();
        let watch = Watch::new(self.problem, &initial);
        *self.watch.lock().unwrap_or_else(PoisonError::into_inner) = (!watch.is_idle()).then_some(watch);
        self.graph().initial = initial;
    }

    /// Bytes that the graph takes.
    pub(crate) fn bytes(&self) -> usize {
        self.graph().bytes()
    }

    /// Takes over what a worker has observed.
    pub(crate) fn append(&self, pages: &mut Pages) {
        self.graph().append(pages);
    }

    /// States have been expanded and taken over, in this order: gives a way that disproves a property already.
    pub(crate) fn watch(&self, states: impl Iterator<Item = u32>) -> Option<Lasso> {
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        let watch = watch.as_mut()?;
        let graph = self.graph();
        states.into_iter().find_map(|state| watch.expanded(self.problem, &graph, state))
    }

    /// All states are known: a behaviour that disproves the properties. None is found if the walk ends at its bounds.
    pub(crate) fn find(&self, bounds: &Bounds<'_>) -> Option<Lasso> {
        check::find(self.problem, &self.graph(), bounds)
    }

    /// The states that were expanded, in the order in which they were taken over.
    pub(crate) fn expanded(&self) -> Vec<u32> {
        self.graph().expanded()
    }

    /// Writes the graph. What is watched for follows from it.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.graph().write(out)
    }

    /// Reads what [`Recorder::write`] wrote.
    pub(crate) fn restore(&self, input: &mut dyn Read) -> io::Result<()> {
        let graph = Graph::read(self.problem, input)?;
        self.begin(graph.initial.iter().copied());
        *self.graph() = graph;
        Ok(())
    }
}
