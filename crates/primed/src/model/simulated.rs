//! A simulation of a model, and what TLC makes of its behaviours.

use std::sync::{Mutex, PoisonError};

use bumpalo::Bump;
use primed_engine::env::Env;
use primed_explore::liveness::along::along;
use primed_explore::search::{End, Step};
use primed_explore::simulate::{self, Flaw, Simulation};
use primed_value::compare;
use primed_value::error::EvalError;
use primed_value::host::Host;
use primed_value::intern::{Interner, ValueId};

use crate::model::ModelChecker;
use crate::model::failure::{Failure, Stage, Violation};
use crate::model::report::{CheckReport, CheckSettings, CheckVerdict, no_initial_state};
use crate::model::space::{ModelSpace, values};
use crate::model::watch::{Watch, Watched};

impl ModelChecker {
    pub(super) fn simulate(&self, space: &ModelSpace<'_>, settings: Simulation, watch: &dyn Watch) -> CheckReport {
        let progress = space.run.progress;
        watch.started();
        let watched = Watched::new(space, watch, &|_| {});
        let problem = self.properties.temporal.as_ref().map(|t| &t.problem);
        let violations = Mutex::new(Vec::new());
        let flawed = |flaw: Flaw<Violation>, path: &[Step]| {
            let verdict = match flaw {
                Flaw::Violation(violation) => self.violated(violation),
                Flaw::Deadlock => CheckVerdict::Deadlock,
            };
            let trace = self.trace(space, path);
            watch.found(&verdict, &trace);
            violations.lock().unwrap_or_else(PoisonError::into_inner).push((verdict, trace));
        };
        let finished = |path: &[Step], worker: usize, number: u64| {
            if let Some(error) = problem.and_then(|_| self.unfit(space, path)) {
                return Some(End::Failure(Failure::from(error), path.to_vec()));
            }
            let found = problem.map(|problem| along(space, problem, path));
            match found.transpose().map(Option::flatten) {
                Ok(Some((path, ending))) => return Some(End::Temporal(path, ending)),
                Err(failure) => return Some(End::Failure(failure, path.to_vec())),
                Ok(None) => {}
            }
            if watch.hears_behaviours() {
                watch.behaviour(worker, number, &self.trace(space, path));
            }
            None
        };
        let report = simulate::simulate(&watched, settings, progress, &finished, &flawed);
        let violations = violations.into_inner().unwrap_or_else(PoisonError::into_inner);
        if matches!(report.end, End::Complete) && report.behaviours == 0 && settings.behaviours != Some(0) {
            return CheckReport { violations, ..CheckReport::early(no_initial_state(progress.initial() > 0)) };
        }
        let limits = CheckSettings { max_bytes: settings.max_bytes, ..CheckSettings::default() };
        let (verdict, trace, postcondition) = self.ended(space, self.looked_through(space, report.end), &limits, watch);
        let coverage = self.coverage(&watched.taken());
        let generated = progress.generated();
        CheckReport { trace, violations, generated, postcondition, coverage, ..CheckReport::early(verdict) }
    }

    /// Before TLC shows a behaviour of a simulation it compares each state with the one before, from the last one on. Where that
    /// fails, it is all that is told.
    fn looked_through(&self, space: &ModelSpace<'_>, end: End<Violation, Failure>) -> End<Violation, Failure> {
        let mut path = match &end {
            End::Violation(_, path) => path.clone(),
            End::Failure(failure, path) if matches!(failure.stage, Stage::Invariant(_) | Stage::Action(_)) => {
                path.iter().cloned().chain(failure.state.clone().map(|row| Step { row, action: 0 })).collect()
            }
            _ => Vec::new(),
        };
        match self.incomparable(space, &path) {
            Some(error) => {
                path.pop();
                End::Failure(Failure::from(error), path)
            }
            None => end,
        }
    }

    /// Why two states that follow each other cannot be compared, if any of their values has no canonical form.
    fn incomparable(&self, space: &ModelSpace<'_>, path: &[Step]) -> Option<Box<EvalError>> {
        path.windows(2).rev().filter(|pair| pair.iter().any(has_held)).find_map(|pair| {
            let arena = Bump::new();
            let mut env = Env::new(&self.program, &arena);
            let [before, after] = [&pair[0], &pair[1]].map(|step| values(&space.interner, env.arena(), &step.row));
            for (after, before) in after.iter().zip(&before) {
                match compare::equal(&mut env, *after, *before) {
                    Ok(true) => {}
                    Ok(false) => return None,
                    Err(error) => return Some(error),
                }
            }
            None
        })
    }

    /// Why the states of a behaviour cannot be told apart, as temporal properties want them to be.
    fn unfit(&self, space: &ModelSpace<'_>, path: &[Step]) -> Option<Box<EvalError>> {
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let mut held =
            path.iter().flat_map(|step| &step.row).map(|id| ValueId(*id)).filter(|id| Interner::is_held(*id));
        held.find_map(|id| {
            let value = space.interner.get(env.arena(), id);
            space.interner.intern(&mut env, value).err()
        })
    }
}

/// The state has a value without canonical form.
fn has_held(step: &Step) -> bool {
    step.row.iter().any(|id| Interner::is_held(ValueId(*id)))
}
