//! What is searched, seen from the search.

use std::io::{self, Read, Write};

use crate::liveness::graph::Observed;
use crate::liveness::normal::Problem;
use crate::search::Step;
use crate::store::StateId;

/// A state that was generated.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'v> {
    /// Its ids, one for each variable.
    pub row: &'v [u32],
    /// What states are told apart by, [`StateSpace::key_width`] ids; not looked at if that is 0, the row being the key.
    pub key: &'v [u32],
    /// It satisfies the constraints.
    pub inside: bool,
    /// The action that led to it, as the state space counts them.
    pub action: u32,
}

/// What the search says of a generated state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visited {
    /// It was not known: check it.
    New(StateId),
    /// It was known.
    Known(StateId),
    /// It is outside the constraints and not kept: check it all the same, as TLC does.
    Outside,
}

/// What iterative deepening does after a failure, as TLC does it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aftermath {
    /// It goes through the rest of what the initial state leads to.
    pub goes_on: bool,
    /// It expands the state once more at the end, to tell where the failure was; unless the last pass was the deepest.
    pub again: bool,
}

/// A state to be expanded.
#[derive(Clone, Copy, Debug)]
pub struct Expand<'e> {
    /// Its ids.
    pub state: &'e [u32],
    /// Its level, 1 for an initial state.
    pub level: u64,
    /// Only the successors of this action; `None` for those of all, in order.
    pub action: Option<u32>,
}

/// The search, seen from the space.
pub trait Visitor<V> {
    /// A state was generated.
    fn visit(&mut self, visit: Visit<'_>) -> Visited;

    /// So many states were generated on the way to others (by compositions of actions): they count, and are nothing else.
    fn passed(&mut self, states: u64);

    /// So many of the states that were visited last, and so many new ones among them, do not count after all.
    fn uncounted(&mut self, generated: u64, new: u64) {
        let _ = (generated, new);
    }

    /// Something that is checked is false in the state (`row`) that was visited last, or on the step to it by `action`.
    /// The space goes on if this is true, and ends at once if not.
    fn violated(&mut self, violation: V, row: &[u32], action: u32) -> bool;

    /// The states from an initial one to the one that is expanded, which is the last; none while initial states are generated.
    fn path(&self) -> Vec<Vec<u32>>;

    /// No more states are wanted; the space asks after each. `held`: bytes that the values of this expansion take by now.
    fn is_over(&mut self, held: usize) -> bool {
        let _ = held;
        false
    }
}

/// A state space. Rows of equal states are equal.
pub trait StateSpace: Sync {
    /// What one worker needs for itself.
    type Worker: Send;
    /// What is false.
    type Violation: Send;
    /// Why states could not be generated or checked.
    type Failure: Send;

    /// Ids in a row.
    fn width(&self) -> usize;

    /// Ids in a key; 0 if the row is its own key. Two states with one key (under a view, or symmetric) are searched once.
    fn key_width(&self) -> usize {
        0
    }

    /// The actions that the next-state relation is made of; successors say by number which they come from.
    fn actions(&self) -> u32 {
        1
    }

    /// What a simulation draws among: actions that differ in the values of their parameters are several.
    fn choices(&self) -> u32 {
        self.actions()
    }

    /// Bytes that the space holds beside the states, for the limit on memory.
    fn bytes(&self) -> usize {
        0
    }

    /// A new worker. The first generates the initial states.
    fn worker(&self) -> Self::Worker;

    /// The search ends with this violation, also where others do not end it ([`crate::search::Settings::keep_going`]).
    fn ends(&self, violation: &Self::Violation) -> bool {
        let _ = violation;
        false
    }

    /// A pass of iterative deepening begins, which expands the states above this level.
    fn deepens(&self, level: u64, generated: u64, distinct: u64) {
        let _ = (level, generated, distinct);
    }

    /// What iterative deepening does after this failure.
    fn after(&self, failure: &Self::Failure) -> Aftermath {
        let _ = failure;
        Aftermath::default()
    }

    /// All states were found; temporal properties are looked at now. What was false on the way, with the paths to it, if the search
    /// went on after it.
    fn searched(&self, violations: &[(Self::Violation, Vec<Step>)]) {
        let _ = violations;
    }

    /// The search has ended: what its workers have become.
    fn ended(&self, workers: Vec<Self::Worker>) {
        drop(workers);
    }

    /// Writes, for a checkpoint, what rows mean and what workers have become; all workers are given, the first to begin with first.
    ///
    /// # Errors
    /// Those of writing; something that cannot be written.
    fn save(&self, workers: &[&Self::Worker], out: &mut dyn Write) -> io::Result<()> {
        let _ = (workers, out);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Reads what [`StateSpace::save`] wrote, before anything was searched; gives the workers.
    ///
    /// # Errors
    /// Those of reading; something that does not fit.
    fn restore(&self, input: &mut dyn Read) -> io::Result<Vec<Self::Worker>> {
        let _ = input;
        Err(io::ErrorKind::Unsupported.into())
    }

    /// A search goes on from a checkpoint: so many states were known, and so many of them are to be expanded.
    fn resumed(&self, distinct: u64, left: u64) {
        let _ = (distinct, left);
    }

    /// Writes a violation that was reported while the search goes on.
    ///
    /// # Errors
    /// Those of writing.
    fn save_violation(&self, violation: &Self::Violation, out: &mut dyn Write) -> io::Result<()> {
        let _ = (violation, out);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Reads what [`StateSpace::save_violation`] wrote.
    ///
    /// # Errors
    /// Those of reading; something that is no violation.
    fn restore_violation(&self, input: &mut dyn Read) -> io::Result<Self::Violation> {
        let _ = input;
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Generates the initial states, in order, and checks those that the search calls new or outside.
    ///
    /// # Errors
    /// The space's own.
    fn initial(
        &self,
        worker: &mut Self::Worker,
        visitor: &mut dyn Visitor<Self::Violation>,
    ) -> Result<(), Self::Failure>;

    /// Generates the successors of a state, in order, and checks those that the search calls new or outside.
    ///
    /// # Errors
    /// The space's own.
    fn successors(
        &self,
        worker: &mut Self::Worker,
        expand: Expand<'_>,
        visitor: &mut dyn Visitor<Self::Violation>,
    ) -> Result<(), Self::Failure>;

    /// New states were found, whose rows stand one after the other: what tableaux ask of them ([`Problem::ahead`]) is evaluated, as
    /// TLC does it with the step to a state, so that what cannot be evaluated is found there.
    ///
    /// # Errors
    /// The space's own.
    fn look_ahead(
        &self,
        worker: &mut Self::Worker,
        problem: &Problem,
        expand: Expand<'_>,
        fresh: &[u32],
    ) -> Result<(), Self::Failure> {
        let _ = (worker, problem, expand, fresh);
        Ok(())
    }

    /// Says what holds of a state ([`Observed::state`]) and then of each step from it to `successors`, whose rows stand one after
    /// the other ([`Observed::step`]). It is asked only if there are temporal properties.
    ///
    /// # Errors
    /// The space's own.
    fn observe(
        &self,
        worker: &mut Self::Worker,
        problem: &Problem,
        expand: Expand<'_>,
        successors: &[u32],
        observed: &mut Observed,
    ) -> Result<(), Self::Failure> {
        let _ = (worker, expand);
        observed.state(problem, std::iter::empty());
        let steps = successors.len().checked_div(self.width()).unwrap_or(0);
        (0..steps).for_each(|_| observed.step(problem, std::iter::empty()));
        Ok(())
    }
}
