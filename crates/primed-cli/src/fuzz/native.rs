//! What Primed says of a specification, in this process.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use primed::{
    CheckSettings, CheckVerdict, Graph, GraphState, GraphStep, Liveness, ModelChecker, ModelSettings, Permissions,
    PrintTo, Progress, Storage, Watch,
};

/// Most distinct states of a specification; those with more are left out.
const MAX_STATES: usize = 50_000;
/// Most memory for one.
const MAX_BYTES: usize = 1 << 30;

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// The exit code.
    pub(super) status: i32,
    pub(super) generated: u64,
    pub(super) distinct: u64,
    pub(super) depth: u64,
    /// What was printed.
    pub(super) printed: String,
    /// What is wrong.
    pub(super) message: String,
    /// TLC's number for an evaluation error, or 0.
    pub(super) code: u32,
    /// The counts are those of the moment when a finite trace showed a violation of a temporal property; TLC 2.15 goes on.
    pub(super) at_once: bool,
    pub(super) names: Vec<String>,
}

/// States and steps of a search.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Values by variable; the state with number `n` is at `n - 1`.
    pub(super) states: Vec<Vec<String>>,
    /// Before, after, action.
    pub(super) steps: Vec<(usize, usize, String)>,
}

/// Most steps that are kept.
const MAX_STEPS: usize = 3000;

impl Graph for Found {
    fn state(&mut self, state: &GraphState<'_>) {
        self.states.push(state.values.iter().map(|(_, value)| value.clone()).collect());
    }

    fn step(&mut self, step: &GraphStep<'_>) {
        if self.steps.len() < MAX_STEPS {
            let (from, to) = (step.from as usize, step.to as usize);
            self.steps.push((from - 1, to - 1, step.action.unwrap_or_default().to_owned()));
        }
    }
}

#[derive(Default)]
struct Listener(Option<Mutex<Found>>);

impl Watch for Listener {
    fn graph(&self) -> Option<&Mutex<dyn Graph>> {
        self.0.as_ref().map(|found| found as &Mutex<dyn Graph>)
    }
}

/// How a specification is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    pub(super) workers: usize,
    pub(super) no_deadlock: bool,
    /// The state graph is wanted.
    pub(super) graph: bool,
}

/// Searches the model `Fuzz` in a folder.
pub(super) fn judge(folder: &Path, module: &str, how: How) -> (Answer, Found) {
    let printed = folder.join("printed.txt");
    let print_to = File::create(&printed).map_or(PrintTo::StandardError, |f| PrintTo::File(Arc::new(Mutex::new(f))));
    let permissions = Permissions { print: true, print_to, ..Permissions::default() };
    let config = Some(folder.join(format!("{module}.cfg")));
    let settings = ModelSettings { config, permissions, ..ModelSettings::default() };
    let checker = match ModelChecker::open_with(&folder.join(format!("{module}.tla")), settings) {
        Ok(checker) => checker,
        Err(error) => {
            let answer = Answer { status: error.exit_code(), message: error.to_string(), ..Answer::default() };
            return (Answer { printed: read(&printed), code: error.tlc().code, ..answer }, Found::default());
        }
    };
    let settings = CheckSettings {
        workers: how.workers,
        deadlock: how.no_deadlock.then_some(false),
        max_states: MAX_STATES,
        max_bytes: MAX_BYTES,
        liveness: Liveness::AtEnd,
        ..CheckSettings::default()
    };
    let listener = Listener(how.graph.then(Mutex::default));
    let report = checker.check_stored(settings, &Storage::default(), &Progress::default(), &listener);
    let (message, code, names) = describe(&report.verdict);
    let answer = Answer {
        status: report.verdict.tlc_exit_code(),
        generated: report.generated,
        distinct: report.distinct as u64,
        depth: report.depth as u64,
        printed: read(&printed),
        message,
        code,
        at_once: matches!(report.verdict, CheckVerdict::TemporalProperty { then: None, .. }),
        names,
    };
    let found = listener.0.map(|f| f.into_inner().unwrap_or_else(PoisonError::into_inner));
    (answer, found.unwrap_or_default())
}

fn read(printed: &Path) -> String {
    std::fs::read_to_string(printed).unwrap_or_default()
}

fn describe(verdict: &CheckVerdict) -> (String, u32, Vec<String>) {
    match verdict {
        CheckVerdict::Assumption(text)
        | CheckVerdict::Postcondition(text)
        | CheckVerdict::Unsupported(text)
        | CheckVerdict::Limit(text)
        | CheckVerdict::Time(text)
        | CheckVerdict::Disk(text) => (text.clone(), 0, Vec::new()),
        CheckVerdict::Invariant(name) | CheckVerdict::InitialProperty(name) | CheckVerdict::ActionProperty(name) => {
            (format!("{name} is violated"), 0, vec![name.clone()])
        }
        CheckVerdict::TemporalProperty { names, .. } => (format!("{} violated", names.join(", ")), 0, names.clone()),
        CheckVerdict::Error { message, code, places, during, .. } => {
            (format!("{message} (during {during:?}) at {}", places.join("; ")), *code, Vec::new())
        }
        CheckVerdict::Holds | CheckVerdict::Deadlock | CheckVerdict::Stopped | CheckVerdict::Interrupted => {
            (String::new(), 0, Vec::new())
        }
    }
}
