//! Breadth-first search, level by level.
//!
//! With one worker states are expanded in the order in which TLC's single worker does, so that a search that ends early has
//! the same counts. With several, the states of a level are shared out; a level is finished before the next begins, so that a
//! counterexample stays as short as can be, and a complete search has the same counts whatever the number of workers.

use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::expansion::{Expansion, Tally};
use crate::keep::{Disk, Frontier};
use crate::liveness::lasso::{Ending, Lasso};
use crate::liveness::normal::Problem;
use crate::liveness::product::Bounds;
use crate::liveness::recorder::{Notebook, Recorder};
use crate::liveness::{FIRST_GRAPH, GROWTH, Liveness};
use crate::progress::Progress;
use crate::queue::Queue;
use crate::space::{Expand, StateSpace};
use crate::store::{Hand, MAX_STATES, StateId, Store};

/// States of one level that several workers expand before limits are looked at.
const ROUND: usize = 1 << 14;
/// States that are expanded before memory is looked at: levels may be small, and looking asks every table.
const LOOK: usize = 1 << 10;
/// States that one of several workers expands before it tells how far it is.
const TELL: u64 = 1 << 5;
/// Bytes that the walk for temporal properties may take, however full memory is.
const LEAST_WALK: usize = 1 << 20;
/// Most states of a graph on which temporal properties are checked: its numbers must have room for those that are left out.
const MAX_GRAPH: usize = 1 << 31;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Workers; at least one.
    pub workers: usize,
    /// A state without successors ends the search.
    pub deadlock: bool,
    /// Most distinct states; one more is a limit reached.
    pub max_states: usize,
    /// Most bytes for states and what belongs to them; more is a limit reached.
    pub max_bytes: usize,
    /// Most levels, initial states being the first; states of the last are found and checked, not expanded.
    pub max_depth: usize,
    /// A violation does not end the search: all are reported, in the order in which they are found.
    pub keep_going: bool,
    /// When the graph is searched for a behaviour that disproves temporal properties.
    pub liveness: Liveness,
    /// Search by iterative deepening, with one worker and without temporal properties: where its random numbers begin.
    pub deepening: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            workers: 1,
            deadlock: true,
            max_states: usize::MAX,
            max_bytes: usize::MAX,
            max_depth: usize::MAX,
            keep_going: false,
            liveness: Liveness::Meanwhile,
            deepening: None,
        }
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
    /// A behaviour that disproves a temporal property, and how it goes on after the last state.
    Temporal(Vec<Step>, Ending),
    /// The state space itself failed while the last state of the path was expanded (an initial state: no path).
    Failure(F, Vec<Step>),
    /// A limit was reached.
    Limit(Limit),
    /// States cannot be moved to disk. None is lost.
    Full(String),
    /// States cannot be read from the disk any more, or a checkpoint cannot be gone on from.
    Disk(String),
    /// [`Progress::stop`] or [`Progress::interrupt`] was called.
    Stopped,
}

impl<V, F> End<V, F> {
    /// The search could go on; it gives way to what was found meanwhile.
    fn is_break(&self) -> bool {
        matches!(self, End::Limit(_) | End::Full(_) | End::Stopped)
    }
}

/// A limit of [`Settings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Settings::max_states`].
    States,
    /// [`Settings::max_bytes`].
    Bytes,
    /// There are temporal properties, and more than 2^31 states.
    Graph,
}

/// One state of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The state.
    pub row: Vec<u32>,
    /// The action that led to it; 0 for an initial state, or if that is not known (in a behaviour that disproves a temporal
    /// property).
    pub action: u32,
}

/// What a search found.
#[derive(Debug)]
pub struct Report<V, F> {
    /// Why it ended.
    pub end: End<V, F>,
    /// With [`Settings::keep_going`], what was false; the last state of each path is where.
    pub violations: Vec<(V, Vec<Step>)>,
    /// States generated, duplicates and those outside the constraints included.
    pub generated: u64,
    /// Distinct states within the constraints.
    pub distinct: usize,
    /// States found but not expanded.
    pub left: usize,
    /// Levels reached, initial states being the first.
    pub depth: usize,
    /// What it kept in memory.
    pub kept: Kept,
}

/// Bytes of memory that a search keeps. What workers remember to save time is none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// States, each with the one before it and the action, and the tables by which they are found; at the end.
    pub states: usize,
    /// What their numbers mean ([`StateSpace::bytes`]); at the end.
    pub values: usize,
    /// The lists of states that are to be expanded; at most.
    pub queue: usize,
    /// The most states that were to be expanded at one time; no bytes.
    pub queued: usize,
}

