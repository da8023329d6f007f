//! What temporal properties ask of states, steps and counterexamples.

use std::sync::{Mutex, PoisonError};

use bumpalo::Bump;
use hashbrown::HashMap;
use primed_engine::compile::Expression;
use primed_engine::env::Env;
use primed_explore::liveness::formula::Atom;
use primed_explore::liveness::graph::Observed;
use primed_explore::liveness::lasso::Ending;
use primed_explore::liveness::normal::Problem;
use primed_explore::search::Step;
use primed_explore::space::{Expand, StateSpace};
use primed_value::error::EvalError;
use primed_value::host::{Host, Result as Evaluated};
use primed_value::intern::Interner;
use primed_value::value::Value;

use crate::model::ModelChecker;
use crate::model::failure::{Failure, Stage};
use crate::model::properties::TemporalProperties;
use crate::model::space::{Checked, ModelSpace, Worker, values};

/// The values of the state predicates of temporal properties in one state, as far as they are known.
pub(super) type Known = Vec<Option<bool>>;

/// Of each predicate, as a bit, whether its value is known, and the value.
type Bits = (u64, u64);

/// What is known of states that were found and not yet expanded, by their rows.
#[derive(Debug, Default)]
pub(super) struct Foreseen(Mutex<HashMap<Box<[u32]>, Bits>>);

impl Foreseen {
    /// States that are kept: others are asked again when they are expanded.
    const MOST: usize = 1 << 16;

    fn keep(&self, row: &[u32], known: &[Option<bool>]) {
        let bits = |of: fn(&bool) -> bool| {
            let set = known.iter().take(64).enumerate().filter(|(_, k)| k.as_ref().is_some_and(of));
            set.fold(0u64, |bits, (i, _)| bits | 1 << i)
        };
        let mut states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if states.len() < Foreseen::MOST {
            states.insert(row.into(), (bits(|_| true), bits(|holds| *holds)));
        }
    }

    fn take(&self, row: &[u32]) -> Known {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(row);
        let Some((asked, holds)) = kept else { return Known::new() };
        (0..64 - asked.leading_zeros()).map(|i| ((asked >> i) & 1 == 1).then_some((holds >> i) & 1 == 1)).collect()
    }
}

