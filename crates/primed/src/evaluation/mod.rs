//! A specification in four phases: is it legal, does it run, does it allow what was observed, do its properties hold?
//!
//! The four results are kept apart and never made into one number. A phase that says nothing, because an earlier one failed or
//! nothing was given for it, is not run and says why; an action without windows has no evidence.

use std::path::PathBuf;
use std::time::Duration;

use primed_syntax::span::SourceFile;

use crate::files::Permissions;
use crate::{CheckSettings, ModelSettings, Storage};

mod configuration;
mod conformance;
mod given;
mod listed;
mod properties;
mod runtime;
mod syntax;
mod watch;

pub use conformance::{Conformance, TvWindows, WindowsSource, WindowsText};
pub use given::GivenProperties;
pub use properties::{Property, PropertyKind, PropertySource, PropertyVerdict};
pub use runtime::{Reached, Runtime};
pub use syntax::{Syntax, SyntaxUnit};
pub use watch::{EvaluationPhase, EvaluationWatch, Opinion, Searched, Unwatched};

/// What is evaluated, and how.
#[derive(Clone, Debug, Default)]
pub struct EvaluationSettings {
    /// The specification.
    pub spec: PathBuf,
    /// Its configuration, if it is not the one of the same name beside it.
    pub config: Option<PathBuf>,
    /// Folders with modules that it extends or instantiates.
    pub libraries: Vec<PathBuf>,
    /// What it may do outside itself.
    pub permissions: Permissions,
    /// Windows that were observed.
    pub windows: Vec<WindowsSource>,
    /// Windows that TV modules judge.
    pub tv: Vec<TvWindows>,
    /// The action of windows that name none; windows that name another are left out.
    pub action: Option<String>,
    /// A state predicate that says which values unobserved variables may have before a step.
    pub unobserved: Option<String>,
    /// The nearest successor and the other actions of a refusal are left out.
    pub brief: bool,
    /// How many steps the evaluation of a window may take, if not as many as by default.
    pub max_steps: Option<u64>,
    /// Properties beside those of the configuration.
    pub properties: Vec<GivenProperties>,
    /// How the model is searched.
    pub check: CheckSettings,
    /// What a search may put on disk.
    pub storage: Storage,
    /// The longest time for one search.
    pub time: Option<Duration>,
}

impl EvaluationSettings {
    /// The configuration, if there is one.
    pub fn config_path(&self) -> Option<PathBuf> {
        let beside = || Some(self.spec.with_extension("cfg")).filter(|path| path.exists());
        self.config.clone().or_else(beside)
    }

    fn model(&self, config_text: Option<SourceFile>, root: Option<SourceFile>) -> ModelSettings {
        let (libraries, permissions) = (self.libraries.clone(), self.permissions.clone());
        ModelSettings { config_text, root, libraries, permissions, ..ModelSettings::default() }
    }
}

/// A phase, or why it was not run.
#[derive(Debug)]
pub enum Phase<T> {
    /// What it came to.
    Run(T),
    /// It was not run.
    NotRun {
        /// Why.
        why: String,
        /// 0 if nothing was asked; otherwise that of what is wrong.
        exit_code: i32,
    },
}

impl<T> Phase<T> {
    /// What it came to, if it was run.
    pub fn run(&self) -> Option<&T> {
        match self {
            Phase::Run(found) => Some(found),
            Phase::NotRun { .. } => None,
        }
    }
}

/// How a phase ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseResult {
    /// All that was looked at is as it should be, and there was nothing else to look at.
    Passed,
    /// Something is wrong.
    Failed,
    /// Nothing is wrong with what was looked at, but that is not all.
    Incomplete,
    /// It was not run.
    NotRun,
}

impl PhaseResult {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            PhaseResult::Passed => "passed",
            PhaseResult::Failed => "failed",
            PhaseResult::Incomplete => "incomplete",
            PhaseResult::NotRun => "not run",
        }
    }

    fn of(passed: bool, incomplete: bool) -> PhaseResult {
        match (passed, incomplete) {
            (true, _) => PhaseResult::Passed,
            (_, true) => PhaseResult::Incomplete,
            _ => PhaseResult::Failed,
        }
    }
}

