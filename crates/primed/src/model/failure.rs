//! What ends the search of a model, seen from its state space.

use primed_explore::space::Aftermath;
use primed_value::error::{EvalError, EvalErrorKind};

use crate::model::report::Unfingerprinted;

/// Why the model could not be searched on.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: Box<EvalError>,
    /// What was evaluated.
    pub(super) stage: Stage,
    /// The state that was looked at, if it is not on the path of the search yet.
    pub(super) state: Option<Vec<u32>>,
    /// The action that was being run.
    pub(super) action: u32,
    /// The state that was looked at is a new one, and counts among those found but not expanded.
    pub(super) fresh: bool,
    /// The initial state itself cannot be put into order, so that TLC fails again when it shows it.
    pub(super) unshown: bool,
    /// An initial state cannot be stored: TLC looks at no more of them, but generates all.
    pub(super) unstored: bool,
    /// The error of another initial state, which TLC meets when it generates them again to find what is around the first.
    pub(super) later: Option<Box<EvalError>>,
    /// When TLC looks for what is around the error, it comes out of a Java override that wraps it.
    pub(super) wrapped: bool,
    /// What TLC says when it looks for what is around the error.
    pub(super) unfingerprinted: Unfingerprinted,
}

/// What is evaluated when something fails; TLC's exit code depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The initial predicate, the next-state relation, a constraint.
    States,
    /// An invariant, by its number.
    Invariant(usize),
    /// A property of initial states.
    Initial(usize),
    /// A property of steps.
    Action(usize),
    /// What a temporal property or a fairness condition consists of.
    Temporal,
}

impl From<Box<EvalError>> for Failure {
    fn from(error: Box<EvalError>) -> Failure {
        Failure {
            error,
            stage: Stage::States,
            state: None,
            action: 0,
            fresh: false,
            unshown: false,
            unstored: false,
            later: None,
            wrapped: false,
            unfingerprinted: Unfingerprinted::No,
        }
    }
}

impl Failure {
    /// What iterative deepening does after it.
    pub(super) fn aftermath(&self) -> Aftermath {
        let open = self.error.code == 2109;
        // TLC catches what goes wrong with these where it meets it.
        let caught = matches!(self.stage, Stage::Invariant(_) | Stage::Action(_));
        Aftermath { goes_on: open || caught, again: !open && self.error.kind != EvalErrorKind::StackOverflow }
    }
}

/// What is false, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Violation {
    /// An invariant, in a state.
    Invariant(usize),
    /// A property of initial states.
    Initial(usize),
    /// A property of steps.
    Action(usize),
}
