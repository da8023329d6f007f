//! Searching all states of a finite model.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use bumpalo::Bump;
use primed_engine::compile::{ActionCount, Compiler, Conditions, Expression, KeptDefinition, Relation, SplitRelation};
use primed_engine::coverage::Role;
use primed_engine::env::Env;
use primed_engine::program::Program;
use primed_engine::world::World;
use primed_engine::{Predicate, Registers};
use primed_explore::liveness::lasso::Ending;
use primed_explore::progress::Progress;
use primed_explore::search::{self, End, Limit, Settings, Step};
use primed_explore::simulate::Simulation;
use primed_semantics::model::{Located, Model};
use primed_value::error::EvalErrorKind;
use primed_value::host::Limits;
use primed_value::intern::Interner;
use primed_value::permute;
use primed_value::symbol::Symbol;

use crate::OpenError;
use crate::files::Permissions;
use crate::load::{ModelSettings, assumption_name, load, load_with};
use crate::startup::{self, Search};
use counterexample::Postcondition;
use graph::Dumper;
use lasting::Lasting;
use properties::{Checked, Properties};
use report::{
    CheckReport, CheckSettings, CheckVerdict, During, Mode, Storage, TraceState, Unfingerprinted, keeps_number,
};
use run::{Live, RunInfo};
use space::{Failure, ModelSpace, Stage, Violation};
use symmetry::Symmetry;
use trace::Showing;
use values::Values;
use watch::{NoWatch, Watch, Watched};

mod again;
mod assumed;
mod counted_again;
mod counterexample;
pub(crate) mod coverage;
mod deepened;
mod failure;
pub(crate) mod graph;
mod judged;
mod lasting;
mod moment;
mod places;
mod properties;
mod reasons;
mod replay;
pub(crate) mod report;
mod run;
mod simulated;
mod space;
mod spec;
mod symmetry;
mod temporal;
mod timed;
mod trace;
mod values;
pub(crate) mod watch;
mod words;

/// Bytes that one evaluation may take, however little memory the search is given.
const LEAST_MEMORY: usize = 16 << 20;

/// What is counted beside states.
#[derive(Clone, Copy, Default)]
struct Counts {
    expressions: bool,
    actions: bool,
}

