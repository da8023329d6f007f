//! What a specification may ask of the machine. The engine itself does no input or output.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use primed_value::freeze::Frozen;

/// Why something outside was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undone {
    /// It is not allowed; the text says what is and by which flag.
    Refused(String),
    /// There is no such file, or no such program.
    Missing(String),
    /// The file was to be made and is there already.
    Exists(String),
    /// The system could not do it.
    Failed(String),
}

impl std::fmt::Display for Undone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Undone::Refused(why) | Undone::Missing(why) | Undone::Exists(why) | Undone::Failed(why) => f.write_str(why),
        }
    }
}

/// How a file that is to be written is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// What is written comes after what is there.
    pub append: bool,
    /// What is there is thrown away.
    pub truncate: bool,
    /// It is made if there is none.
    pub create: bool,
    /// It is made, and must not be there.
    pub create_new: bool,
}

impl Opening {
    /// A new content, whether there was a file or not.
    pub const ANEW: Opening = Opening { append: false, truncate: true, create: true, create_new: false };
    /// More content.
    pub const MORE: Opening = Opening { append: true, truncate: false, create: true, create_new: false };
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// Its standard output.
    pub output: String,
    /// Its standard error.
    pub errors: String,
    /// Its exit status.
    pub status: i64,
}

/// The outside, as the operators of IOUtils, Json, CSV and TLC see it.
pub trait World: Send + Sync + Debug {
    /// The bytes of a file that a specification wants to read.
    ///
    /// # Errors
    /// Why it may not or cannot be read.
    fn read(&self, path: &str) -> Result<Vec<u8>, Undone> {
        Err(Undone::Refused(format!("reading `{path}` is not allowed here")))
    }

    /// Writes a file.
    ///
    /// # Errors
    /// Why it may not or cannot be written.
    fn write(&self, path: &str, content: &[u8], opening: Opening) -> Result<(), Undone> {
        let _ = (content, opening);
        Err(Undone::Refused(format!("writing `{path}` is not allowed: specifications may not write files")))
    }

    /// Runs a command with further variables in its environment.
    ///
    /// # Errors
    /// Why it may not or cannot be run.
    fn execute(&self, command: &[String], variables: &[(String, String)]) -> Result<Executed, Undone> {
        let _ = variables;
        let command = command.join(" ");
        Err(Undone::Refused(format!("running `{command}` is not allowed: specifications may not run commands")))
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

    /// Whether it goes along single behaviours.
    fn simulates(&self) -> bool {
        false
    }

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
