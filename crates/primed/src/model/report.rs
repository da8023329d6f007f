//! What a search of a model is asked for, and what it came to.

/// How to search a model.
#[derive(Clone, Copy, Debug)]
pub struct CheckSettings {
    /// Workers; at least one.
    pub workers: usize,
    /// Whether a state without successors is a violation; `None` leaves it to the configuration.
    pub deadlock: Option<bool>,
    /// Most distinct states.
    pub max_states: usize,
    /// Most bytes for states and values.
    pub max_bytes: usize,
    /// A violated invariant does not end the search; all are reported.
    pub keep_going: bool,
    /// Whether behaviours are searched for violations of temporal properties; those that a finite trace shows are found anyway.
    pub liveness: bool,
}

impl Default for CheckSettings {
    fn default() -> CheckSettings {
        CheckSettings {
            workers: 1,
            deadlock: None,
            max_states: usize::MAX,
            max_bytes: usize::MAX,
            keep_going: false,
            liveness: true,
        }
    }
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// What was found.
    pub verdict: CheckVerdict,
    /// States generated, duplicates included.
    pub generated: u64,
    /// Distinct states.
    pub distinct: usize,
    /// States found but not expanded.
    pub left: usize,
    /// Depth of the state graph, initial states being 1.
    pub depth: usize,
    /// The states that lead to what was found; empty if nothing was.
    pub trace: Vec<TraceState>,
    /// How a behaviour that violates a temporal property goes on after the trace; `None` if that does not matter.
    pub ending: Option<TraceEnding>,
    /// With [`CheckSettings::keep_going`], what was violated, with the states that lead there.
    pub violations: Vec<(CheckVerdict, Vec<TraceState>)>,
}

impl CheckReport {
    /// No state was looked at.
    pub(crate) fn early(verdict: CheckVerdict) -> CheckReport {
        let (trace, violations) = (Vec::new(), Vec::new());
        CheckReport { verdict, generated: 0, distinct: 0, left: 0, depth: 0, trace, ending: None, violations }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckVerdict {
    /// Every state was searched and nothing is wrong.
    Holds,
    /// An assumption is false or cannot be evaluated.
    Assumption(String),
    /// The last state of the trace has no successor.
    Deadlock,
    /// The invariant of this name is false in the last state of the trace.
    Invariant(String),
    /// The property of this name is false in the initial state.
    InitialProperty(String),
    /// The property of this name is false of the last step of the trace.
    ActionProperty(String),
    /// The behaviour that the trace shows violates temporal properties.
    TemporalProperty {
        /// Their names in the configuration.
        names: Vec<String>,
        /// The trace alone violates them, however it goes on.
        finite: bool,
    },
    /// Evaluation failed; TLC's exit code for where it did.
    Error {
        /// What is wrong.
        message: String,
        /// Where, innermost first.
        places: Vec<String>,
        /// 13, 14, 75, 76 or 255.
        exit_code: i32,
    },
    /// Something that is not evaluated.
    Unsupported(String),
    /// A limit was reached.
    Limit(String),
    /// The search was ended by [`Progress::stop`](crate::Progress::stop), or by `TLCSet("exit", TRUE)`.
    Stopped,
}

impl CheckVerdict {
    /// The exit code for it: TLC's, or Primed's own for what TLC does not have.
    pub fn exit_code(&self) -> i32 {
        match self {
            CheckVerdict::Holds | CheckVerdict::Stopped => 0,
            CheckVerdict::Assumption(_) => 10,
            CheckVerdict::Deadlock => 11,
            CheckVerdict::Invariant(_) | CheckVerdict::TemporalProperty { finite: true, .. } => 12,
            CheckVerdict::InitialProperty(_)
            | CheckVerdict::ActionProperty(_)
            | CheckVerdict::TemporalProperty { finite: false, .. } => 13,
            CheckVerdict::Error { exit_code, .. } => *exit_code,
            CheckVerdict::Unsupported(_) => 72,
            CheckVerdict::Limit(_) => 73,
        }
    }
}

/// One state of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceState {
    /// The action that led to it; `None` for the initial state, or if it has no name.
    pub action: Option<String>,
    /// Variables with their values as TLC prints them, in order of declaration.
    pub values: Vec<(String, String)>,
}

/// How a behaviour goes on after the last state of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceEnding {
    /// It stays there for ever.
    Stutters,
    /// It goes back to an earlier state, and so on for ever.
    Back {
        /// The number of the state in the trace, from 1.
        state: usize,
        /// The action of the step, if it has a name.
        action: Option<String>,
    },
}
