//! What a search of a model is asked for, and what it came to.

use crate::model::watch::OutDegree;

/// What kind of search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Every state, breadth first.
    #[default]
    BreadthFirst,
    /// Every state that is at most so many levels deep, initial states being level 1: what TLC's `-dfid` answers. The shortest
    /// counterexample is found, as by iterative deepening, but states are kept instead of generated again.
    Bounded(usize),
    /// Random behaviours.
    Simulation {
        /// How many each worker makes; `None` for no end.
        behaviours: Option<u64>,
        /// Most steps of a behaviour.
        steps: usize,
        /// Where the random numbers begin.
        seed: u64,
        /// How many random numbers are skipped first (TLC's `-aril`).
        skip: u64,
    },
}

/// How to search a model.
#[derive(Clone, Copy, Debug)]
pub struct CheckSettings {
    /// What kind of search.
    pub mode: Mode,
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
    /// What follows in an action once all variables have their values is a plain condition, as in TLC; without it, its choices
    /// are followed, as TLC does with `-nowarning`.
    pub short_circuit: bool,
}

impl Default for CheckSettings {
    fn default() -> CheckSettings {
        CheckSettings {
            mode: Mode::BreadthFirst,
            workers: 1,
            deadlock: None,
            max_states: usize::MAX,
            max_bytes: usize::MAX,
            keep_going: false,
            short_circuit: true,
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
    /// How many new states the expanded states lead to.
    pub degrees: OutDegree,
    /// With [`CheckSettings::keep_going`], what was violated, with the states that lead there.
    pub violations: Vec<(CheckVerdict, Vec<TraceState>)>,
}

impl TraceState {
    /// The action with its parameters, as TLC writes it: `Step(1,2)`; `Action` if it has no name.
    pub fn signature(&self) -> String {
        let name = self.action.as_deref().unwrap_or("Action");
        match self.parameters.as_slice() {
            [] => name.to_owned(),
            parameters => {
                let values: Vec<&str> = parameters.iter().map(|(_, value)| &**value).collect();
                format!("{name}({})", values.join(","))
            }
        }
    }
}

impl CheckReport {
    /// No state was looked at.
    pub(crate) fn early(verdict: CheckVerdict) -> CheckReport {
        let (trace, violations, degrees) = (Vec::new(), Vec::new(), OutDegree::default());
        CheckReport { verdict, generated: 0, distinct: 0, left: 0, depth: 0, trace, violations, degrees }
    }
}

/// What was being evaluated when an evaluation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum During {
    /// The initial predicate, or what is asked of initial states before they are checked (constraints).
    Initial,
    /// The next-state relation, or what is asked of its steps before they are checked.
    Next,
    /// The invariant of this name. The last state of the trace is the one that it was asked of.
    Invariant(String),
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
    /// Evaluation failed; TLC's exit code for where it did.
    Error {
        /// What is wrong.
        message: String,
        /// Where, innermost first.
        places: Vec<String>,
        /// TLC's message number; 1000 for those without one.
        code: u32,
        /// What was being evaluated.
        during: During,
        /// 14, 75, 76 or 255.
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
            CheckVerdict::Invariant(_) => 12,
            CheckVerdict::Error { exit_code, .. } => *exit_code,
            CheckVerdict::Unsupported(_) => 72,
            CheckVerdict::Limit(_) => 73,
        }
    }
}

/// One state of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceState {
    /// The action that led to it; `None` for the initial state, or if it has no name.
    pub action: Option<String>,
    /// The parameters of the action, with their values.
    pub parameters: Vec<(String, String)>,
    /// The action's formula, in TLC's words (`line 5, col 9 to line 5, col 16 of module M`).
    pub place: Option<String>,
    /// Variables with their values as TLC prints them, in order of declaration.
    pub values: Vec<(String, String)>,
}
