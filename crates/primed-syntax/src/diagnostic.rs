//! Complaints about a source text, with their place.

use crate::span::{SourceFile, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The module is refused.
    Error,
    /// It is accepted.
    Warning,
}

/// One complaint about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// SANY's code (RFC 15: 4003 for syntax, 42xx to 48xx for semantics).
    pub code: u32,
    /// What is wrong: lower case, no final stop, names in backticks.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to do about it, if known.
    pub help: Option<String>,
    /// Other places that explain it.
    pub notes: Vec<Note>,
}

/// A place that explains a complaint: where the other definition is, which operand is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What is there.
    pub message: String,
    /// Where.
    pub span: Span,
    /// The file, if it is not the one of the complaint.
    pub file: Option<SourceFile>,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: u32, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic { severity: Severity::Error, code, message: message.into(), span, help: None, notes: Vec::new() }
    }

    /// The same with another place of the same file.
    pub fn with_note(mut self, message: impl Into<String>, span: Span) -> Diagnostic {
        self.notes.push(Note { message: message.into(), span, file: None });
        self
    }

    /// The same with advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}