/// The end of a search whose states cannot be read any more.
fn unreadable<V, F>(why: &str) -> End<V, F> {
    End::Disk(format!("states that were moved to disk cannot be read: {why}"))
}

/// A state's number in the graph that temporal properties are checked on; the search ends before it does not fit.
pub(crate) fn short(id: StateId) -> u32 {
    id.number() as u32
}

/// A search in progress.
pub(crate) struct Search<'s, S: StateSpace> {
    pub(crate) space: &'s S,
    pub(crate) store: Store,
    pub(crate) settings: Settings,
    pub(crate) progress: &'s Progress,
    pub(crate) disk: Disk<'s>,
    /// Bytes of the lists of states to be expanded, when the round began.
    pub(crate) standing: AtomicUsize,
    /// The most of these.
    longest: AtomicUsize,
    /// The most states that were to be expanded.
    queued: AtomicUsize,
    /// Bytes that the values of expansions under way take, as far as they were told.
    pub(crate) held: AtomicUsize,
    stop: AtomicBool,
    /// A state is half expanded, so that no checkpoint can be made any more.
    pub(crate) broken: AtomicBool,
    pub(crate) recorder: Option<Recorder<'s>>,
    end: Mutex<Option<End<S::Violation, S::Failure>>>,
    pub(crate) violations: Mutex<Vec<(S::Violation, Vec<Step>)>>,
}

/// Searches a state space. `progress` must be new; it tells how far the search is, and can end it.
pub fn search<S: StateSpace>(space: &S, settings: Settings, progress: &Progress) -> Report<S::Violation, S::Failure> {
    search_with(space, settings, progress, None, Disk::default(), None)
}

/// As [`search`]; then the graph is searched for a behaviour that disproves temporal properties. If a finite prefix disproves
/// them, the search ends with it. `disk` says what may be put on disk, and where; `resume` is a checkpoint to go on from.
pub fn search_with<'s, S: StateSpace>(
    space: &'s S,
    settings: Settings,
    progress: &'s Progress,
    problem: Option<&'s Problem>,
    disk: Disk<'s>,
    resume: Option<&mut dyn Read>,
) -> Report<S::Violation, S::Failure> {
    let search = Search {
        space,
        store: Store::new(space.width(), space.key_width()),
        settings,
        progress,
        disk,
        standing: AtomicUsize::new(0),
        longest: AtomicUsize::new(0),
        queued: AtomicUsize::new(0),
        held: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        broken: AtomicBool::new(false),
        recorder: problem.map(Recorder::new),
        end: Mutex::new(None),
        violations: Mutex::new(Vec::new()),
    };
    search.run(resume);
    if let Some(failure) = search.store.failure() {
        search.finish(unreadable(failure));
    }
    search.store.settle();
    let (queue, queued) = (search.longest.into_inner(), search.queued.into_inner());
    let kept = Kept { states: search.store.bytes(), values: space.bytes(), queue, queued };
    let end = search.end.into_inner().unwrap_or_else(PoisonError::into_inner);
    Report {
        end: end.unwrap_or(End::Complete),
        violations: search.violations.into_inner().unwrap_or_else(PoisonError::into_inner),
        generated: progress.generated(),
        // Iterative deepening does not count all that it stores.
        distinct: if settings.deepening.is_some() { progress.distinct() as usize } else { search.store.len() },
        left: progress.queue() as usize,
        depth: progress.depth() as usize,
        kept,
    }
}

