//! Complaints about a source text, with their place.

use crate::span::Span;

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
}

impl Diagnostic {
    /// An error.
    pub fn error(code: u32, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic { severity: Severity::Error, code, message: message.into(), span, help: None }
    }

    /// The same with advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}
