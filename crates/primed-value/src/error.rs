//! Why an evaluation has no value.

use std::fmt;

use crate::fail::{OVERRIDE, override_text};

/// A place in the evaluator's terms; the semantics crate can turn it into file, line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// The number of the file, given by whoever loaded it; `u32::MAX` for no place.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// What kind of trouble.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvalErrorKind {
    /// TLC's: the operands are not of the kind, a value is not in the domain, nothing satisfies a CHOOSE ...
    Evaluation,
    /// `Assert` with something else than TRUE (2132).
    Assert,
    /// A variable of the next state ranges over a set that cannot be listed (`x' \in Nat`): its successors cannot be
    /// found, though a step can be checked.
    NotEnumerable,
    /// A variable without a value was read, or a successor leaves one open (2109).
    Incomplete,
    /// Nested too deep ([`crate::host::Limits::depth`]); TLC's StackOverflowError.
    StackOverflow,
    /// Another limit was reached; the message names it.
    Limit,
    /// Not done by this engine yet; the message names the construct.
    Unsupported,
    /// Refused for safety: commands, writes, reads outside the allowed folders.
    Forbidden,
}

/// An evaluation error: TLC's text, TLC's message number where it has one, and the chain of places from the innermost out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// What kind.
    pub kind: EvalErrorKind,
    /// TLC's message number (`EC.java`), 1000 for those without one.
    pub code: u32,
    /// TLC's words.
    pub message: String,
    /// Innermost first.
    pub places: Vec<Place>,
    /// The expressions around it, innermost first, if what failed was compiled to tell them.
    pub around: Vec<Place>,
    /// TLC's words end with a place, after these characters.
    pub told: Option<(&'static str, Place)>,
    /// It was met in a value of which it is known where it was made, while places are told: TLC says then that it cannot
    /// fingerprint (2147).
    pub of_value: bool,
}

impl EvalError {
    /// An ordinary evaluation error.
    #[cold]
    pub fn new(code: u32, message: impl Into<String>) -> Box<EvalError> {
        Self::of_kind(EvalErrorKind::Evaluation, code, message)
    }

    /// An error of another kind.
    #[cold]
    pub fn of_kind(kind: EvalErrorKind, code: u32, message: impl Into<String>) -> Box<EvalError> {
        Box::new(EvalError {
            kind,
            code,
            message: message.into(),
            places: Vec::new(),
            around: Vec::new(),
            told: None,
            of_value: false,
        })
    }

    /// Adds an enclosing place; chains longer than 200 keep their inner part.
    #[cold]
    pub fn at(mut self: Box<Self>, place: Place) -> Box<EvalError> {
        if self.places.len() < 200 && self.places.last() != Some(&place) {
            self.places.push(place);
        }
        self
    }
}

impl EvalError {
    /// Adds the place with which TLC ends its words; it is no part of [`EvalError::message`].
    #[cold]
    pub fn told(mut self: Box<Self>, after: &'static str, place: Place) -> Box<EvalError> {
        self.told = Some((after, place));
        self.at(place)
    }
}

/// Longest chain of expressions that is told.
const MAX_AROUND: usize = 10_000;

impl EvalError {
    /// Adds values that it was met in, outermost first, by the places where they were made.
    #[cold]
    pub fn in_values(mut self: Box<Self>, made: &[Place]) -> Box<EvalError> {
        self.of_value |= !made.is_empty();
        made.iter().rev().fold(self, |error, place| error.within(*place))
    }

    /// It comes out of what TLC asks a value to do that knows where it was made. That is told only of what the value evaluates
    /// for it; who asks tells it of the rest.
    #[cold]
    pub(crate) fn in_made(mut self: Box<Self>) -> Box<EvalError> {
        self.of_value |= !self.around.is_empty();
        self
    }

    /// It is the complaint of an operator of TLC's modules, or of its Assert, which goes through TLC's Java code as it is.
    pub fn is_of_module(&self) -> bool {
        match self.code {
            2154 | 2155 | 2158 | 2169 | 2176 | 2177 | 2179..=2184 | 2266 | 2283 => true,
            // That of a symbolic set's size is of another kind.
            2178 => !self.message.contains("the number of elements"),
            _ => self.kind == EvalErrorKind::Assert,
        }
    }

    /// The error of a value that one of TLC's Java overrides works with. Complaints of other operators pass through it, unless a value
    /// that knows where it was made has wrapped them.
    #[cold]
    pub fn in_override(mut self: Box<Self>, method: &str) -> Box<EvalError> {
        let evaluation = matches!(self.kind, EvalErrorKind::Evaluation | EvalErrorKind::Assert);
        if evaluation && (self.of_value || !self.is_of_module()) {
            self.message = override_text(method, &self.message);
            (self.kind, self.code, self.of_value) = (EvalErrorKind::Evaluation, OVERRIDE, false);
        }
        self
    }

    /// Adds an expression around it. One that is evaluated by way of another form of itself is told once.
    #[cold]
    pub fn within(mut self: Box<Self>, place: Place) -> Box<EvalError> {
        if self.around.len() < MAX_AROUND && self.around.last() != Some(&place) {
            self.around.push(place);
        }
        self
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EvalError {}
