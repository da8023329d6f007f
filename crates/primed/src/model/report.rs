//! What a search of a model is asked for, and what it came to.

use std::path::PathBuf;

use primed_explore::liveness::Liveness;
use primed_explore::progress::Progress;
use primed_explore::search::Kept;
use primed_value::layout;
use primed_windows::verdict::Reason;

use crate::checkpoint::Checkpoints;
use crate::model::coverage::{CoverageKind, ExpressionCount, VariableCount};
use crate::model::watch::OutDegree;

/// What kind of search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Every state, breadth first.
    #[default]
    BreadthFirst,
    /// Every state that is at most so many levels deep, initial states being level 1, by iterative deepening (TLC's `-dfid`): pass
    /// after pass, each one level deeper, in an order that the seed decides. States are generated again in each pass, as TLC
    /// counts them, but kept in full; a counterexample is a shortest one.
    Bounded(usize),
    /// Random behaviours.
    Simulation {
        /// How many each worker makes; `None` for no end.
        behaviours: Option<u64>,
        /// Most steps of a behaviour.
        steps: usize,
        /// How many random numbers are skipped first (TLC's `-aril`).
        skip: u64,
        /// TLC's `-generate`: what `TLCGet("config")` says. Behaviours are made in the same way.
        step_by_step: bool,
    },
}

/// How to search a model.
#[derive(Clone, Copy, Debug)]
pub struct CheckSettings {
    /// What kind of search.
    pub mode: Mode,
    /// Workers; at least one.
    pub workers: usize,
    /// Where random numbers begin: those of a simulation, and those of operators such as `RandomElement`.
    pub seed: i64,
    /// Whether a state without successors is a violation; `None` leaves it to the configuration.
    pub deadlock: Option<bool>,
    /// Most distinct states.
    pub max_states: usize,
    /// Most bytes for states and values.
    pub max_bytes: usize,
    /// A violated invariant does not end the search; all are reported.
    pub keep_going: bool,
    /// Once every variable of a successor has its value, what is left of the action is followed way by way all the same, as
    /// TLC does with `-nowarning`: the successor may be generated several times.
    pub all_ways: bool,
    /// When behaviours are searched for violations of temporal properties; those that a finite trace shows are found anyway.
    pub liveness: Liveness,
    /// How much is remembered for each worker of what parts of the next-state relation and invariants gave before, by what they read: most
    /// entries, of about 64 bytes. It changes nothing but the time that a search takes; 0 evaluates everything anew.
    pub remembered: usize,
}

impl CheckSettings {
    /// [`CheckSettings::remembered`] of all workers, so that it is a small part of the memory.
    pub(super) fn memo_size(&self) -> usize {
        const SHARE: usize = 8 * 64;
        self.remembered.saturating_mul(self.workers.max(1)).min(self.max_bytes / SHARE)
    }
}

impl Default for CheckSettings {
    fn default() -> CheckSettings {
        CheckSettings {
            mode: Mode::BreadthFirst,
            workers: 1,
            seed: 0,
            deadlock: None,
            max_states: usize::MAX,
            max_bytes: usize::MAX,
            keep_going: false,
            all_ways: false,
            liveness: Liveness::Meanwhile,
            remembered: 1 << 20,
        }
    }
}

/// What a search of a model may put on disk; by default nothing.
#[derive(Clone, Debug, Default)]
pub struct Storage {
    /// Where states go that outgrow memory: into a folder of its own below this one, which is made when it is needed and removed
    /// at the end.
    pub spill: Option<PathBuf>,
    /// Bytes from which on states go there, if that is less than [`CheckSettings::max_bytes`].
    pub spill_bytes: Option<usize>,
    /// How checkpoints are kept. If the search holds, they are removed at its end. If it is stopped, or reaches a limit, a last
    /// one is written first.
    pub checkpoints: Option<Checkpoints>,
    /// A folder with checkpoints; the search goes on from the newest one that is whole.
    pub recover: Option<PathBuf>,
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
    /// What was kept in memory, in bytes; nothing of a simulation.
    pub kept: Kept,
    /// The states that lead to what was found; empty if nothing was.
    pub trace: Vec<TraceState>,
    /// How many new states the expanded states lead to.
    pub degrees: OutDegree,
    /// How often each action was taken; the initial predicate first.
    pub coverage: Vec<Coverage>,
    /// How many values each variable had, if evaluations are counted.
    pub values: Vec<VariableCount>,
    /// Of a violated invariant, the conditions that are false.
    pub reasons: Vec<Reason>,
    /// Beside the verdict: the post-condition that is false, or cannot be evaluated, in TLC's words.
    pub postcondition: Option<String>,
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
                let values: Vec<&str> = parameters.iter().map(|p| &*p.text).collect();
                format!("{name}({})", values.join(","))
            }
        }
    }
}

