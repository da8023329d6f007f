//! What is said about a window.

use primed_engine::explain::Refusal;
pub use primed_engine::explain::Tried;
use primed_semantics::model::Model;
use primed_value::error::Place;

/// Most reasons that are kept of one refusal.
pub const MOST_REASONS: usize = 8;

/// The verdict on one window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The line in the file, from 1.
    pub line: usize,
    /// The window's own id, as written.
    pub id: Option<String>,
    /// The trace it belongs to, as written.
    pub trace: Option<String>,
    /// The action it names.
    pub action: Option<String>,
    /// The verdict itself.
    pub outcome: Outcome,
    /// Variables that the window leaves out, before or after the step.
    pub unobserved: Vec<String>,
    /// Invariants that an observed state violates, or that could not be evaluated.
    pub findings: Vec<Finding>,
    /// Keys of the window that mean nothing to Primed, with their JSON as it was written.
    pub unknown: Vec<(String, String)>,
    /// Remarks.
    pub notes: Vec<String>,
}

impl Verdict {
    /// The verdict on a line of which nothing is known yet.
    pub(crate) fn on_line(line: usize, outcome: Outcome) -> Verdict {
        Verdict {
            line,
            id: None,
            trace: None,
            action: None,
            outcome,
            unobserved: Vec::new(),
            findings: Vec::new(),
            unknown: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// The kinds of verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The named action allows exactly this step.
    Conforms,
    /// It does not.
    Refused(Box<Refused>),
    /// The window could not be judged: it is malformed, does not fit the specification, or evaluating failed.
    Error(Trouble),
    /// The specification needs something that is not evaluated.
    Unsupported(Trouble),
}

impl Outcome {
    /// The word for it in reports: `conforms`, `refused`, `error` or `unsupported`.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Conforms => "conforms",
            Outcome::Refused(_) => "refused",
            Outcome::Error(_) => "error",
            Outcome::Unsupported(_) => "unsupported",
        }
    }
}

/// A message with the places it concerns, innermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What is wrong.
    pub message: String,
    /// Where in the specification, if there.
    pub places: Vec<Location>,
    /// A limit of Primed was reached (depth, size of a set, memory); TLC might go further.
    pub limit: bool,
}

impl Trouble {
    /// Trouble with the window itself.
    pub fn new(message: impl Into<String>) -> Trouble {
        Trouble { message: message.into(), places: Vec::new(), limit: false }
    }
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file as it was opened.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The text that stands there, on one line.
    pub text: String,
}

impl Location {
    /// A place in a model's sources, with its text.
    pub fn new(model: &Model, place: Place) -> Location {
        let text = model.text(place).split_whitespace().collect::<Vec<_>>().join(" ");
        match model.sources.get(place.file as usize) {
            Some(file) => {
                let at = file.position(place.start);
                Location { file: file.name().to_owned(), line: at.line, column: at.column, text }
            }
            None => Location { file: String::new(), line: 0, column: 0, text },
        }
    }
}

/// Why a step is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// The conditions that no way through the action gets past: those false on the ways that got furthest.
    pub reasons: Vec<Reason>,
    /// How the nearest successor that the action does allow differs from what was observed; `None` if it allows none.
    pub nearest: Option<Vec<Difference>>,
    /// How many successors were looked at for the nearest, if there are more.
    pub among: Option<usize>,
    /// Other actions of the specification that allow the step.
    pub others: Vec<String>,
    /// The actions that allow it for other values of a parameter than the window gives, or for some values of it; the action
    /// itself first.
    pub elsewhere: Vec<Elsewhere>,
    /// What was not observed before the step, and what it was taken to be.
    pub assumed: Option<Assumed>,
    /// Why there are no reasons, where there are none.
    pub unknown: Option<String>,
}

impl Refused {
    /// A refusal by something that tells no reasons; why it does not.
    pub fn without_reasons(why: impl Into<String>) -> Refused {
        Refused { unknown: Some(why.into()), ..Refused::default() }
    }
}

/// An action that allows a step, for some values of one parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// The action.
    pub action: String,
    /// The parameter.
    pub parameter: String,
    /// The values for which it does, not necessarily all.
    pub values: Vec<String>,
}

/// Where the values of unobserved variables come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// The variables.
    pub variables: Vec<String>,
    /// The initial predicate, or the one that the options name.
    pub from: String,
    /// How many combinations of values it allows; with none there is nothing that the action could be tried for.
    pub tried: usize,
}

/// A condition that is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Where it stands, with its text.
    pub location: Location,
    /// Quantified names and parameters with their values.
    pub bindings: Vec<(String, String)>,
    /// The conditions of IF, CASE and `=>` around it that lead to it, with their values.
    pub because: Vec<(Location, bool)>,
    /// Its operands with their values.
    pub operands: Vec<(String, String)>,
    /// Names that the condition itself binds, with the values for which it is false.
    pub witnesses: Vec<(String, String)>,
    /// The `\E` in it that nothing satisfies.
    pub tried: Vec<Tried>,
    /// Variables that it reads (primed if after the step) though the window leaves them out, with the values that they were given:
    /// before the step what the predicate of [`Refused::assumed`] allows, after it what the action gives.
    pub unobserved: Vec<(String, String)>,
}

impl Reason {
    /// A refusal in words and places.
    pub fn new(model: &Model, refusal: &Refusal) -> Reason {
        let mut operands: Vec<(String, String)> = Vec::new();
        for operand in &refusal.operands {
            let name = match (&operand.variable, operand.place) {
                (Some(variable), _) => variable.clone(),
                (None, Some(place)) => Location::new(model, place).text,
                (None, None) => String::new(),
            };
            let shown = (name, operand.value.clone());
            let known = refusal.bindings.contains(&shown) || refusal.witnesses.contains(&shown);
            // A literal explains itself.
            if shown.0 != shown.1 && !known && !operands.contains(&shown) {
                operands.push(shown);
            }
        }
        let unobserved = refusal.unobserved.iter().filter_map(|(variable, next, value)| {
            let name = &model.variables.get(*variable)?.name;
            Some((if *next { format!("{name}'") } else { name.to_string() }, value.clone()))
        });
        Reason {
            location: Location::new(model, refusal.place),
            bindings: refusal.bindings.clone(),
            because: refusal.because.iter().map(|b| (Location::new(model, b.place), b.holds)).collect(),
            operands,
            witnesses: refusal.witnesses.clone(),
            tried: refusal.tried.clone(),
            unobserved: unobserved.collect(),
        }
    }
}

/// A part of a state that is not as the specification would have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The variable, with the way in: `pc[2]`, `log[1][3].term`.
    pub path: String,
    /// What the action would give.
    pub specification: String,
    /// What was observed.
    pub observed: String,
}

/// What an invariant says of an observed state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The invariant.
    pub invariant: String,
    /// `pre` or `post`.
    pub state: &'static str,
    /// What was found.
    pub kind: FindingKind,
}

/// The kinds of finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// It is false; the conditions in it that are.
    Violated(Vec<Reason>),
    /// It reads a variable that the window leaves out.
    Unobserved(String),
    /// Its evaluation fails in this state.
    NotEvaluated(String),
}
