//! Hearing how a search goes: a state space that counts what passes through it.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use primed_explore::liveness::graph::Observed;
use primed_explore::liveness::normal::Problem;
use primed_explore::search::Step;
use primed_explore::space::{Aftermath, Expand, StateSpace, Visit, Visited, Visitor};
use primed_value::encode::{damaged, read_number, write_number};

use crate::model::graph::Graph;
use crate::model::report::{CheckVerdict, TraceState};

/// What one expansion found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// States generated, duplicates included.
    pub generated: u64,
    /// States that were new.
    pub distinct: u64,
    /// States that the constraints allow.
    pub inside: u64,
}

/// What becomes of the checkpoints of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointEvent<'e> {
    /// One is being written to this folder.
    Begun(&'e Path),
    /// It is on disk, and has so many bytes.
    Written {
        /// Its size.
        bytes: u64,
    },
    /// It could not be written; those before it are still there.
    Failed(&'e str),
    /// One that is there cannot be used; the one before it is tried.
    Damaged(&'e str),
    /// The search goes on from this one.
    Recovering(&'e Path),
    /// It has been read.
    Recovered {
        /// The distinct states that were known.
        distinct: u64,
        /// Those of them that are still to be expanded.
        left: u64,
    },
}

/// Hears how a search goes. Calls come from the workers, and should be short.
pub trait Watch: Sync {
    /// The assumptions hold; initial states are generated now.
    fn started(&self) {}

    /// So many initial states were generated so far, duplicates included: a power of two, and there are more.
    fn initial_progress(&self, _generated: u64) {}

    /// All states were found, and nothing was wrong with them; temporal properties are looked at now.
    fn checking_temporal(&self) {}

    /// A pass of iterative deepening ([`crate::Mode::Bounded`]) begins that finds the states of this level. So many states were
    /// generated until now, and so many are known.
    fn level(&self, _level: u64, _generated: u64, _distinct: u64) {}

    /// All initial states were generated, and nothing ended the search.
    fn initial_states(&self, _found: Expanded) {}

    /// Something becomes of a checkpoint.
    fn checkpoint(&self, _event: CheckpointEvent<'_>) {}

    /// Something was found, with the states that lead to it. Post-conditions are evaluated after that.
    fn found(&self, _verdict: &CheckVerdict, _trace: &[TraceState]) {}

    /// Whether [`Watch::behaviour`] is called: it takes time.
    fn hears_behaviours(&self) -> bool {
        false
    }

    /// A worker of a simulation, by its number, finished a behaviour, the first one having number 0.
    fn behaviour(&self, _worker: usize, _number: u64, _trace: &[TraceState]) {}

    /// Who receives the state graph, if somebody does: it takes time.
    fn graph(&self) -> Option<&Mutex<dyn Graph>> {
        None
    }
}

/// Nobody listens.
pub(crate) struct NoWatch;

impl Watch for NoWatch {}

/// Degrees that are told apart; TLC counts all higher ones as the last.
const DEGREES: usize = 32;

/// How many new states the states of a graph lead to, as TLC counts it (message 2268).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutDegree {
    /// How many states were expanded; the other numbers mean something if there are any.
    pub states: u64,
    /// The fewest.
    pub minimum: usize,
    /// The most.
    pub maximum: usize,
    /// The average, rounded.
    pub mean: u64,
    /// What is exceeded by fewer than 5 of 100 states.
    pub percentile_95: usize,
}

#[derive(Clone, Debug, Default)]
struct Histogram([u64; DEGREES]);

impl Histogram {
    fn add(&mut self, degree: u64) {
        let bucket = usize::try_from(degree).unwrap_or(DEGREES).min(DEGREES - 1);
        self.0[bucket] += 1;
    }

    fn summary(&self) -> OutDegree {
        let counts = &self.0;
        let states: u64 = counts.iter().sum();
        if states == 0 {
            return OutDegree::default();
        }
        let sum: u64 = counts.iter().enumerate().map(|(degree, n)| degree as u64 * n).sum();
        let (position, mut seen) = ((states as f64 * 0.95) as u64, 0);
        let reached = counts.iter().position(|n| {
            seen += n;
            seen > position
        });
        OutDegree {
            states,
            minimum: counts.iter().position(|n| *n > 0).unwrap_or(0),
            maximum: counts.iter().rposition(|n| *n > 0).unwrap_or(0),
            mean: (2 * sum + states) / (2 * states),
            percentile_95: reached.unwrap_or(0),
        }
    }
}

/// What passed through: each worker counts for itself, since a counter that all write costs more than many an expansion.
#[derive(Clone, Debug, Default)]
struct Counts {
    degrees: Histogram,
    /// How many states each action led to, and how many of them were new; at 0 the initial states.
    taken: Vec<[u64; 2]>,
}

impl Counts {
    fn of_actions(actions: u32) -> Counts {
        Counts { degrees: Histogram::default(), taken: vec![[0; 2]; actions as usize + 1] }
    }

    fn all(&mut self) -> impl Iterator<Item = &mut u64> {
        self.degrees.0.iter_mut().chain(self.taken.iter_mut().flatten())
    }

    fn add(&mut self, other: &Counts) {
        self.all().zip(other.clone().all()).for_each(|(sum, n)| *sum += *n);
    }
}

/// A worker of the space that is watched, with what it counted.
pub(super) struct CountingWorker<W> {
    worker: W,
    counts: Counts,
}

/// Hears of what was false, with the paths to it.
pub(super) type Announce<'w, S> = dyn Fn(&[(<S as StateSpace>::Violation, Vec<Step>)]) + Sync + 'w;

/// A state space, watched.
pub(super) struct Watched<'w, S: StateSpace> {
    space: &'w S,
    watch: &'w dyn Watch,
    /// What workers that are no more have counted, and what was counted before the checkpoint that the search goes on from.
    counts: Mutex<Counts>,
    /// Tells what was false on the way, before temporal properties are looked at.
    announce: &'w Announce<'w, S>,
    /// Violations that were reported; initial states with one are not announced.
    violations: AtomicU64,
    /// A new state violates something, and the search ended there.
    unqueued: AtomicBool,
}

impl<'w, S: StateSpace> Watched<'w, S> {
    pub(super) fn new(space: &'w S, watch: &'w dyn Watch, announce: &'w Announce<'w, S>) -> Watched<'w, S> {
        let counts = Mutex::new(Counts::of_actions(space.actions()));
        Watched { space, watch, announce, counts, violations: AtomicU64::new(0), unqueued: AtomicBool::new(false) }
    }

    fn counting(&self, worker: S::Worker) -> CountingWorker<S::Worker> {
        CountingWorker { worker, counts: Counts::of_actions(self.space.actions()) }
    }

    /// What all workers have counted, of whom these are still at work.
    fn counts<'c>(&self, working: impl Iterator<Item = &'c Counts>) -> Counts {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone();
        working.for_each(|of_worker| counts.add(of_worker));
        counts
    }

    /// After the search: the degrees of all states.
    pub(super) fn degrees(&self) -> OutDegree {
        self.counts(std::iter::empty()).degrees.summary()
    }

    /// The state that was looked at last is new, and the search ended there.
    pub(super) fn unqueued(&self) -> bool {
        self.unqueued.load(Ordering::Relaxed)
    }

    /// After the search: for each action, at 0 for the initial predicate, the states that it led to and how many of them were new.
    pub(super) fn taken(&self) -> Vec<[u64; 2]> {
        self.counts(std::iter::empty()).taken
    }
}