impl<S: StateSpace> Search<'_, S> {
    fn run(&self, resume: Option<&mut dyn Read>) {
        let (mut frontier, mut workers) = match resume.map(|input| self.resume(input)) {
            None => self.begin(),
            Some(Ok(resumed)) => resumed,
            Some(Err(error)) => return self.finish(End::Disk(format!("the checkpoint cannot be read: {error}"))),
        };
        if let Some(seed) = self.settings.deepening {
            self.deepen(seed, &frontier, &mut workers);
        }
        let crew = Mutex::new(workers);
        if self.settings.deepening.is_none() {
            self.expand_all(&mut frontier, &crew);
        }
        self.progress.settle();
        if self.recorder.is_some() {
            // To look for a behaviour takes long, too.
            self.keep_if_due(&frontier, &crew);
        }
        self.disprove(true);
        let mut workers = crew.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(keeper) = self.disk.keeper.filter(|k| k.wants_last() && self.could_go_on()) {
            self.keep(keeper, &frontier, &workers);
        }
        // A level counts as reached when the first of its states is found, also if the search ends there.
        self.progress.depth.fetch_add(u64::from(!frontier.next.is_empty()), Ordering::Relaxed);
        while workers.len() < self.settings.workers {
            workers.push(self.space.worker());
        }
        self.space.ended(workers);
    }

    /// Generates the initial states.
    fn begin(&self) -> (Frontier, Vec<S::Worker>) {
        let (mut level, mut worker, mut notebook) = (Vec::new(), self.space.worker(), Notebook::default());
        let mut hand = self.store.hand();
        let mut expansion = Expansion::new(self, None, (&mut level, &mut hand), &mut notebook);
        let result = self.space.initial(&mut worker, &mut expansion);
        let mut tally = Tally::default();
        expansion.count(&mut tally);
        let reached = expansion.generated > 0;
        if let Err(failure) = result {
            self.finish(End::Failure(failure, Vec::new()));
        }
        tally.tell(self.progress);
        self.broken.fetch_or(self.stopped(), Ordering::Relaxed);
        self.progress.initial.store(level.len() as u64, Ordering::Relaxed);
        self.progress.depth.store(u64::from(reached), Ordering::Relaxed);
        if let Some(recorder) = &self.recorder {
            recorder.begin(level.iter().map(|id| short(*id)));
        }
        (Frontier::new(level), vec![worker])
    }

    /// Expands level after level. Workers wait in `crew` between one chunk of states and the next.
    fn expand_all(&self, frontier: &mut Frontier, crew: &Mutex<Vec<S::Worker>>) {
        let (mut unlooked, mut graph_at) = (0, FIRST_GRAPH);
        // It may have been asked to end while the initial states were generated.
        self.look_at_stop();
        while !self.stopped() && self.progress.depth() < self.settings.max_depth as u64 {
            // Several workers get many states at once, unless memory is short.
            let short = self.progress.bytes() as usize > self.settings.max_bytes / 2;
            let most = if short || self.settings.workers <= 1 { LOOK } else { ROUND };
            self.standing.store(frontier.bytes(), Ordering::Relaxed);
            self.longest.fetch_max(frontier.bytes(), Ordering::Relaxed);
            self.queued.fetch_max(self.progress.queue() as usize, Ordering::Relaxed);
            let Some((round, next)) = frontier.round(most) else {
                let goes_on = frontier.descend();
                self.progress.depth.fetch_add(u64::from(goes_on), Ordering::Relaxed);
                if goes_on {
                    continue;
                }
                break;
            };
            unlooked += round.len();
            let left_out = match self.settings.workers {
                0 | 1 => self.expand_alone(crew, round, next),
                _ => self.expand_together(crew, round, next),
            };
            frontier.leave_out(left_out);
            self.look_at_limits();
            if self.progress.distinct() as usize >= graph_at && self.settings.liveness == Liveness::Meanwhile {
                graph_at *= GROWTH;
                self.disprove(false);
            }
            if unlooked >= LOOK {
                unlooked = 0;
                self.look_at_memory(frontier.bytes());
            }
            self.keep_if_due(frontier, crew);
        }
    }

    fn keep_if_due(&self, frontier: &Frontier, crew: &Mutex<Vec<S::Worker>>) {
        if let Some(keeper) = self.disk.keeper
            && !self.stopped()
            && keeper.is_due()
        {
            self.keep(keeper, frontier, &crew.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Nothing was found, and no state is half expanded: a checkpoint makes sense.
    fn could_go_on(&self) -> bool {
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        end.as_ref().is_some_and(End::is_break) && !self.broken.load(Ordering::Relaxed)
    }

    /// Nothing has ended the search, and no state is half expanded: a checkpoint makes sense.
    pub(crate) fn could_be_kept(&self) -> bool {
        !self.stopped() && !self.broken.load(Ordering::Relaxed)
    }

    /// The search has ended for a reason that leaves nothing to be found.
    pub(crate) fn must_end(&self) -> bool {
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        self.progress.stop_requested() || end.as_ref().is_some_and(|e| e.is_break() || matches!(e, End::Disk(_)))
    }

    /// The search ends since a state cannot be read.
    pub(crate) fn finish_unreadable(&self) {
        self.finish(unreadable(self.store.failure().unwrap_or("a state is not there")));
    }

    /// Between rounds nothing is being expanded.
    pub(crate) fn look_at_limits(&self) {
        let distinct = self.progress.distinct() as usize;
        if distinct > self.settings.max_states.min(MAX_STATES) {
            self.finish(End::Limit(Limit::States));
        }
        if self.recorder.is_some() && distinct > MAX_GRAPH {
            self.finish(End::Limit(Limit::Graph));
        }
        if let Some(failure) = self.store.failure() {
            self.finish(unreadable(failure));
        }
        self.look_at_stop();
    }

    /// Whether the search has ended, or is to end now.
    pub(crate) fn look_at_stop(&self) -> bool {
        if self.progress.stop_requested() {
            self.finish(End::Stopped);
        }
        self.stopped()
    }

    /// Expands states one after the other; gives the number of those that were.
    fn expand_in_order(&self, worker: &mut S::Worker, states: &[StateId], next: &mut Vec<StateId>) -> usize {
        let (mut row, mut notebook, mut done) = (Vec::new(), Notebook::default(), 0);
        let (alone, mut tally, mut hand) = (self.settings.workers <= 1, Tally::default(), self.store.hand());
        for state in states {
            if alone {
                // What is asked of the run while the state is expanded is exact.
                self.progress.queue.fetch_sub(1, Ordering::Relaxed);
            } else {
                tally.expanded += 1;
            }
            self.expand(worker, *state, &mut row, (next, &mut hand), (&mut notebook, &mut tally));
            done += 1;
            if alone {
                tally.tell(self.progress);
                self.record(&mut notebook);
                self.watch(std::slice::from_ref(state));
            } else if tally.expanded == TELL {
                tally.tell(self.progress);
            }
            if self.look_at_stop() {
                break;
            }
        }
        tally.tell(self.progress);
        self.record(&mut notebook);
        done
    }

    /// Gives the states that were not expanded because the search was stopped.
    fn expand_alone(&self, crew: &Mutex<Vec<S::Worker>>, states: &[StateId], next: &mut Queue) -> Vec<StateId> {
        let mut crew = crew.lock().unwrap_or_else(PoisonError::into_inner);
        if crew.is_empty() {
            crew.push(self.space.worker());
        }
        let mut found = Vec::new();
        let done = crew.first_mut().map_or(0, |worker| self.expand_in_order(worker, states, &mut found));
        next.extend(found);
        states[done..].to_vec()
    }

    /// As [`Search::expand_alone`], with all workers.
    fn expand_together(&self, crew: &Mutex<Vec<S::Worker>>, states: &[StateId], next: &mut Queue) -> Vec<StateId> {
        self.store.make_room();
        let chunk = (states.len() / (self.settings.workers * 32)).clamp(1, 1024);
        let chunks: Vec<&[StateId]> = states.chunks(chunk).collect();
        let found: Vec<(Vec<StateId>, usize)> = chunks
            .par_iter()
            // What a worker has begun nobody takes from it.
            .with_max_len(1)
            .map(|states| {
                let lock = || crew.lock().unwrap_or_else(PoisonError::into_inner);
                let waiting = lock().pop();
                let mut worker = waiting.unwrap_or_else(|| self.space.worker());
                let mut next = Vec::new();
                let done = self.expand_in_order(&mut worker, states, &mut next);
                lock().push(worker);
                (next, done)
            })
            .collect();
        let mut left_out = Vec::new();
        for ((found, done), states) in found.into_iter().zip(chunks) {
            next.extend(found);
            left_out.extend_from_slice(&states[done..]);
        }
        self.watch(states);
        left_out
    }

    fn expand(
        &self,
        worker: &mut S::Worker,
        state: StateId,
        row: &mut Vec<u32>,
        found: (&mut Vec<StateId>, &mut Hand<'_>),
        (notebook, tally): (&mut Notebook, &mut Tally),
    ) {
        self.store.read(state, row);
        if row.len() != self.space.width() {
            return self.finish_unreadable();
        }
        notebook.successors.clear();
        let mut expansion = Expansion::new(self, Some(state), found, notebook);
        let expand = Expand { state: row, level: self.progress.depth(), action: None };
        let result = self.space.successors(worker, expand, &mut expansion);
        expansion.count(tally);
        match result {
            Err(failure) => self.finish(End::Failure(failure, self.path(state))),
            Ok(()) if expansion.ended => {}
            Ok(()) if expansion.generated == 0 && self.settings.deadlock => {
                self.finish(End::Deadlock(self.path(state)));
            }
            Ok(()) => self.observe(worker, state, row, notebook),
        }
    }

    /// Writes down the steps of a state that was expanded, with what temporal properties ask of them.
    fn observe(&self, worker: &mut S::Worker, state: StateId, row: &[u32], notebook: &mut Notebook) {
        let Some(recorder) = &self.recorder else { return };
        let Notebook { successors, observed, pages, .. } = notebook;
        successors.add(short(state), row);
        observed.begin(&successors.numbers);
        let expand = Expand { state: row, level: self.progress.depth(), action: None };
        let seen = self.space.observe(worker, recorder.problem, expand, &successors.rows, observed);
        let ahead = |worker| match successors.fresh.as_slice() {
            [] => Ok(()),
            fresh => self.space.look_ahead(worker, recorder.problem, expand, fresh),
        };
        match seen.and_then(|()| ahead(worker)) {
            Ok(()) => pages.push(short(state), observed),
            Err(failure) => self.finish(End::Failure(failure, self.path(state))),
        }
    }

    fn record(&self, notebook: &mut Notebook) {
        if let Some(recorder) = &self.recorder {
            recorder.append(&mut notebook.pages);
        }
    }

    /// These states have been expanded and recorded.
    fn watch(&self, states: &[StateId]) {
        if let Some(recorder) = &self.recorder
            && !self.stopped()
            && let Some(lasso) = recorder.watch(states.iter().map(|s| short(*s)))
        {
            self.finish(self.temporal(&lasso));
        }
    }

    /// Looks for a behaviour that disproves the temporal properties among the states expanded so far, if the search has found
    /// nothing wrong; these are all states if it is `complete`. A cycle of these is one of the whole graph.
    fn disprove(&self, complete: bool) {
        if let Some(recorder) = &self.recorder
            && self.settings.liveness != Liveness::Never
            && !self.stopped()
        {
            if complete {
                self.space.searched(&self.violations.lock().unwrap_or_else(PoisonError::into_inner));
            }
            let room = self.settings.max_bytes.saturating_sub(self.progress.bytes() as usize);
            let bounds = Bounds::new(self.progress, room.max(LEAST_WALK));
            match recorder.find(&bounds) {
                Some(lasso) => self.finish(self.temporal(&lasso)),
                None if complete && bounds.full.get() => self.finish(End::Limit(Limit::Bytes)),
                None => drop(self.look_at_stop()),
            }
        }
    }

    pub(crate) fn temporal(&self, lasso: &Lasso) -> End<S::Violation, S::Failure> {
        let step = |number: &u32| {
            let mut row = Vec::new();
            self.store.read(StateId::of(u64::from(*number)), &mut row);
            Step { row, action: 0 }
        };
        let states: Vec<Step> = lasso.states.iter().map(step).collect();
        match self.store.failure() {
            Some(failure) => unreadable(failure),
            None => End::Temporal(states, lasso.ending),
        }
    }

    /// The first end is the one that is reported; one after which the search could go on gives way to others.
    pub(crate) fn finish(&self, end: End<S::Violation, S::Failure>) {
        // What is found while the search ends belongs to a state that is half expanded.
        self.broken.fetch_or(!end.is_break(), Ordering::Relaxed);
        let mut slot = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let outranks = |first: &End<S::Violation, S::Failure>| match end {
            // What was found since then is not to be trusted.
            End::Disk(_) => true,
            _ => first.is_break() && !end.is_break(),
        };
        if slot.as_ref().is_none_or(outranks) {
            *slot = Some(end);
        }
        self.stop.store(true, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The search has ended since there is no more room: what is being expanded would only take more.
    pub(crate) fn out_of_memory(&self) -> bool {
        let end = || self.end.lock().unwrap_or_else(PoisonError::into_inner);
        self.stopped() && matches!(*end(), Some(End::Limit(Limit::Bytes) | End::Full(_) | End::Disk(_)))
    }

    /// The states from an initial one to this.
    pub(crate) fn path(&self, state: StateId) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = Some(state);
        while let Some(state) = at {
            let mut row = Vec::new();
            self.store.read(state, &mut row);
            if row.len() != self.space.width() {
                // The disk has failed, which is what will be reported.
                break;
            }
            let origin = self.store.origin(state);
            steps.push(Step { row, action: origin.action });
            at = origin.from;
        }
        steps.reverse();
        steps
    }
}
