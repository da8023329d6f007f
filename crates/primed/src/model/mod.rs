//! Searching all states of a finite model.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bumpalo::Bump;
use primed_engine::compile::{Compiler, Expression, NamedAction, Relation};
use primed_engine::env::Env;
use primed_engine::program::Program;
use primed_explore::search::{self, End, Settings, Step};
use primed_semantics::model::Model;
use primed_value::error::{EvalErrorKind, Place};
use primed_value::host::Limits;
use primed_value::intern::Interner;

use crate::OpenError;
use crate::files::Permissions;
use crate::load::{assumption_name, load};
use report::{CheckReport, CheckSettings, CheckVerdict, During};
use space::{Failure, ModelSpace};
use watch::{NoWatch, Watch, Watched};

pub(crate) mod report;
mod space;
mod trace;
pub(crate) mod watch;

/// A finite model, compiled and ready to be searched.
#[derive(Debug)]
pub struct ModelChecker {
    model: Arc<Model>,
    program: Program,
    init: Relation,
    next: Relation,
    invariants: Vec<(Arc<str>, Expression)>,
    constraints: Vec<Expression>,
    action_constraints: Vec<Expression>,
    assumptions: Vec<(String, Expression)>,
    actions: Vec<(Arc<str>, Place, NamedAction)>,
}

impl ModelChecker {
    /// Opens a model.
    ///
    /// # Errors
    /// If a file cannot be read, the specification is not legal, or the configuration does not fit or asks for something that
    /// is not searched yet (it is named).
    pub fn open(
        module: &Path,
        config: &Path,
        libraries: &[PathBuf],
        mut permissions: Permissions,
    ) -> Result<ModelChecker, OpenError> {
        let model = load(module, config, libraries, &mut permissions)?;
        Self::compile(model, permissions)
    }

    fn compile(model: Arc<Model>, permissions: Permissions) -> Result<ModelChecker, OpenError> {
        let behaviour = &model.behaviour;
        let missing = |what: &str| OpenError::Missing(format!("the configuration of `{}` names no {what}", model.name));
        let init = behaviour.init.as_ref().ok_or_else(|| missing("initial predicate"))?;
        let next = behaviour.next.as_ref().ok_or_else(|| missing("next-state action"))?;
        let not_yet = [
            (!behaviour.properties.is_empty(), "PROPERTY"),
            (behaviour.symmetry.is_some(), "SYMMETRY"),
            (behaviour.view.is_some(), "VIEW"),
            (!behaviour.postconditions.is_empty(), "POSTCONDITION"),
        ];
        if let Some((_, what)) = not_yet.iter().find(|(asked, _)| *asked) {
            return Err(OpenError::Missing(format!("{what} is not supported yet: take it out of the configuration")));
        }
        let mut compiler = Compiler::new(&model);
        let ids = compiler.action_definitions(next);
        let name = |id| model.exports.iter().find(|(_, d)| *d == id).map_or(&model.definition(id).name, |(n, _)| n);
        let actions = ids.iter().filter_map(|id| {
            let place = model.definition(*id).body.place;
            Some((name(*id).clone(), place, compiler.named(*id, Some(next)).ok()?))
        });
        let actions = actions.collect();
        let (init, next) = (compiler.initial(init), compiler.next(next));
        let invariants = behaviour.invariants.iter().map(|i| (i.name.clone(), compiler.expression(&i.expr))).collect();
        let constraints = behaviour.constraints.iter().map(|c| compiler.expression(&c.expr)).collect();
        let action_constraints = behaviour.action_constraints.iter().map(|c| compiler.expression(&c.expr)).collect();
        let assumptions = model.assumptions.iter().map(|a| (assumption_name(&model, a), compiler.expression(&a.expr)));
        let assumptions = assumptions.collect();
        let program = compiler.finish(Limits::default(), Arc::new(permissions));
        Ok(ModelChecker {
            model: model.clone(),
            program,
            init,
            next,
            invariants,
            constraints,
            action_constraints,
            assumptions,
            actions,
        })
    }

    /// Warnings about the specification.
    pub fn warnings(&self) -> &[primed_semantics::model::Located] {
        &self.model.warnings
    }

    /// The root module's name.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// Searches all states.
    pub fn check(&self, settings: CheckSettings) -> CheckReport {
        self.check_watched(settings, &NoWatch)
    }

    /// Searches all states; `watch` hears how it goes.
    pub fn check_watched(&self, settings: CheckSettings, watch: &dyn Watch) -> CheckReport {
        if let Some(verdict) = self.false_assumption() {
            return CheckReport::before_search(verdict);
        }
        let space = ModelSpace { checker: self, interner: Interner::new() };
        let deadlock = settings.deadlock.or(self.model.behaviour.check_deadlock).unwrap_or(true);
        let settings =
            Settings { workers: settings.workers.max(1), deadlock, max_states: settings.max_states, keep_going: false };
        watch.started();
        let space = Watched::new(space, watch);
        let report = search::search(&space, settings);
        let (space, degrees) = space.into_parts();
        let (verdict, path) = match report.end {
            End::Complete => (CheckVerdict::Holds, Vec::new()),
            End::Deadlock(path) => (CheckVerdict::Deadlock, path),
            End::Violation(invariant, path) => {
                (CheckVerdict::Invariant(self.invariants[invariant].0.to_string()), path)
            }
            End::Failure(failure, mut path) => {
                let verdict = self.failed(&failure, path.is_empty());
                path.extend(failure.state.map(|row| Step { row, action: 0 }));
                (verdict, path)
            }
            End::Limit => (CheckVerdict::Limit(format!("more than {} states", settings.max_states)), Vec::new()),
        };
        CheckReport {
            verdict,
            generated: report.generated,
            distinct: report.distinct,
            left: report.left,
            depth: report.depth,
            trace: self.trace(&space.interner, &path),
            degrees,
        }
    }

    fn false_assumption(&self) -> Option<CheckVerdict> {
        self.assumptions.iter().find_map(|(name, assumption)| {
            let arena = Bump::new();
            let mut env = Env::new(&self.program, &arena);
            match assumption.holds(&mut env) {
                Ok(true) => None,
                Ok(false) => Some(CheckVerdict::Assumption(format!("Assumption {name} is false."))),
                Err(error) if error.kind == EvalErrorKind::Unsupported => {
                    Some(CheckVerdict::Unsupported(error.message.clone()))
                }
                Err(error) => {
                    Some(CheckVerdict::Assumption(format!("Evaluating assumption {name} failed.\n{}", error.message)))
                }
            }
        })
    }

    fn failed(&self, failure: &Failure, initial: bool) -> CheckVerdict {
        let error = &failure.error;
        let places: Vec<String> = error.places.iter().map(|p| self.model.describe(*p)).collect();
        let at = places.first().map(|p| format!(" ({p})")).unwrap_or_default();
        let exit_code = match (error.kind.clone(), failure.invariant.is_some()) {
            (EvalErrorKind::Unsupported, _) => return CheckVerdict::Unsupported(format!("{}{at}", error.message)),
            (EvalErrorKind::Limit, _) => return CheckVerdict::Limit(format!("{}{at}", error.message)),
            (EvalErrorKind::Assert, _) => 14,
            (_, true) if !initial => 76,
            _ if error.code == 2106 => 255,
            _ => 75,
        };
        let invariant = failure.invariant.and_then(|number| self.invariants.get(number));
        let during = match invariant {
            Some((name, _)) => During::Invariant(name.to_string()),
            None if initial => During::Initial,
            None => During::Next,
        };
        CheckVerdict::Error { message: error.message.clone(), places, code: error.code, during, exit_code }
    }
}