/// A specification, evaluated.
#[derive(Debug)]
pub struct Evaluation {
    /// Is it legal?
    pub syntax: Syntax,
    /// Does its finite model run?
    pub runtime: Phase<Runtime>,
    /// Does it allow what was observed?
    pub conformance: Phase<Conformance>,
    /// Do its properties hold?
    pub invariants: Phase<Vec<Property>>,
}

impl Evaluation {
    /// How a phase ended.
    pub fn result(&self, phase: EvaluationPhase) -> PhaseResult {
        match phase {
            EvaluationPhase::Syntax => PhaseResult::of(self.syntax.accepted, false),
            EvaluationPhase::Runtime => match self.runtime.run() {
                Some(runtime) => PhaseResult::of(runtime.passed(), runtime.incomplete()),
                None => PhaseResult::NotRun,
            },
            EvaluationPhase::Conformance => match self.conformance.run() {
                Some(found) => PhaseResult::of(found.passed(), found.exit_code() == 0),
                None => PhaseResult::NotRun,
            },
            EvaluationPhase::Invariants => match self.invariants.run() {
                Some(all) => {
                    let open = |p: &Property| {
                        let undecided = p.opinion.is_none() && matches!(p.verdict, PropertyVerdict::NotReached { .. });
                        p.holds() || undecided
                    };
                    PhaseResult::of(all.iter().all(Property::holds), all.iter().all(open))
                }
                None => PhaseResult::NotRun,
            },
        }
    }

    /// The exit code of one phase: 0 if it passed, or if nothing was asked of it.
    pub fn phase_exit_code(&self, phase: EvaluationPhase) -> i32 {
        fn code<T>(phase: &Phase<T>, run: impl Fn(&T) -> i32) -> i32 {
            match phase {
                Phase::Run(found) => run(found),
                Phase::NotRun { exit_code, .. } => *exit_code,
            }
        }
        match phase {
            EvaluationPhase::Syntax => self.syntax.exit_code(),
            EvaluationPhase::Runtime => code(&self.runtime, Runtime::exit_code),
            EvaluationPhase::Conformance => code(&self.conformance, Conformance::exit_code),
            EvaluationPhase::Invariants => code(&self.invariants, |all| worst(all)),
        }
    }

    /// That of the first phase that did not pass; 0 if all that was run passed.
    pub fn exit_code(&self) -> i32 {
        PHASES.iter().map(|phase| self.phase_exit_code(*phase)).find(|code| *code != 0).unwrap_or(0)
    }

    /// Conformance and invariants have both been run on evidence and hold, and nothing else is wrong.
    pub fn is_final(&self) -> bool {
        PHASES.iter().all(|phase| self.result(*phase) == PhaseResult::Passed)
    }
}

/// The phases in order.
pub const PHASES: [EvaluationPhase; 4] =
    [EvaluationPhase::Syntax, EvaluationPhase::Runtime, EvaluationPhase::Conformance, EvaluationPhase::Invariants];

/// Of several properties: a dispute comes first, then a violation, then what could not be evaluated, then what was not reached.
fn worst(all: &[Property]) -> i32 {
    let rank = |p: &&Property| match (p.exit_code(), &p.verdict) {
        (74, _) => 0,
        (_, PropertyVerdict::Violated(_) | PropertyVerdict::Holds) => 1,
        (_, PropertyVerdict::NotEvaluated { .. }) => 2,
        (_, PropertyVerdict::NotReached { .. }) => 3,
    };
    all.iter().filter(|p| p.exit_code() != 0).min_by_key(rank).map_or(0, Property::exit_code)
}