/// The visitor of one expansion, counted.
struct Counting<'c, V> {
    visitor: &'c mut dyn Visitor<V>,
    /// Who hears of initial states, while they are generated.
    initial: Option<&'c dyn Watch>,
    found: Expanded,
    violations: &'c AtomicU64,
    unqueued: &'c AtomicBool,
    /// The state that was visited last is new.
    fresh: bool,
    /// A violation ended the search.
    ended: bool,
    counts: &'c mut Counts,
    /// The action that was taken last, and what it led to so far: successors come action by action.
    action: u32,
    by_action: Expanded,
}

impl<'c, V> Counting<'c, V> {
    fn new<S: StateSpace>(
        watched: &'c Watched<'_, S>,
        counts: &'c mut Counts,
        visitor: &'c mut dyn Visitor<V>,
    ) -> Counting<'c, V> {
        let (found, by_action) = (Expanded::default(), Expanded::default());
        Counting {
            visitor,
            initial: None,
            found,
            violations: &watched.violations,
            unqueued: &watched.unqueued,
            fresh: false,
            ended: false,
            counts,
            action: 0,
            by_action,
        }
    }

    /// Adds up what the last action led to.
    fn settle(&mut self) {
        let Expanded { generated, distinct, .. } = std::mem::take(&mut self.by_action);
        if let Some([all, new]) = self.counts.taken.get_mut(self.action as usize) {
            *all += generated;
            *new += distinct;
        }
    }
}

