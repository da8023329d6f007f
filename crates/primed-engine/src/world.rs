//! What a specification may ask of the machine. The engine itself does no input or output.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use primed_value::freeze::Frozen;

/// The outside, as the operators of IOUtils, Json and TLC see it. An `Err` is a text that says why not.
pub trait World: Send + Sync + Debug {
    /// The text of a file that a specification wants to read.
    ///
    /// # Errors
    /// Why it may not or cannot be read.
    fn read(&self, path: &str) -> Result<String, String> {
        Err(format!("reading `{path}` is not allowed here"))
    }

    /// Writes a file.
    ///
    /// # Errors
    /// Why it may not or cannot be written.
    fn write(&self, path: &str, text: &str, append: bool) -> Result<(), String> {
        let _ = (text, append);
        Err(format!("writing `{path}` is not allowed: specifications may not write files"))
    }

    /// Runs a command; standard output, standard error and exit code.
    ///
    /// # Errors
    /// Why it may not or cannot be run.
    fn execute(&self, command: &[String]) -> Result<(String, String, i64), String> {
        Err(format!("running `{}` is not allowed: specifications may not run commands", command.join(" ")))
    }

    /// The process environment, for `IOEnv`.
    fn environment(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// A warning about the specification, with TLC's number; it may come again.
    fn warn(&self, code: u32, text: &str) {
        let _ = (code, text);
    }

    /// A line that `Print` or `PrintT` wants shown.
    fn print(&self, line: &str) {
        let _ = line;
    }

    /// Seconds since 1970, for `JavaTime`.
    fn seconds(&self) -> i64 {
        0
    }
}

/// What TLCGet answers about the run that evaluates: "distinct", "queue", "config" and the like.
pub trait Run: Sync {
    /// The answer to a key; `None` if there is none, which is an error of the specification.
    fn answer(&self, key: &str) -> Option<Answer>;

    /// What `TLCSet("-Dkey", ...)` stored under the key: TLC keeps it among the properties of its Java machine.
    fn property(&self, key: &str) -> Option<String> {
        let _ = key;
        None
    }

    /// Stores such a property.
    fn set_property(&self, key: &str, text: String) {
        let _ = (key, text);
    }
}

/// An answer of a [`Run`].
#[derive(Clone, Debug)]
pub enum Answer {
    /// TRUE or FALSE.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A string.
    Text(String),
    /// A record.
    Record(Vec<(Cow<'static, str>, Answer)>),
    /// A set.
    Set(Vec<Answer>),
    /// A sequence.
    Sequence(Vec<Answer>),
    /// A value of the specification.
    Value(Arc<Frozen>),
}

/// Nothing is allowed and nothing is there.
#[derive(Debug, Default)]
pub struct Sealed;

impl World for Sealed {}
