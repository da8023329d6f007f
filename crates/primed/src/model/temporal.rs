//! What temporal properties ask of states, steps and counterexamples.

use bumpalo::Bump;
use primed_engine::env::Env;
use primed_explore::liveness::formula::Atom;
use primed_explore::liveness::graph::Observed;
use primed_explore::liveness::lasso::Ending;
use primed_explore::liveness::normal::Problem;
use primed_explore::search::Step;
use primed_value::error::EvalError;
use primed_value::host::{Host, Result as Evaluated};
use primed_value::intern::Interner;

use crate::model::ModelChecker;
use crate::model::properties::TemporalProperties;
use crate::model::space::values;

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
        observed: &mut Observed,
    ) -> Evaluated<()> {
        // A state predicate is asked once, however many steps need it.
        let mut known: Vec<Option<bool>> = vec![None; self.states.len()];
        let mut holds = Vec::with_capacity(problem.states.len().max(problem.steps.len()));
        for formula in &problem.states {
            holds.push(formula.holds(&mut |atom| self.ask(env, atom, &mut known))?);
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
        Ok(())
    }

    fn ask<'a>(&'a self, env: &mut Env<'a>, atom: Atom, known: &mut [Option<bool>]) -> Evaluated<bool> {
        match atom {
            Atom::State(number) => {
                let number = number as usize;
                if let Some(Some(holds)) = known.get(number) {
                    return Ok(*holds);
                }
                let Some(predicate) = self.states.get(number) else { return Err(missing()) };
                let holds = predicate.holds(env)?;
                known[number] = Some(holds);
                Ok(holds)
            }
            Atom::Step(number) => match self.steps.get(number as usize) {
                Some(action) => action.holds(env),
                None => Err(missing()),
            },
        }
    }
}

fn missing() -> Box<EvalError> {
    EvalError::new(1000, "a temporal formula has an atom that was not compiled")
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