impl<V> Visitor<V> for Counting<'_, V> {
    fn visit(&mut self, visit: Visit<'_>) -> Visited {
        if let Some(watch) = self.initial
            && self.found.generated > 1
            && self.found.generated.is_power_of_two()
        {
            watch.initial_progress(self.found.generated);
        }
        let visited = self.visitor.visit(visit);
        if visit.action != self.action {
            self.settle();
            self.action = visit.action;
        }
        self.fresh = matches!(visited, Visited::New(_));
        let new = u64::from(self.fresh);
        self.found.generated += 1;
        self.found.inside += u64::from(visit.inside);
        self.found.distinct += new;
        self.by_action.generated += 1;
        self.by_action.distinct += new;
        visited
    }

    fn passed(&mut self, states: u64) {
        self.visitor.passed(states);
    }

    fn uncounted(&mut self, generated: u64, new: u64) {
        self.visitor.uncounted(generated, new);
    }

    fn violated(&mut self, violation: V, row: &[u32], action: u32) -> bool {
        self.violations.fetch_add(1, Ordering::Relaxed);
        let goes_on = self.visitor.violated(violation, row, action);
        self.ended |= !goes_on;
        // An initial state is queued before it is checked.
        if self.fresh && !goes_on && self.initial.is_none() {
            self.unqueued.store(true, Ordering::Relaxed);
        }
        goes_on
    }

    fn path(&self) -> Vec<Vec<u32>> {
        self.visitor.path()
    }

    fn is_over(&mut self, held: usize) -> bool {
        self.visitor.is_over(held)
    }
}