/// Evaluates a specification in four phases.
///
/// ```
/// use primed::evaluation::{self, EvaluationPhase, EvaluationSettings, PhaseResult, Unwatched, WindowsSource, WindowsText};
///
/// let folder = std::path::Path::new("../../conformance-suite/systems/spin");
/// let windows = WindowsSource { text: WindowsText::File(folder.join("windows.ndjson")), action: None };
/// let spec = folder.join("SpinLockMistaken.tla");
/// let settings = EvaluationSettings { spec, windows: vec![windows], ..EvaluationSettings::default() };
/// let found = evaluation::evaluate(&settings, &mut Unwatched);
/// // It is legal, runs and keeps its invariants; but it refuses what a real lock does.
/// assert_eq!(found.result(EvaluationPhase::Invariants), PhaseResult::Passed);
/// assert_eq!(found.result(EvaluationPhase::Conformance), PhaseResult::Failed);
/// assert_eq!((found.exit_code(), found.is_final()), (12, false));
/// ```
pub fn evaluate(settings: &EvaluationSettings, watch: &mut dyn EvaluationWatch) -> Evaluation {
    watch.begins(EvaluationPhase::Syntax);
    let syntax = syntax::judge(settings);
    if !syntax.accepted {
        return Evaluation {
            syntax,
            runtime: not_run("the specification is not legal"),
            conformance: not_run("the specification is not legal"),
            invariants: not_run("the specification is not legal"),
        };
    }
    watch.begins(EvaluationPhase::Runtime);
    let runtime = runtime::run(settings, watch);
    let opened = runtime.outcome.is_ok();
    let properties = match opened {
        true => configuration::read(settings).and_then(|config| properties::Properties::new(settings, config)),
        false => return unopened(settings, syntax, runtime, watch),
    };
    if watch.is_interrupted() {
        let (conformance, invariants) = (not_run("interrupted"), not_run("interrupted"));
        return Evaluation { syntax, runtime: Phase::Run(runtime), conformance, invariants };
    }
    let observed = properties.as_ref().map(|p| p.all.iter().filter_map(properties::Prepared::observed).collect());
    let observed: Vec<String> = observed.unwrap_or_default();
    watch.begins(EvaluationPhase::Conformance);
    let conformance = conformance::run(settings, &observed, watch);
    let invariants = match properties {
        _ if watch.is_interrupted() => not_run("interrupted"),
        Err(error) => Phase::NotRun { why: error.to_string(), exit_code: error.exit_code() },
        Ok(properties) => {
            watch.begins(EvaluationPhase::Invariants);
            let mut invariants = invariants(properties, &runtime, watch);
            if let (Phase::Run(all), Phase::Run(found)) = (&mut invariants, &conformance) {
                note_observed(all, found);
            }
            invariants
        }
    };
    Evaluation { syntax, runtime: Phase::Run(runtime), conformance, invariants }
}

fn not_run<T>(why: &str) -> Phase<T> {
    Phase::NotRun { why: why.into(), exit_code: 0 }
}

/// The model cannot be searched; windows may be judged all the same.
fn unopened(
    settings: &EvaluationSettings,
    syntax: Syntax,
    runtime: Runtime,
    watch: &mut dyn EvaluationWatch,
) -> Evaluation {
    watch.begins(EvaluationPhase::Conformance);
    let conformance = conformance::run(settings, &[], watch);
    let invariants = not_run("the model cannot be opened");
    Evaluation { syntax, runtime: Phase::Run(runtime), conformance, invariants }
}

fn invariants(
    properties: properties::Properties<'_>,
    runtime: &Runtime,
    watch: &mut dyn EvaluationWatch,
) -> Phase<Vec<Property>> {
    if properties.all.is_empty() {
        return not_run("the configuration names no properties, and none were given");
    }
    let failed = !runtime.passed() && !runtime.incomplete();
    match &runtime.outcome {
        Ok(report) if failed && report.generated == 0 && runtime.opinion.is_none() => {
            not_run("no state of the model could be looked at")
        }
        _ => Phase::Run(properties.run(watch, failed)),
    }
}

/// What invariants say of the states of windows.
fn note_observed(all: &mut [Property], found: &Conformance) {
    for row in &found.tally.invariants {
        for property in all.iter_mut().filter(|p| p.source == PropertySource::Name && p.name == row.name) {
            property.observed = Some((row.violated, row.not_evaluated));
        }
    }
}