/// A finite model, compiled and ready to be searched.
#[derive(Debug)]
pub struct ModelChecker {
    model: Arc<Model>,
    program: Program,
    init: Relation,
    next: SplitRelation,
    /// Actions that the relation is not split into, if they are counted.
    inside: Vec<ActionCount>,
    /// Those of the configuration, then those that its properties consist of.
    invariants: Vec<Checked>,
    properties: Properties,
    constraints: Vec<Expression>,
    action_constraints: Vec<Expression>,
    /// Definitions that are evaluated before all else.
    kept: Vec<KeptDefinition>,
    assumptions: Vec<(String, Expression)>,
    symmetry: Option<Expression>,
    view: Option<Expression>,
    /// States are shown as the VIEW gives them.
    shows_view: bool,
    /// ALIAS, and its fields as they are written.
    alias: Option<(Expression, Vec<Symbol>)>,
    postconditions: Vec<Postcondition>,
    /// Why they cannot be evaluated.
    unusable_postcondition: Option<String>,
    /// The invariants again, in the form that tells which part of them is false.
    explanations: Vec<Conditions>,
    warnings: Vec<Located>,
    only_assumptions: bool,
    /// Something asks for `TLCExt!Trace`.
    asks_trace: bool,
    /// Something asks for `TLCGet`, which knows the action in a simulation.
    asks_run: bool,
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
        Self::compile(model, permissions, Limits::of_search(), Counts::default(), false)
    }

    /// As [`ModelChecker::open`], with all that can be set.
    ///
    /// # Errors
    /// As [`ModelChecker::open`]; also if a further invariant or post-condition is not legal.
    pub fn open_with(module: &Path, mut settings: ModelSettings) -> Result<ModelChecker, OpenError> {
        let model = load_with(module, &mut settings)?;
        let mut limits = Limits::of_search();
        limits.set_size = settings.max_set_size.unwrap_or(limits.set_size);
        let counts = Counts { expressions: settings.count_expressions, actions: settings.count_actions };
        Self::compile(model, settings.permissions, limits, counts, settings.late_postconditions)
    }

    fn compile(
        model: Arc<Model>,
        permissions: Permissions,
        limits: Limits,
        counts: Counts,
        late_postconditions: bool,
    ) -> Result<ModelChecker, OpenError> {
        let behaviour = &model.behaviour;
        let permissions = Arc::new(permissions);
        startup::constant_specification(&model, &permissions)?;
        let Search { init, next, only_assumptions } = startup::search(&model)?;
        let warnings = [model.warnings.clone(), startup::constant_formulas(&model, &permissions)?].concat();
        let unusable_postcondition = match startup::unusable_postcondition(&model, &permissions) {
            Some(error) if !late_postconditions => return Err(error),
            found => found.map(|error| error.tlc().text),
        };
        startup::literal_actions(&model, &next)?;
        let world: Arc<dyn World> = permissions;
        let mut compiler = Compiler::new(&model);
        if counts.expressions {
            compiler.count_expressions();
        }
        if counts.actions {
            compiler.count_actions(&next);
        }
        let (init, next) = (compiler.initial(&init), compiler.split(&next));
        let inside = compiler.action_counts();
        let invariants = behaviour.invariants.iter().enumerate();
        let invariants = invariants.map(|(n, i)| (i.name.clone(), compiler.formula_as(Role::Invariant(n), &i.expr)));
        let mut invariants: Vec<Checked> = invariants.collect();
        let mut properties = Properties::compile(&model, &mut compiler, &world)?;
        invariants.append(&mut properties.invariants);
        let explanations = behaviour.invariants.iter().map(|i| compiler.conditions(&i.expr)).collect();
        let constraints = behaviour.constraints.iter().enumerate();
        let constraints = constraints.map(|(n, c)| compiler.formula_as(Role::Constraint(n), &c.expr)).collect();
        let action_constraints = behaviour.action_constraints.iter().enumerate();
        let action_constraints =
            action_constraints.map(|(n, c)| compiler.formula_as(Role::ActionConstraint(n), &c.expr)).collect();
        let assumptions = model.assumptions.iter().map(|a| (assumption_name(&model, a), compiler.expression(&a.expr)));
        let assumptions = assumptions.collect();
        let symmetry = behaviour.symmetry.as_ref().map(|s| compiler.expression(&s.expr));
        let view = behaviour.view.as_ref().map(|v| compiler.expression(&v.expr));
        let alias = behaviour.alias.as_ref();
        let alias = alias.map(|a| (compiler.expression(&a.expr), counterexample::written_fields(&model, &a.expr)));
        let postconditions = behaviour.postconditions.iter().map(|p| Postcondition {
            name: p.name.to_string(),
            place: model.describe(p.expr.place),
            expression: compiler.expression(&p.expr),
        });
        let postconditions = postconditions.collect();
        let (asks_trace, asks_run) = (compiler.asks("TLCExt", "Trace"), compiler.asks("TLC", "TLCGet"));
        let small = startup::small_symmetry(&model, &world);
        let dangers = properties::dangers(&model, &properties);
        let kept = compiler.kept_definitions();
        let program = compiler.finish(limits, world);
        Ok(ModelChecker {
            model: model.clone(),
            program,
            init,
            next,
            inside,
            invariants,
            properties,
            constraints,
            action_constraints,
            kept,
            assumptions,
            symmetry,
            view,
            shows_view: false,
            alias,
            postconditions,
            unusable_postcondition,
            explanations,
            warnings: [warnings, properties::warnings(&model, &model.behaviour), small, dangers].concat(),
            only_assumptions,
            asks_trace,
            asks_run,
        })
    }

    /// Warnings about the specification.
    pub fn warnings(&self) -> &[Located] {
        &self.warnings
    }

    /// The modules that it is made of: name, text, and whether it is one of Primed's own. The root is the first.
    pub fn sources(&self) -> Vec<(Arc<str>, &str, bool)> {
        self.model.modules().collect()
    }

    /// Into how many problems the temporal properties are divided (TLC 2212); `None` if there are none.
    pub fn branches(&self) -> Option<usize> {
        let temporal = self.properties.temporal.as_ref()?;
        Some(temporal.problem.tableaux.len().max(1))
    }

    /// What TLC says under a counterexample that stutters, by number and text, where no fairness condition was stated (2257, 2259).
    pub fn stuttering_warning(&self) -> Option<(u32, String)> {
        properties::unfair(&self.model, &self.properties.temporal.as_ref()?.problem)
    }

    /// The root module's name.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// Searches all states.
    pub fn check(&self, settings: CheckSettings) -> CheckReport {
        self.check_with(settings, &Progress::default())
    }

    /// As [`ModelChecker::check`]; `progress` must be new, tells how far the search is, and can end it.
    pub fn check_with(&self, settings: CheckSettings, progress: &Progress) -> CheckReport {
        self.check_watched(settings, progress, &NoWatch)
    }

    /// Shows the states of behaviours as the VIEW gives them, if there is one, as TLC does with `-view`.
    pub fn show_views(&mut self) {
        self.shows_view = true;
    }

    /// As [`ModelChecker::check_with`]; `watch` hears what is found.
    pub fn check_watched(&self, settings: CheckSettings, progress: &Progress, watch: &dyn Watch) -> CheckReport {
        self.check_stored(settings, &Storage::default(), progress, watch)
    }

    /// As [`ModelChecker::check_watched`], for searches that outgrow memory or last long. What a checkpoint holds is all of the
    /// search: states, counters, coverage, the graph for temporal properties, and what `TLCSet` stored. What the specification
    /// itself wrote or printed is not undone, nor are files that it reads looked at again.
    pub fn check_stored(
        &self,
        settings: CheckSettings,
        storage: &Storage,
        progress: &Progress,
        watch: &dyn Watch,
    ) -> CheckReport {
        let deadlock = settings.deadlock.or(self.model.behaviour.check_deadlock).unwrap_or(true);
        let workers = settings.workers.max(1);
        let run = RunInfo {
            checker: self,
            progress,
            mode: settings.mode,
            deadlock,
            keep_going: settings.keep_going,
            workers,
            seed: settings.seed,
            started: Instant::now(),
            properties: Mutex::new(run::properties(&self.model)),
            live: Live::default(),
        };
        let mut registers = Registers::default().seeded(settings.seed as u64).shared_by(workers);
        let symmetry = match self.false_assumption(&mut registers, &run) {
            Some(verdict) => Err(verdict),
            None if self.only_assumptions => {
                watch.started();
                watch.initial_states(watch::Expanded::default());
                Err(CheckVerdict::Holds)
            }
            None => self.symmetry(),
        };
        let symmetry = match symmetry {
            Ok(symmetry) => symmetry,
            Err(verdict) => return CheckReport::early(verdict),
        };
        if let Some(what) = lasting::unsupported(&settings, storage, watch) {
            return CheckReport::early(CheckVerdict::Unsupported(what));
        }
        let graph = watch.graph().filter(|_| !matches!(settings.mode, Mode::Simulation { .. })).map(Dumper::new);
        let space = ModelSpace {
            checker: self,
            interner: Interner::within(settings.max_bytes),
            run,
            registers: Mutex::new(registers),
            symmetry,
            all_ways: settings.all_ways,
            remembered: settings.memo_size(),
            exited: AtomicBool::new(false),
            choices: OnceLock::new(),
            shared: OnceLock::new(),
            memory: evaluation_memory(settings.max_bytes, workers),
            graph,
            predicates: Predicate::all(self.invariants.iter().map(|(_, formula)| formula).chain(&self.constraints)),
            unasked: Mutex::new(None),
            foreseen: temporal::Foreseen::default(),
            values: Values::new(self.model.variables.len(), !self.program.costs().is_empty()),
        };
        match settings.mode {
            Mode::BreadthFirst => self.search(&space, (settings, storage), usize::MAX, watch),
            Mode::Bounded(depth) => self.search(&space, (settings, storage), depth, watch),
            Mode::Simulation { behaviours, steps, skip, .. } => {
                let CheckSettings { keep_going, max_bytes, .. } = settings;
                let seed = settings.seed as u64;
                let simulation = Simulation { behaviours, steps, seed, skip, workers, deadlock, keep_going, max_bytes };
                self.simulate(&space, simulation, watch)
            }
        }
    }

    fn search(
        &self,
        space: &ModelSpace<'_>,
        (settings, storage): (CheckSettings, &Storage),
        max_depth: usize,
        watch: &dyn Watch,
    ) -> CheckReport {
        let search = Settings {
            workers: space.run.workers,
            deadlock: space.run.deadlock,
            max_states: settings.max_states,
            max_bytes: settings.max_bytes,
            max_depth,
            keep_going: settings.keep_going,
            liveness: settings.liveness,
            deepening: (max_depth < usize::MAX).then_some(settings.seed as u64),
        };
        let facts = self.facts(&settings, space.run.deadlock);
        let mut lasting = match Lasting::new(storage, &facts, watch) {
            Ok(lasting) => lasting,
            Err(why) => return CheckReport::early(CheckVerdict::Disk(why)),
        };
        if !lasting.recovers() {
            watch.started();
        }
        let problem = self.properties.temporal.as_ref().map(|t| &t.problem);
        let announced = Mutex::new(None);
        let announce = |found: &[(Violation, Vec<Step>)]| {
            let violations = self.announced(space, found, watch);
            *announced.lock().unwrap_or_else(PoisonError::into_inner) = Some(violations);
        };
        let watched = Watched::new(space, watch, &announce);
        let (disk, resume) = lasting.disk();
        let report = search::search_with(&watched, search, space.run.progress, problem, disk, resume);
        let mut taken = watched.taken();
        self.counted_again(space, &report.end, &report.violations, &mut taken);
        let coverage = self.coverage(&taken);
        let reasons = self.reasons(space, &report.end);
        let violations = announced.lock().unwrap_or_else(PoisonError::into_inner).take();
        let violations = violations.unwrap_or_else(|| self.announced(space, &report.violations, watch));
        // It queues initial states before that.
        let failed = matches!(&report.end, End::Failure(failure, path) if failure.fresh && !path.is_empty());
        let unqueued = watched.unqueued() || failed;
        space.run.live.done();
        if unqueued {
            space.run.live.withdrawn();
        }
        let generated = self.generated(report.generated, &report.end);
        let (verdict, trace, postcondition) = self.ended(space, report.end, &settings, watch);
        lasting.ended(&verdict);
        CheckReport {
            reasons,
            verdict,
            postcondition,
            coverage,
            values: space.values.counts(&self.model),
            violations,
            generated,
            distinct: report.distinct,
            // TLC queues a state only after it was checked.
            left: report.left.saturating_sub(usize::from(unqueued)),
            depth: report.depth,
            kept: report.kept,
            trace,
            degrees: watched.degrees(),
        }
    }

    /// The verdict on how a search ended, the states that show it, and the post-condition that is false of them.
    fn ended(
        &self,
        space: &ModelSpace<'_>,
        end: End<Violation, Failure>,
        settings: &CheckSettings,
        watch: &dyn Watch,
    ) -> (CheckVerdict, Vec<TraceState>, Option<String>) {
        let mut closes = Ending::Any;
        let (verdict, path) = match end {
            End::Complete => (CheckVerdict::Holds, Vec::new()),
            End::Deadlock(path) => (CheckVerdict::Deadlock, path),
            End::Violation(violation, path) => (self.violated(violation), path),
            End::Temporal(path, ending) => {
                closes = ending;
                let names = self.disproved(&space.interner, &path, ending);
                let path = self.unfolded(space, &path);
                (CheckVerdict::TemporalProperty { names, then: self.ending(space, &path, ending) }, path)
            }
            End::Failure(mut failure, mut path) => {
                self.tell_around(space, &mut failure, &path);
                let mut verdict = self.failed(&failure, path.is_empty(), space.run.mode);
                if let CheckVerdict::Error { exit_code: exit_code @ 76, .. } = &mut verdict
                    && settings.keep_going
                    && space.run.mode == Mode::BreadthFirst
                {
                    // TLC then evaluates the invariant again, and takes the number of that error.
                    *exit_code = if failure.error.kind == EvalErrorKind::Assert { 14 } else { 255 };
                }
                let verdict = self.replayed(space, verdict, &failure, &path);
                path.extend(failure.state.map(|row| Step { row, action: 0 }));
                (verdict, path)
            }
            End::Limit(Limit::States) => {
                (CheckVerdict::Limit(format!("the limit of {} states is reached", settings.max_states)), Vec::new())
            }
            End::Limit(Limit::Bytes) => (CheckVerdict::Limit(lasting::too_large(settings.max_bytes)), Vec::new()),
            End::Limit(Limit::Graph) => {
                let text = "more than 2147483648 states, too many for temporal properties".into();
                (CheckVerdict::Limit(text), Vec::new())
            }
            End::Full(why) | End::Disk(why) => (CheckVerdict::Disk(why), Vec::new()),
            End::Stopped if space.run.progress.is_interrupted() => (CheckVerdict::Interrupted, Vec::new()),
            End::Stopped => (CheckVerdict::Stopped, Vec::new()),
        };
        if path.is_empty() {
            return (self.after(space, verdict), Vec::new(), None);
        }
        let showing = Showing::of(&verdict, path.len(), space.run.mode);
        let announce = |trace: &[TraceState]| watch.found(&verdict, trace);
        let (trace, postcondition) = self.shown_trace(space, (&path, closes, showing), &announce);
        (verdict, trace, postcondition)
    }

    /// The verdict when the search has come to its end, or to the one that the specification asked for, and the post-conditions are
    /// looked at.
    fn after(&self, space: &ModelSpace<'_>, verdict: CheckVerdict) -> CheckVerdict {
        // Iterative deepening asks none in TLC.
        let exited = verdict == CheckVerdict::Stopped && space.exited.load(Ordering::Relaxed);
        if !(exited || verdict == CheckVerdict::Holds) || matches!(space.run.mode, Mode::Bounded(_)) {
            return verdict;
        }
        if let Some(message) = self.unusable_postcondition.clone() {
            let exit_code = if space.run.simulates() { 151 } else { 255 };
            let (places, during, unfingerprinted) = (Vec::new(), During::Postcondition, Unfingerprinted::No);
            return CheckVerdict::Error { message, places, code: 1000, during, exit_code, unfingerprinted };
        }
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let failed = self.false_postcondition(&mut env, &space.run, space.registers(), None);
        failed.map_or(verdict, CheckVerdict::Postcondition)
    }

    /// What was false on the way, as it is shown; who watches hears of it.
    fn announced(
        &self,
        space: &ModelSpace<'_>,
        found: &[(Violation, Vec<Step>)],
        watch: &dyn Watch,
    ) -> Vec<(CheckVerdict, Vec<TraceState>)> {
        let shown = |(violation, path): &(Violation, Vec<Step>)| (self.violated(*violation), self.trace(space, path));
        let violations: Vec<_> = found.iter().map(shown).collect();
        violations.iter().for_each(|(verdict, trace)| watch.found(verdict, trace));
        violations
    }

    fn violated(&self, violation: Violation) -> CheckVerdict {
        match violation {
            Violation::Invariant(number) => CheckVerdict::Invariant(name(&self.invariants, number)),
            Violation::Initial(number) => CheckVerdict::InitialProperty(name(&self.properties.initial, number)),
            Violation::Action(number) => CheckVerdict::ActionProperty(name(&self.properties.actions, number)),
        }
    }

    /// The group that SYMMETRY gives.
    fn symmetry(&self) -> Result<Symmetry, CheckVerdict> {
        let Some(symmetry) = &self.symmetry else { return Ok(Symmetry::default()) };
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let group = symmetry.value(&mut env).and_then(|set| permute::group(&mut env, set));
        match group {
            Ok(group) => Ok(Symmetry::new(group, self.view.is_some())),
            Err(error) => {
                // TLC looks at it when it reads the configuration; a set that does not fit it does not expect.
                let exit_code = if matches!(error.code, 2222..=2245 | 2272..=2274 | 2280 | 2281) { 151 } else { 255 };
                let (message, places, during) = (error.message.clone(), Vec::new(), During::Symmetry);
                let (code, unfingerprinted) = (error.code, Unfingerprinted::No);
                Err(CheckVerdict::Error { message, places, code, during, exit_code, unfingerprinted })
            }
        }
    }

    fn failed(&self, failure: &Failure, initial: bool, mode: Mode) -> CheckVerdict {
        let error = &failure.error;
        let mut places: Vec<String> = error.places.iter().map(|p| self.model.describe(*p)).collect();
        let at = places.first().map(|p| format!(" ({p})")).unwrap_or_default();
        let (simulates, deepens) = (matches!(mode, Mode::Simulation { .. }), matches!(mode, Mode::Bounded(_)));
        let exit_code = match (error.kind.clone(), failure.stage) {
            (EvalErrorKind::Unsupported, _) => return CheckVerdict::Unsupported(format!("{}{at}", error.message)),
            (EvalErrorKind::Limit, _) => return CheckVerdict::Limit(format!("{}{at}", error.message)),
            // TLC forgets what it said of an initial state, unless the same befalls another one.
            (_, Stage::Temporal) if initial => failure.later.as_ref().map_or(0, |_| 75),
            (EvalErrorKind::Assert, Stage::Temporal) => 14,
            (EvalErrorKind::StackOverflow, _) if !initial => 255,
            // What is not expected in a simulation has no number of its own; nor has an Assert in iterative deepening.
            (_, Stage::States | Stage::Action(_)) if simulates && error.code != 2109 => 255,
            (_, Stage::Invariant(_) | Stage::Initial(_)) if simulates && initial => 255,
            // Iterative deepening knows no number but those of the invariant, the property and the incomplete state; when it
            // generates initial states again these are known, and it has nothing to say.
            (_, Stage::States) if deepens && !initial && error.code != 2109 => 255,
            (_, Stage::Action(_)) if deepens => 13,
            (_, Stage::Invariant(_) | Stage::Initial(_)) if deepens && initial => {
                failure.later.as_ref().map_or(0, |_| 75)
            }
            // In an initial predicate or an invariant it is an evaluation error like others.
            (EvalErrorKind::Assert, Stage::States | Stage::Action(_)) if !initial && !failure.wrapped => 14,
            (_, Stage::Invariant(_) | Stage::Initial(_)) if !initial => 76,
            (_, Stage::Temporal) => 255,
            _ if error.code == 2106 || failure.unshown => 255,
            _ if !initial && !failure.wrapped && keeps_number(error.code, &error.message) => 255,
            _ => 75,
        };
        let unfingerprinted = match failure.unfingerprinted {
            Unfingerprinted::No => Unfingerprinted::No,
            _ if failure.unshown => Unfingerprinted::No,
            _ if mode != Mode::BreadthFirst || failure.stage == Stage::Temporal || exit_code == 76 => {
                Unfingerprinted::No
            }
            told => told,
        };
        if deepens && failure.unfingerprinted == Unfingerprinted::Stored {
            // Nothing was being evaluated; at which value it was iterative deepening does not say.
            places.clear();
        }
        let exit_code = if unfingerprinted == Unfingerprinted::No { exit_code } else { 75 };
        let message = self.message(failure);
        let during = match failure.stage {
            Stage::States | Stage::Temporal if initial => During::Initial,
            Stage::States => During::Next,
            Stage::Invariant(number) => During::Invariant(name(&self.invariants, number)),
            Stage::Initial(number) => During::Invariant(name(&self.properties.initial, number)),
            Stage::Action(number) => During::Action(name(&self.properties.actions, number)),
            Stage::Temporal => During::Temporal,
        };
        CheckVerdict::Error { message, places, code: error.code, during, exit_code, unfingerprinted }
    }
}

/// What one worker's values may take of so many bytes: its part, though not too little to evaluate anything.
fn evaluation_memory(max_bytes: usize, workers: usize) -> usize {
    (max_bytes / workers.max(1)).max(LEAST_MEMORY)
}

fn name(named: &[Checked], number: usize) -> String {
    named.get(number).map_or("", |(name, _)| name).to_owned()
}