impl<S: StateSpace> StateSpace for Watched<'_, S> {
    type Worker = CountingWorker<S::Worker>;
    type Violation = S::Violation;
    type Failure = S::Failure;

    fn width(&self) -> usize {
        self.space.width()
    }

    fn key_width(&self) -> usize {
        self.space.key_width()
    }

    fn actions(&self) -> u32 {
        self.space.actions()
    }

    fn choices(&self) -> u32 {
        self.space.choices()
    }

    fn bytes(&self) -> usize {
        self.space.bytes()
    }

    fn worker(&self) -> Self::Worker {
        self.counting(self.space.worker())
    }

    fn ends(&self, violation: &S::Violation) -> bool {
        self.space.ends(violation)
    }

    fn deepens(&self, level: u64, generated: u64, distinct: u64) {
        self.watch.level(level, generated, distinct);
    }

    fn after(&self, failure: &S::Failure) -> Aftermath {
        self.space.after(failure)
    }

    fn searched(&self, violations: &[(S::Violation, Vec<Step>)]) {
        (self.announce)(violations);
        self.watch.checking_temporal();
    }

    fn ended(&self, workers: Vec<Self::Worker>) {
        let counts = self.counts(workers.iter().map(|w| &w.counts));
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) = counts;
        self.space.ended(workers.into_iter().map(|w| w.worker).collect());
    }

    fn save(&self, workers: &[&Self::Worker], out: &mut dyn Write) -> io::Result<()> {
        let mut counts = self.counts(workers.iter().map(|w| &w.counts));
        write_number(out, counts.all().count() as u64)?;
        counts.all().try_for_each(|n| write_number(out, *n))?;
        write_number(out, self.violations.load(Ordering::Relaxed))?;
        let workers: Vec<&S::Worker> = workers.iter().map(|w| &w.worker).collect();
        self.space.save(&workers, out)
    }

    fn restore(&self, input: &mut dyn Read) -> io::Result<Vec<Self::Worker>> {
        let mut counts = Counts::of_actions(self.space.actions());
        if read_number(input)? != counts.all().count() as u64 {
            return Err(damaged("the next-state relation has other actions"));
        }
        for n in counts.all() {
            *n = read_number(input)?;
        }
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) = counts;
        self.violations.store(read_number(input)?, Ordering::Relaxed);
        Ok(self.space.restore(input)?.into_iter().map(|worker| self.counting(worker)).collect())
    }

    fn resumed(&self, distinct: u64, left: u64) {
        self.watch.checkpoint(CheckpointEvent::Recovered { distinct, left });
    }

    fn save_violation(&self, violation: &S::Violation, out: &mut dyn Write) -> io::Result<()> {
        self.space.save_violation(violation, out)
    }

    fn restore_violation(&self, input: &mut dyn Read) -> io::Result<S::Violation> {
        self.space.restore_violation(input)
    }

    fn initial(&self, worker: &mut Self::Worker, visitor: &mut dyn Visitor<S::Violation>) -> Result<(), S::Failure> {
        // The worker may be let go after that.
        let mut counts = Counts::of_actions(self.space.actions());
        let mut counting = Counting { initial: Some(self.watch), ..Counting::new(self, &mut counts, visitor) };
        let result = self.space.initial(&mut worker.worker, &mut counting);
        counting.settle();
        if result.is_ok() && !counting.ended {
            self.watch.initial_states(counting.found);
        }
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).add(&counts);
        result
    }

    fn successors(
        &self,
        worker: &mut Self::Worker,
        expand: Expand<'_>,
        visitor: &mut dyn Visitor<S::Violation>,
    ) -> Result<(), S::Failure> {
        let CountingWorker { worker, counts } = worker;
        let mut counting = Counting::new(self, counts, visitor);
        let result = self.space.successors(worker, expand, &mut counting);
        counting.settle();
        let degree = counting.found.distinct;
        counts.degrees.add(degree);
        result
    }

    fn look_ahead(
        &self,
        worker: &mut Self::Worker,
        problem: &Problem,
        expand: Expand<'_>,
        fresh: &[u32],
    ) -> Result<(), S::Failure> {
        self.space.look_ahead(&mut worker.worker, problem, expand, fresh)
    }

    fn observe(
        &self,
        worker: &mut Self::Worker,
        problem: &Problem,
        expand: Expand<'_>,
        successors: &[u32],
        observed: &mut Observed,
    ) -> Result<(), S::Failure> {
        self.space.observe(&mut worker.worker, problem, expand, successors, observed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_summed_up_as_tlc_does() {
        let mut degrees = Histogram::default();
        assert_eq!(degrees.summary(), OutDegree::default());
        for degree in [1, 1, 0, 4] {
            degrees.add(degree);
        }
        let expected = OutDegree { states: 4, minimum: 0, maximum: 4, mean: 2, percentile_95: 4 };
        assert_eq!(degrees.summary(), expected);
        degrees.add(1000);
        assert_eq!(degrees.summary().maximum, 31);
    }
}
