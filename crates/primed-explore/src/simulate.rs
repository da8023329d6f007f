//! Random behaviours: one state after another, chosen by lot among the successors.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use fastrand::Rng;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::progress::Progress;
use crate::search::{End, Limit, Step};
use crate::space::{Expand, StateSpace, Visit, Visited, Visitor};

/// How to simulate.
#[derive(Clone, Copy, Debug)]
pub struct Simulation {
    /// Behaviours that each worker makes; `None` for no end.
    pub behaviours: Option<u64>,
    /// Most steps of a behaviour.
    pub steps: usize,
    /// Where the random numbers begin; each worker has numbers of its own.
    pub seed: u64,
    /// How many random numbers are skipped first.
    pub skip: u64,
    /// Workers; at least one.
    pub workers: usize,
    /// A state without successors is reported.
    pub deadlock: bool,
    /// A violation or a deadlock ends its behaviour, not the simulation (unless it is an initial state's).
    pub keep_going: bool,
    /// Most bytes for the states that can be chosen and what belongs to them; more is a limit reached.
    pub max_bytes: usize,
}

/// States that one expansion generates before memory is looked at.
const LOOK: usize = 1 << 12;

/// What a simulation found.
#[derive(Debug)]
pub struct SimulationReport<V, F> {
    /// Why it ended.
    pub end: End<V, F>,
    /// Behaviours made.
    pub behaviours: u64,
}

/// What ended a behaviour before its time, with [`Simulation::keep_going`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw<V> {
    /// Something is false of its last state or step.
    Violation(V),
    /// The last state has no successor.
    Deadlock,
}

/// Hears, one after the other, what ended behaviours before their time.
pub type Flawed<'f, V> = dyn Fn(Flaw<V>, &[Step]) + Sync + 'f;

/// What becomes of a finished behaviour: it gets the states, the worker's number and how many behaviours that worker has finished
/// before. An end ends the simulation.
pub type Finished<'f, V, F> = dyn Fn(&[Step], usize, u64) -> Option<End<V, F>> + Sync + 'f;

/// Makes random behaviours and gives each to `finished`, or with [`Simulation::keep_going`] to `flawed`. `progress` must be new; it counts the states generated, and can end
/// the simulation.
pub fn simulate<S: StateSpace>(
    space: &S,
    settings: Simulation,
    progress: &Progress,
    finished: &Finished<'_, S::Violation, S::Failure>,
    flawed: &Flawed<'_, S::Violation>,
) -> SimulationReport<S::Violation, S::Failure> {
    let (held, max_bytes) = (|| space.bytes(), settings.max_bytes);
    let shared = Shared {
        end: Mutex::new(None),
        stop: AtomicBool::new(false),
        flawed: settings.keep_going.then_some(flawed),
        telling: Mutex::new(()),
        room: Room { held: &held, waiting: AtomicUsize::new(0), max_bytes },
    };
    let mut worker = space.worker();
    let mut initial = Successors::new(&[], &shared.room);
    let result = space.initial(&mut worker, &mut initial);
    shared.conclude(&mut initial, result.map_err(|f| (f, Vec::new())), &[], progress);
    let mut states = std::mem::take(&mut initial.found);
    progress.initial.store(states.len() as u64, Ordering::Relaxed);
    states.retain(|state| state.inside);
    let done: Vec<(u64, S::Worker)> = if states.is_empty() || shared.stop.load(Ordering::Relaxed) {
        vec![(0, worker)]
    } else {
        (0..settings.workers.max(1))
            .into_par_iter()
            .map(|number| {
                let mut rng = Rng::with_seed(settings.seed.wrapping_add(number as u64));
                (0..settings.skip).for_each(|_| {
                    rng.u64(..);
                });
                let worker = space.worker();
                let mut run = Behaviours { number, space, settings, progress, shared: &shared, rng, worker };
                (run.all(&states, finished), run.worker)
            })
            .collect()
    };
    progress.settle();
    let behaviours = done.iter().map(|d| d.0).sum();
    space.ended(done.into_iter().map(|d| d.1).collect());
    SimulationReport {
        end: shared.end.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or(End::Complete),
        behaviours,
    }
}