impl CheckReport {
    /// What is known of a search that was interrupted and does not come to its end, since a state is still being expanded.
    pub fn cut_off(progress: &Progress) -> CheckReport {
        CheckReport {
            generated: progress.generated(),
            distinct: usize::try_from(progress.distinct()).unwrap_or(usize::MAX),
            left: usize::try_from(progress.queue()).unwrap_or(usize::MAX),
            depth: usize::try_from(progress.depth()).unwrap_or(usize::MAX),
            ..CheckReport::early(CheckVerdict::Interrupted)
        }
    }

    /// No state was looked at.
    pub(crate) fn early(verdict: CheckVerdict) -> CheckReport {
        let (trace, violations, degrees) = (Vec::new(), Vec::new(), OutDegree::default());
        let (coverage, postcondition, reasons) = (Vec::new(), None, Vec::new());
        let (generated, distinct, left, depth) = (0, 0, 0, 0);
        CheckReport {
            verdict,
            generated,
            distinct,
            left,
            depth,
            kept: Kept::default(),
            trace,
            violations,
            degrees,
            coverage,
            values: Vec::new(),
            reasons,
            postcondition,
        }
    }
}

/// How often an action was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// What it is. Of an initial predicate, `distinct` and `generated` are states that it gave, and these with those that it refused
    /// when all variables had values; of a constraint, states (or steps) that it is true of, and all that it was asked of.
    pub kind: CoverageKind,
    /// The operator; `None` if the action has none.
    pub name: Option<String>,
    /// Where its name is defined, in TLC's words.
    pub declaration: Option<String>,
    /// The action's formula, in TLC's words.
    pub place: String,
    /// First and last line and column of the formula, if it is a part of the operator's body only.
    pub part: Option<[u32; 4]>,
    /// New states that it led to.
    pub distinct: u64,
    /// States that it led to.
    pub generated: u64,
    /// How often its expressions were evaluated, if that is counted: those that do not go without saying, as TLC lists them.
    pub expressions: Vec<ExpressionCount>,
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
    /// The property of this name, of the last step of the trace.
    Action(String),
    /// SYMMETRY, before anything is searched.
    Symmetry,
    /// A temporal property or a fairness condition, of the last state of the trace and its steps.
    Temporal,
    /// POSTCONDITION, after the search: it is nothing that can be evaluated.
    Postcondition,
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
    /// The behaviour that begins with the trace violates temporal properties.
    TemporalProperty {
        /// Their names in the configuration.
        names: Vec<String>,
        /// How it goes on; `None` if the trace alone violates them.
        then: Option<TraceEnding>,
    },
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
        /// 14, 75, 76 or 255. 0 for an initial state of which a temporal property cannot be evaluated: TLC says what is wrong,
        /// and that nothing is ([`CheckVerdict::tlc_exit_code`]).
        exit_code: i32,
        /// When it looks for the nested expressions TLC says that it was unable to fingerprint (2147): a value, of which it knows
        /// where it was made, cannot be put into order, compared, applied or computed.
        unfingerprinted: Unfingerprinted,
    },
    /// A post-condition is false or cannot be evaluated.
    Postcondition(String),
    /// Something that is not evaluated.
    Unsupported(String),
    /// A limit was reached.
    Limit(String),
    /// The time that the search was given is over; the text says how much that was.
    Time(String),
    /// The search was ended by [`Progress::stop`](crate::Progress::stop), or by `TLCSet("exit", TRUE)`.
    Stopped,
    /// The search was ended by [`Progress::interrupt`](crate::Progress::interrupt).
    Interrupted,
    /// A file of the search's own cannot be written or read: states that were moved to disk, or a checkpoint. Also a checkpoint
    /// that does not belong to the search.
    Disk(String),
}

