//! Breadth-first search, level by level.
//!
//! With one worker states are expanded in the order in which TLC's single worker does, so that a search that ends early has
//! the same counts. With several, the states of a level are shared out; a level is finished before the next begins, so that a
//! counterexample stays as short as can be, and a complete search has the same counts whatever the number of workers.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::space::{StateSpace, Visit, Visited};
use crate::store::{Origin, StateId, Store};

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Workers; at least one.
    pub workers: usize,
    /// A state without successors ends the search.
    pub deadlock: bool,
    /// Most distinct states; one more is a limit reached.
    pub max_states: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { workers: 1, deadlock: true, max_states: usize::MAX }
    }
}

/// Why a search ended.
#[derive(Debug)]
pub enum End<V, F> {
    /// Every state was found and nothing was wrong.
    Complete,
    /// Something that was checked is false; the last state of the path is where.
    Violation(V, Vec<Step>),
    /// The last state of the path has no successor.
    Deadlock(Vec<Step>),
    /// The state space itself failed while the last state of the path was expanded (an initial state: no path).
    Failure(F, Vec<Step>),
    /// The limit on states was reached.
    Limit,
}

/// One state of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The state.
    pub row: Vec<u32>,
    /// The action that led to it; 0 for an initial state.
    pub action: u32,
}

/// What a search found.
#[derive(Debug)]
pub struct Report<V, F> {
    /// Why it ended.
    pub end: End<V, F>,
    /// States generated, duplicates and those outside the constraints included.
    pub generated: u64,
    /// Distinct states within the constraints.
    pub distinct: usize,
    /// States found but not expanded.
    pub left: usize,
    /// Levels reached, initial states being the first.
    pub depth: usize,
}

/// A search in progress.
struct Search<'s, S: StateSpace> {
    space: &'s S,
    store: Store,
    settings: Settings,
    generated: AtomicU64,
    stop: AtomicBool,
    end: Mutex<Option<End<S::Violation, S::Failure>>>,
}

/// Searches a state space.
pub fn search<S: StateSpace>(space: &S, settings: Settings) -> Report<S::Violation, S::Failure> {
    let search = Search {
        space,
        store: Store::new(space.width()),
        settings,
        generated: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        end: Mutex::new(None),
    };
    let (depth, left) = search.run();
    let end = search.end.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Report {
        end: end.unwrap_or(End::Complete),
        generated: search.generated.into_inner(),
        distinct: search.store.len(),
        left,
        depth,
    }
}

impl<S: StateSpace> Search<'_, S> {
    fn run(&self) -> (usize, usize) {
        let mut level = Vec::new();
        let mut worker = self.space.worker();
        let result = self.space.initial(&mut worker, &mut |visit| self.visit(visit, None, &mut level));
        self.conclude(result, None);
        let mut depth = usize::from(self.generated.load(Ordering::Relaxed) > 0);
        while !level.is_empty() && !self.stopped() {
            let (next, left) = match self.settings.workers {
                0 | 1 => self.expand_in_order(&mut worker, &level),
                _ => self.expand_together(&level),
            };
            // A level counts as reached when the first of its states is found, also if the search ends there.
            depth += usize::from(!next.is_empty());
            if self.stopped() {
                return (depth, left + next.len());
            }
            level = next;
        }
        (depth, level.len())
    }

    fn expand_in_order(&self, worker: &mut S::Worker, level: &[StateId]) -> (Vec<StateId>, usize) {
        let mut next = Vec::new();
        let mut row = Vec::new();
        for (i, state) in level.iter().enumerate() {
            self.expand(worker, *state, &mut row, &mut next);
            if self.stopped() {
                return (next, level.len() - i - 1);
            }
        }
        (next, 0)
    }

    fn expand_together(&self, level: &[StateId]) -> (Vec<StateId>, usize) {
        let chunk = (level.len() / (self.settings.workers * 8)).clamp(1, 1024);
        let chunks: Vec<&[StateId]> = level.chunks(chunk).collect();
        let found: Vec<Vec<StateId>> = chunks
            .par_iter()
            .map_init(
                || self.space.worker(),
                |worker, states| {
                    let (mut next, mut row) = (Vec::new(), Vec::new());
                    for state in *states {
                        if self.stopped() {
                            break;
                        }
                        self.expand(worker, *state, &mut row, &mut next);
                    }
                    next
                },
            )
            .collect();
        (found.concat(), 0)
    }

    fn expand(&self, worker: &mut S::Worker, state: StateId, row: &mut Vec<u32>, next: &mut Vec<StateId>) {
        self.store.read(state, row);
        let mut any = false;
        let result = self.space.successors(worker, row, &mut |visit| {
            any = true;
            self.visit(visit, Some(state), next)
        });
        let ended = result.as_ref().map_or(true, Option::is_some);
        self.conclude(result, Some(state));
        if !any && !ended && self.settings.deadlock {
            self.finish(End::Deadlock(self.path(state)));
        }
    }

    /// A state was generated.
    fn visit(&self, visit: Visit<'_>, from: Option<StateId>, next: &mut Vec<StateId>) -> Visited {
        self.generated.fetch_add(1, Ordering::Relaxed);
        if !visit.inside {
            return Visited::Outside;
        }
        match self.store.insert(visit.row, Origin { from, action: visit.action }) {
            None => Visited::Known,
            Some(id) => {
                next.push(id);
                if next.len() > self.settings.max_states {
                    self.finish(End::Limit);
                }
                Visited::New
            }
        }
    }

    fn conclude(&self, result: Result<Option<S::Found>, S::Failure>, from: Option<StateId>) {
        let path = || from.map(|f| self.path(f)).unwrap_or_default();
        match result {
            Ok(None) => {}
            Ok(Some(found)) => {
                let (violation, last) = self.space.split(found);
                let mut steps = path();
                steps.push(last);
                self.finish(End::Violation(violation, steps));
            }
            Err(failure) => self.finish(End::Failure(failure, path())),
        }
    }

    /// The first end is the one that is reported.
    fn finish(&self, end: End<S::Violation, S::Failure>) {
        let mut slot = self.end.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        slot.get_or_insert(end);
        self.stop.store(true, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The states from an initial one to this.
    fn path(&self, state: StateId) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = Some(state);
        while let Some(state) = at {
            let mut row = Vec::new();
            self.store.read(state, &mut row);
            let origin = self.store.origin(state);
            steps.push(Step { row, action: origin.action });
            at = origin.from;
        }
        steps.reverse();
        steps
    }
}