/// What all workers share.
struct Shared<'s, V, F> {
    end: Mutex<Option<End<V, F>>>,
    stop: AtomicBool,
    /// Who hears of what ends a behaviour, if it does not end the simulation.
    flawed: Option<&'s Flawed<'s, V>>,
    telling: Mutex<()>,
    room: Room<'s>,
}

/// How much memory there is.
struct Room<'s> {
    /// What the space holds.
    held: &'s (dyn Fn() -> usize + Sync),
    /// Bytes of the states that can be chosen, and of their values, in all expansions under way.
    waiting: AtomicUsize,
    max_bytes: usize,
}

impl Room<'_> {
    fn is_full(&self) -> bool {
        (self.held)() + self.waiting.load(Ordering::Relaxed) > self.max_bytes
    }
}

impl<V, F> Shared<'_, V, F> {
    /// The first end is the one that is reported.
    fn finish(&self, end: End<V, F>) {
        self.end.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(end);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Takes over what one expansion came to; false ends the behaviour.
    fn conclude(
        &self,
        found: &mut Successors<'_, V>,
        result: Result<(), (F, Vec<Step>)>,
        path: &[Step],
        progress: &Progress,
    ) -> bool {
        progress.generated.fetch_add(found.found.len() as u64 + found.passed, Ordering::Relaxed);
        if let Err((failure, path)) = result {
            self.finish(End::Failure(failure, path));
            return false;
        }
        if found.full {
            self.finish(End::Limit(Limit::Bytes));
            return false;
        }
        let Some((violation, last)) = found.violation.take() else { return true };
        let mut path = path.to_vec();
        path.push(last);
        if path.len() > 1 && self.flawed.is_some() {
            self.tell(Flaw::Violation(violation), &path);
        } else {
            self.finish(End::Violation(violation, path));
        }
        false
    }

    /// Tells what ended a behaviour; nothing if that ends the simulation.
    fn tell(&self, flaw: Flaw<V>, path: &[Step]) {
        if let Some(flawed) = &self.flawed {
            let _one = self.telling.lock().unwrap_or_else(PoisonError::into_inner);
            flawed(flaw, path);
        }
    }
}

/// A state that can be chosen.
#[derive(Clone)]
struct Found {
    step: Step,
    inside: bool,
}

/// Collects what one expansion finds.
struct Successors<'p, V> {
    /// The behaviour so far.
    path: &'p [Step],
    found: Vec<Found>,
    /// How many states were on the way to them.
    passed: u64,
    violation: Option<(V, Step)>,
    room: &'p Room<'p>,
    /// What was told of [`Room::waiting`].
    told: usize,
    /// The number of states when that was told.
    looked_at: usize,
    /// There is no room for more.
    full: bool,
}

impl<'p, V> Successors<'p, V> {
    fn new(path: &'p [Step], room: &'p Room<'p>) -> Successors<'p, V> {
        let (found, violation) = (Vec::new(), None);
        Successors { path, found, passed: 0, violation, room, told: 0, looked_at: 0, full: false }
    }

    /// Tells how much memory is taken by `held` bytes of values and the states.
    fn tell(&mut self, held: usize) {
        let row = self.found.last().map_or(0, |found| size_of_val(found.step.row.as_slice()));
        let bytes = held + self.found.len() * (size_of::<Found>() + row);
        self.room.waiting.fetch_add(bytes, Ordering::Relaxed);
        self.room.waiting.fetch_sub(self.told, Ordering::Relaxed);
        (self.told, self.looked_at) = (bytes, self.found.len());
    }
}

impl<V> Drop for Successors<'_, V> {
    fn drop(&mut self) {
        self.room.waiting.fetch_sub(self.told, Ordering::Relaxed);
    }
}

impl<V> Visitor<V> for Successors<'_, V> {
    fn visit(&mut self, visit: Visit<'_>) -> Visited {
        let step = Step { row: visit.row.to_vec(), action: visit.action };
        self.found.push(Found { step, inside: visit.inside });
        // Nothing is remembered: every state is checked.
        Visited::Outside
    }

    fn passed(&mut self, states: u64) {
        self.passed += states;
    }

    fn violated(&mut self, violation: V, row: &[u32], action: u32) -> bool {
        self.violation.get_or_insert_with(|| (violation, Step { row: row.to_vec(), action }));
        false
    }

    fn path(&self) -> Vec<Vec<u32>> {
        self.path.iter().map(|step| step.row.clone()).collect()
    }

    fn is_over(&mut self, held: usize) -> bool {
        if self.found.len() - self.looked_at >= LOOK || held.saturating_sub(self.told) > self.room.max_bytes / 32 {
            self.tell(held);
            self.full = self.room.is_full();
        }
        self.full
    }
}