impl CheckVerdict {
    /// The exit code for it: TLC's, or Primed's own for what TLC does not have. Of an error it is never 0: where TLC forgets that an
    /// evaluation failed in an initial state, it is the one that TLC has if the same befalls a second one.
    pub fn exit_code(&self) -> i32 {
        match self.tlc_exit_code() {
            0 if matches!(self, CheckVerdict::Error { .. }) => 75,
            code => code,
        }
    }

    /// The exit code that TLC ends with, or Primed's own for what TLC does not have.
    pub fn tlc_exit_code(&self) -> i32 {
        match self {
            CheckVerdict::Holds | CheckVerdict::Stopped => 0,
            CheckVerdict::Assumption(_) | CheckVerdict::Postcondition(_) => 10,
            CheckVerdict::Deadlock => 11,
            CheckVerdict::Invariant(_) | CheckVerdict::TemporalProperty { then: None, .. } => 12,
            CheckVerdict::InitialProperty(_)
            | CheckVerdict::ActionProperty(_)
            | CheckVerdict::TemporalProperty { then: Some(_), .. } => 13,
            CheckVerdict::Error { exit_code, .. } => *exit_code,
            CheckVerdict::Time(_) => 71,
            CheckVerdict::Unsupported(_) => 72,
            CheckVerdict::Limit(_) => 73,
            // As the shell says of a process that was ended by Ctrl-C.
            CheckVerdict::Interrupted => 130,
            CheckVerdict::Disk(_) => 153,
        }
    }

    /// It is an evaluation error by one of TLC's exceptions that keep their own number wherever they are met.
    pub fn keeps_number(&self) -> bool {
        matches!(self, CheckVerdict::Error { code, message, .. } if *code == 2132 || keeps_number(*code, message))
    }
}

/// TLC's overridden operators complain by an exception that keeps its own number, for which there is no exit status but 255, as the
/// newest TLC says of a next-state relation.
pub(super) fn keeps_number(code: u32, message: &str) -> bool {
    match code {
        2155 | 2158 | 2169 | 2176 | 2177 | 2179..=2184 | 2266 | 2283 => true,
        // That of a symbolic set's size is of another kind.
        2178 => !message.contains("the number of elements"),
        _ => false,
    }
}

/// A simulation has nowhere to begin (TLC's messages 2118 and 2256; a search of all states says nothing of it). `constrained`:
/// there are initial states, all of them outside the constraints.
pub(super) fn no_initial_state(constrained: bool) -> CheckVerdict {
    let (code, of) = match constrained {
        false => (2118, ""),
        true => (2256, " and the state-constraint(s)"),
    };
    let message = format!("There is no state satisfying the initial state predicate{of}.");
    let (places, during, unfingerprinted) = (Vec::new(), During::Initial, Unfingerprinted::No);
    CheckVerdict::Error { message, places, code, during, exit_code: 255, unfingerprinted }
}

/// Whether TLC says of an error that it was unable to fingerprint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unfingerprinted {
    /// It does not.
    #[default]
    No,
    /// A value that was used while something was evaluated; the places are those of the expressions around it.
    Used,
    /// A value of a state; the places are those where it and its parts were made.
    Stored,
}

/// One state of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceState {
    /// The action that led to it; `None` for the initial state, or if it has no name.
    pub action: Option<String>,
    /// The parameters of the action, with their values.
    pub parameters: Vec<Parameter>,
    /// The action's formula, in TLC's words (`line 5, col 9 to line 5, col 16 of module M`).
    pub place: Option<String>,
    /// The same as a JSON object, as TLC writes it (`{"beginLine":5,...}`).
    pub location: Option<String>,
    /// The variables in order of declaration, or what the ALIAS shows for them.
    pub values: Vec<TraceValue>,
}

/// A variable of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceValue {
    /// The variable.
    pub name: String,
    /// Its value as TLC prints it; `null` if it has none.
    pub text: String,
    /// Its value as TLC's module Json writes it; `None` if it has no value, or one that cannot be written.
    pub json: Option<String>,
    /// Its value in the Informal Trace Format; `None` as for `json`.
    pub itf: Option<String>,
}

impl TraceValue {
    /// The value over several lines if it is long, as TLC shows it in states.
    pub fn lines(&self) -> String {
        layout::lay_out(&self.text, layout::WIDTH)
    }
}

/// A parameter of an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value as TLC prints it.
    pub text: String,
    /// Its value as TLC's module Json writes it; `None` for an operator.
    pub json: Option<String>,
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
        /// That state, with the action that leads back to it.
        by: Box<TraceState>,
    },
}