impl TemporalProperties {
    /// Writes down what holds of the environment's current state and of its steps to the successors, whose rows of `width`
    /// stand one after the other.
    ///
    /// # Errors
    /// Whatever the evaluation gives.
    pub(super) fn observe<'a>(
        &'a self,
        env: &mut Env<'a>,
        interner: &'a Interner,
        problem: &Problem,
        (successors, width): (&[u32], usize),
        (observed, mut known): (&mut Observed, Known),
    ) -> Evaluated<()> {
        // A state predicate is asked once, however many steps need it.
        known.resize(self.states.len(), None);
        let mut holds = Vec::with_capacity(problem.states.len().max(problem.steps.len()));
        let mut of_state = Ok(());
        for formula in &problem.states {
            match formula.holds(&mut |atom| self.ask(env, atom, &mut known)) {
                Ok(truth) => holds.push(truth),
                Err(error) => {
                    of_state = Err(error);
                    break;
                }
            }
        }
        observed.state(problem, holds.iter().copied());
        for row in successors.chunks(width.max(1)) {
            holds.clear();
            if !problem.steps.is_empty() {
                env.set_next(&values(interner, env.arena(), row));
                for formula in &problem.steps {
                    holds.push(formula.holds(&mut |atom| self.ask(env, atom, &mut known))?);
                }
            }
            observed.step(problem, holds.iter().copied());
        }
        // TLC asks the steps first: what fails there is what it says.
        of_state
    }

    /// Evaluates what tableaux ask of the environment's current state, an initial one.
    ///
    /// # Errors
    /// Whatever the evaluation gives.
    pub(super) fn begin<'a>(&'a self, env: &mut Env<'a>) -> Evaluated<()> {
        let mut known: Vec<Option<bool>> = vec![None; self.states.len()];
        self.problem.begin(&mut |number| self.state(env, number, &mut known))
    }

    /// The same, of a state that a step leads to.
    ///
    /// # Errors
    /// Whatever the evaluation gives.
    pub(super) fn look_ahead<'a>(&'a self, env: &mut Env<'a>) -> Evaluated<Known> {
        let mut known: Known = vec![None; self.states.len()];
        self.problem.ahead().iter().try_for_each(|number| self.state(env, *number, &mut known).map(|_| ()))?;
        Ok(known)
    }

    /// Evaluates what is asked of the environment's step.
    ///
    /// # Errors
    /// Whatever the evaluation gives.
    pub(super) fn of_step<'a>(&'a self, env: &mut Env<'a>) -> Evaluated<()> {
        let mut known: Vec<Option<bool>> = vec![None; self.states.len()];
        let mut each = self.problem.steps.iter();
        each.try_for_each(|formula| formula.holds(&mut |atom| self.ask(env, atom, &mut known)).map(|_| ()))
    }

    /// Evaluates what is asked of the environment's current state.
    ///
    /// # Errors
    /// Whatever the evaluation gives.
    pub(super) fn of_state<'a>(&'a self, env: &mut Env<'a>) -> Evaluated<()> {
        let mut known: Vec<Option<bool>> = vec![None; self.states.len()];
        (0..self.problem.states.len()).try_for_each(|number| self.state(env, number, &mut known).map(|_| ()))
    }

    /// Whether a state formula of the problem holds.
    fn state<'a>(&'a self, env: &mut Env<'a>, number: usize, known: &mut [Option<bool>]) -> Evaluated<bool> {
        let formula = self.problem.states.get(number).ok_or_else(missing)?;
        formula.holds(&mut |atom| self.ask(env, atom, known))
    }

    fn ask<'a>(&'a self, env: &mut Env<'a>, atom: Atom, known: &mut [Option<bool>]) -> Evaluated<bool> {
        match atom {
            Atom::State(number) => {
                let number = number as usize;
                if let Some(Some(holds)) = known.get(number) {
                    return Ok(*holds);
                }
                let Some(predicate) = self.states.get(number) else { return Err(missing()) };
                let holds = predicate.holds(env).map_err(|error| no_boolean(env, predicate, error, OF_STATE))?;
                known[number] = Some(holds);
                Ok(holds)
            }
            Atom::Step(number) => {
                let action = self.steps.get(number as usize).ok_or_else(missing)?;
                action.holds(env).map_err(|error| no_boolean(env, action, error, OF_STEP))
            }
        }
    }
}

/// TLC's number and words for a state predicate that is no Boolean.
const OF_STATE: (u32, &str) = (2250, "A state predicate was evaluated to a non-boolean value.");
/// The same for an action.
const OF_STEP: (u32, &str) = (2252, "Encountered an action predicate that's not a boolean.");

/// What an atom that is no Boolean as a whole is told as; a part of it that is none has words of its own.
#[cold]
fn no_boolean<'a>(
    env: &mut Env<'a>,
    atom: &'a Expression,
    error: Box<EvalError>,
    (code, words): (u32, &str),
) -> Box<EvalError> {
    match atom.value(env) {
        Ok(Value::Bool(_)) | Err(_) => error,
        Ok(_) => EvalError::new(code, words),
    }
}

fn missing() -> Box<EvalError> {
    EvalError::new(1000, "a temporal formula has an atom that was not compiled")
}

