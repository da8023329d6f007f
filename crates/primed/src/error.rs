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
    /// The specification is not legal TLA+ (SANY's codes, from 4000), its configuration is malformed (TLC's messages 5002 to
    /// 5006) or does not fit it (from 2000).
    Specification(Vec<Located>),
    /// The model cannot be started, and no place says why; TLC's message.
    Startup {
        /// The number of TLC's message.
        code: u32,
        /// Its text.
        text: String,
    },
    /// It is legal but lacks something that was asked for (an action, an initial predicate); the text says what.
    Missing(String),
    /// Evaluating it failed before any window was read.
    Evaluation(String),
}

/// What TLC says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlcMessage {
    /// The number of the message.
    pub code: u32,
    /// The text.
    pub text: String,
}

impl TlcMessage {
    fn new(code: u32, text: impl Into<String>) -> TlcMessage {
        TlcMessage { code, text: text.into() }
    }

    /// The exit status that TLC has for it.
    pub fn exit_status(&self) -> i32 {
        exit_status(self.code)
    }
}

/// TLC's exit status for one of its messages: 255 for all that have none of their own.
pub fn exit_status(code: u32) -> i32 {
    match code {
        1102 => 1,
        2104 | 2105 | 2404 | 2405 => 10,
        2114 => 11,
        2107 | 2110 => 12,
        2108 | 2112 | 2113 | 2116 => 13,
        2132 => 14,
        2103 | 2109 | 2115 | 2147 => 75,
        2111 | 2146 => 76,
        2253 => 77,
        2171 | 3002 => 150,
        2222..=2245 | 2272..=2274 | 2280 | 2281 => 151,
        _ => 255,
    }
}

impl OpenError {
    /// What TLC says in this case. Of several complaints it knows the first; that a specification is not legal is one message,
    /// after all that SANY has to say.
    pub fn tlc(&self) -> TlcMessage {
        match self {
            OpenError::Specification(complaints) => {
                let error = complaints.iter().find(|c| c.diagnostic.severity == Severity::Error);
                match error.map(|e| (e.diagnostic.code, e)) {
                    Some((code @ 5001..=5006, Located { file, diagnostic })) => {
                        let line = file.position(diagnostic.span.start).line;
                        let text = format!(
                            "TLC found an error in the configuration file at line {line}\n{}",
                            diagnostic.message
                        );
                        TlcMessage::new(code, text)
                    }
                    Some((code @ (1000 | 2000..=2999), Located { diagnostic, .. })) => {
                        TlcMessage::new(code, diagnostic.message.clone())
                    }
                    _ => TlcMessage::new(3002, "Parsing or semantic analysis failed."),
                }
            }
            OpenError::File(_) => TlcMessage::new(3002, "Parsing or semantic analysis failed."),
            OpenError::Configuration(text) => TlcMessage::new(5001, text.clone()),
            OpenError::Startup { code, text } => TlcMessage::new(*code, text.clone()),
            OpenError::Missing(text) => TlcMessage::new(2229, text.clone()),
            OpenError::Evaluation(text) => TlcMessage::new(2103, text.clone()),
        }
    }

    /// TLC's exit status for it: 150 for the specification, 151 for a configuration that does not fit, 255 for one that is
    /// malformed, and so on.
    pub fn exit_code(&self) -> i32 {
        self.tlc().exit_status()
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::File(text)
            | OpenError::Configuration(text)
            | OpenError::Startup { text, .. }
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
