//! What can go wrong before a verdict.

use std::fmt;

use primed_semantics::model::Located;
use primed_syntax::diagnostic::Severity;

/// Why a specification cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// A file cannot be read; the text says which and why.
    File(String),
    /// The configuration cannot be read; the text says which and why.
    Configuration(String),
    /// The specification is not legal TLA+, or its configuration does not fit it.
    Specification(Vec<Located>),
    /// It is legal but lacks something that was asked for (an action, an initial predicate); the text says what.
    Missing(String),
    /// Evaluating it failed before any window was read.
    Evaluation(String),
}

impl OpenError {
    /// TLC's exit code for it: 150 for the specification, 151 for the configuration, 77 or 255 for what is wrong with temporal
    /// formulas, 75 if it cannot be evaluated.
    pub fn exit_code(&self) -> i32 {
        match self {
            OpenError::Specification(complaints) => {
                let mut errors = complaints.iter().filter(|c| c.diagnostic.severity == Severity::Error);
                errors.find_map(|c| own_exit_code(c.diagnostic.code)).unwrap_or(150)
            }
            OpenError::File(_) => 150,
            OpenError::Configuration(_) | OpenError::Missing(_) => 151,
            OpenError::Evaluation(_) => 75,
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::File(text)
            | OpenError::Configuration(text)
            | OpenError::Missing(text)
            | OpenError::Evaluation(text) => f.write_str(text),
            OpenError::Specification(complaints) => {
                for (i, Located { file, diagnostic }) in complaints.iter().enumerate() {
                    let at = file.position(diagnostic.span.start);
                    let line_break = if i == 0 { "" } else { "\n" };
                    write!(f, "{line_break}{}:{}:{}: {}", file.name(), at.line, at.column, diagnostic.message)?;
                    if let Some(help) = &diagnostic.help {
                        write!(f, " ({help})")?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for OpenError {}

/// TLC's exit code for an error that is not one of the specification's text.
fn own_exit_code(code: u32) -> Option<i32> {
    match code {
        // A temporal formula that is a tautology.
        2253 => Some(77),
        // The text of a configuration (5001 to 5006) or how it fits.
        2222..=2281 | 5001..=5006 => Some(151),
        // A constant that cannot be evaluated; temporal formulas that TLC cannot handle.
        1000 | 2213..=2215 | 2301 => Some(255),
        _ => None,
    }
}