impl ModelSpace<'_> {
    /// What tableaux ask of an initial state. False once that cannot be evaluated of one state; of a second one it ends the search.
    pub(super) fn begins<'a>(&'a self, env: &mut Env<'a>, row: &[u32]) -> Checked {
        let Some(temporal) = self.checker.properties.temporal.as_ref().filter(|_| !self.run.simulates()) else {
            return Ok(true);
        };
        let mut unasked = self.unasked.lock().unwrap_or_else(PoisonError::into_inner);
        match (temporal.begin(env), unasked.take()) {
            (Ok(()), first) => {
                *unasked = first;
                Ok(unasked.is_none())
            }
            (Err(error), None) => {
                let state = Some(row.to_vec());
                *unasked = Some(Failure { stage: Stage::Temporal, state, ..Failure::from(error) });
                Ok(false)
            }
            (Err(error), Some(first)) => Err(Failure { later: Some(error), ..first }),
        }
    }

    /// What tableaux ask of new states, whose rows stand one after the other.
    pub(super) fn foreseen(&self, worker: &mut Worker, expand: Expand<'_>, fresh: &[u32]) -> Result<(), Failure> {
        self.of_behaviours(worker, expand, &mut |temporal, env| {
            fresh.chunks(self.width().max(1)).try_for_each(|row| {
                env.set_current(&values(&self.interner, env.arena(), row));
                let mut known = temporal.look_ahead(env)?;
                for (known, predicate) in known.iter_mut().zip(&temporal.states) {
                    // When it is expanded, what asks for the moment may have another value.
                    *known = known.filter(|_| predicate.is_pure());
                }
                self.foreseen.keep(row, &known);
                Ok(())
            })
        })
    }

    /// What holds of a state that was expanded, and of its steps to the successors.
    pub(super) fn observed(
        &self,
        worker: &mut Worker,
        expand: Expand<'_>,
        problem: &Problem,
        successors: &[u32],
        observed: &mut Observed,
    ) -> Result<(), Failure> {
        let successors = (successors, self.width());
        self.of_behaviours(worker, expand, &mut |temporal, env| {
            let known = self.foreseen.take(expand.state);
            temporal.observe(env, &self.interner, problem, successors, (&mut *observed, known))
        })
    }

    /// Evaluates what temporal properties ask of a state that was expanded.
    fn of_behaviours<'a>(
        &'a self,
        worker: &'a mut Worker,
        expand: Expand<'_>,
        ask: &mut dyn FnMut(&'a TemporalProperties, &mut Env<'a>) -> Evaluated<()>,
    ) -> Result<(), Failure> {
        let Some(temporal) = &self.checker.properties.temporal else { return Ok(()) };
        let Worker { arena, registers, .. } = worker;
        arena.reset();
        let mut env = Env::new(&self.checker.program, arena);
        env.put_registers(std::mem::take(registers));
        env.limit_memory(self.memory);
        env.set_run(&self.run);
        env.set_level(expand.level as i64);
        env.set_current(&values(&self.interner, env.arena(), expand.state));
        let result = ask(temporal, &mut env);
        *registers = env.take_registers();
        result.map_err(|error| Failure { stage: Stage::Temporal, ..Failure::from(error) })
    }
}

impl ModelChecker {
    /// The names of the properties that a counterexample violates, in the order of the configuration. TLC evaluates them on
    /// the trace; so does this.
    pub(super) fn disproved(&self, interner: &Interner, path: &[Step], ending: Ending) -> Vec<String> {
        let Some(temporal) = &self.properties.temporal else { return Vec::new() };
        let last = path.len().saturating_sub(1);
        let back = if let Ending::Back(state) = ending { state } else { last };
        let mut names: Vec<String> = Vec::new();
        for (name, claim) in &temporal.claims {
            let arena = Bump::new();
            let mut env = Env::new(&self.program, &arena);
            let holds = claim.holds_on_lasso(path.len(), back, &mut |atom, position| {
                let next = if position == last { back } else { position + 1 };
                env.set_current(&values(interner, env.arena(), &path[position].row));
                env.set_next(&values(interner, env.arena(), &path[next].row));
                temporal.ask(&mut env, atom, &mut vec![None; temporal.states.len()])
            });
            if matches!(holds, Ok(false)) && !names.iter().any(|n| **n == **name) {
                names.push(name.to_string());
            }
        }
        names
    }
}
