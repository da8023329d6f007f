//! What TLC looks at once more after an evaluation failed, which may fail otherwise: the exit status is that of what fails last.

use bumpalo::Bump;
use primed_engine::Flow;
use primed_engine::compile::Expression;
use primed_engine::env::Env;
use primed_explore::search::Step;
use primed_value::compare;
use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::host::{Host, Result as Evaluated};
use primed_value::value::Value;

use crate::model::ModelChecker;
use crate::model::report::{CheckVerdict, Mode, keeps_number};
use crate::model::space::{Failure, ModelSpace, Stage, values};

impl ModelChecker {
    /// After an invariant could not be evaluated in a state that is not initial (2111), TLC finds the successors of the state before it
    /// again, to tell where it was: all of them, with constraints, invariants (but not of the state that it failed in, which is known
    /// by then) and properties of steps. If that fails, the exit status is for what fails then.
    pub(super) fn replayed(
        &self,
        space: &ModelSpace<'_>,
        verdict: CheckVerdict,
        failure: &Failure,
        path: &[Step],
    ) -> CheckVerdict {
        let CheckVerdict::Error { message, places, code, during, exit_code: 76, unfingerprinted } = verdict else {
            return verdict;
        };
        let again = match (failure.stage, path.last(), space.run.mode) {
            (Stage::Invariant(_), Some(last), Mode::BreadthFirst) => {
                self.successors_again(space, last, path.len(), failure)
            }
            _ => Ok(()),
        };
        let exit_code = again.map_or_else(|error| status(&error), |()| 76);
        CheckVerdict::Error { message, places, code, during, exit_code, unfingerprinted }
    }

    /// Finds the successors of a state as TLC does it to tell where it failed.
    fn successors_again(&self, space: &ModelSpace<'_>, last: &Step, level: usize, failure: &Failure) -> Evaluated<()> {
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        env.put_registers(space.registers());
        env.limit_memory(space.memory);
        env.set_run(&space.run);
        env.seed_by_state(space.run.seed as u64);
        env.set_current(&values(&space.interner, env.arena(), &last.row));
        env.set_level(level as i64);
        let known = failure.state.as_deref().map(|row| values(&space.interner, env.arena(), row));
        self.next.relation.each(&mut env, &mut |env| {
            let inside = env.in_successor(|env| all(env, &mut self.constraints.iter()))?;
            let inside = inside && all(env, &mut self.action_constraints.iter())?;
            let fresh = match &known {
                Some(known) => !is_next(env, known)?,
                None => true,
            };
            let mut invariants = self.invariants.iter().map(|(_, formula)| formula);
            if inside && fresh && !env.in_successor(|env| all(env, &mut invariants))? {
                return Ok(Flow::Stop);
            }
            let mut steps = self.properties.actions.iter().map(|(_, formula)| formula);
            Ok(if all(env, &mut steps)? { Flow::Continue } else { Flow::Stop })
        })?;
        Ok(())
    }
}

/// Whether all formulas hold, in order up to the first that does not.
fn all<'a>(env: &mut Env<'a>, formulas: &mut dyn Iterator<Item = &'a Expression>) -> Evaluated<bool> {
    for formula in formulas {
        if !formula.holds(env)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the next state is this one.
fn is_next<'a>(env: &mut Env<'a>, known: &[Value<'a>]) -> Evaluated<bool> {
    for (variable, value) in known.iter().enumerate() {
        let Some(next) = env.next().get(variable).copied().flatten() else { return Ok(false) };
        if !compare::equal(env, next, *value)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// TLC's exit status for an error of the next-state relation.
fn status(error: &EvalError) -> i32 {
    match error.kind {
        EvalErrorKind::Assert => 14,
        // What Primed alone cannot do says nothing of TLC.
        EvalErrorKind::Limit | EvalErrorKind::Unsupported | EvalErrorKind::Forbidden => 76,
        _ if keeps_number(error.code, &error.message) => 255,
        _ => 75,
    }
}