/// How a behaviour goes on.
enum Next {
    State(Found),
    /// There is no successor, and that is allowed.
    Nothing,
    /// It ends before its time.
    Flaw,
}

/// The behaviours of one worker.
struct Behaviours<'s, S: StateSpace> {
    number: usize,
    space: &'s S,
    settings: Simulation,
    progress: &'s Progress,
    shared: &'s Shared<'s, S::Violation, S::Failure>,
    rng: Rng,
    worker: S::Worker,
}

impl<S: StateSpace> Behaviours<'_, S> {
    fn stopped(&self) -> bool {
        if self.progress.stop_requested() {
            self.shared.finish(End::Stopped);
        }
        self.shared.stop.load(Ordering::Relaxed)
    }

    fn all(&mut self, initial: &[Found], finished: &Finished<'_, S::Violation, S::Failure>) -> u64 {
        let mut made = 0;
        while self.settings.behaviours.is_none_or(|n| made < n) && !self.stopped() {
            let Some(first) = self.rng.choice(initial).cloned() else { break };
            self.progress.behaviours.fetch_add(1, Ordering::Relaxed);
            let (path, whole) = self.behaviour(first);
            if self.shared.room.is_full() {
                // Values are kept for as long as the simulation lasts.
                self.shared.finish(End::Limit(Limit::Bytes));
            }
            if self.shared.stop.load(Ordering::Relaxed) {
                break;
            }
            made += 1;
            if !whole {
                continue;
            }
            self.progress.ended(path.len().min(self.settings.steps) as u64);
            if let Some(end) = finished(&path, self.number, made - 1) {
                self.shared.finish(end);
            }
        }
        made
    }

    /// One behaviour: it ends at the bound, or where there is no successor inside the constraints. False if something ended it
    /// before its time.
    fn behaviour(&mut self, first: Found) -> (Vec<Step>, bool) {
        let mut path = vec![first.step];
        while path.len() <= self.settings.steps && !self.stopped() {
            match self.step(&path) {
                Next::State(next) => path.push(next.step),
                Next::Nothing => break,
                Next::Flaw => return (path, false),
            }
        }
        (path, true)
    }

    /// An action is drawn, and those after it are tried in steps until one has a successor, as TLC does.
    fn step(&mut self, path: &[Step]) -> Next {
        let Some(state) = path.last() else { return Next::Nothing };
        let actions = self.space.choices().max(1);
        let (mut action, stride) = (self.rng.u32(..actions), self.stride(actions));
        for _ in 0..actions {
            let mut found = Successors::new(path, &self.shared.room);
            let expand = Expand { state: &state.row, level: path.len() as u64, action: Some(action) };
            let result = self.space.successors(&mut self.worker, expand, &mut found);
            let result = result.map_err(|failure| (failure, path.to_vec()));
            if !self.shared.conclude(&mut found, result, path, self.progress) {
                return Next::Flaw;
            }
            found.found.retain(|found| found.inside);
            if !found.found.is_empty() {
                let chosen = self.rng.usize(..found.found.len());
                return Next::State(found.found.swap_remove(chosen));
            }
            action = (action + stride) % actions;
        }
        if !self.settings.deadlock {
            return Next::Nothing;
        }
        if self.settings.keep_going {
            self.shared.tell(Flaw::Deadlock, path);
        } else {
            self.shared.finish(End::Deadlock(path.to_vec()));
        }
        Next::Flaw
    }

    /// A number that has no divisor in common with the number of actions, so that all come to their turn.
    fn stride(&mut self, actions: u32) -> u32 {
        loop {
            let candidate = self.rng.u32(1..=actions);
            let (mut a, mut b) = (candidate, actions);
            while b > 0 {
                (a, b) = (b, a % b);
            }
            if a == 1 {
                return candidate;
            }
        }
    }
}
