//! Why the real TLC could not be asked, or did not answer. None of these changes a native verdict.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is no Java: neither below JAVA_HOME nor on PATH.
    NoJava,
    /// There is no program of this name.
    NoProgram(String),
    /// Java cannot run TLC: it is older than the jar's classes. The text is Java's own.
    OldJava(String),
    /// There is no jar.
    NoJar {
        /// Where it was looked for.
        path: PathBuf,
        /// It was named, and not the one that `install` brings.
        named: bool,
    },
    /// The file is no archive, or a damaged one.
    DamagedJar {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The archive has no TLC in it.
    NotTlc(PathBuf),
    /// The process could not be started.
    NotStarted(String),
    /// It took longer than it was given.
    TimedOut(Duration),
    /// It was ended by a signal from outside.
    Killed {
        /// The signal's number.
        signal: i32,
    },
    /// Its output ends in the middle of a message, or before the last one.
    CutOff,
    /// Java ran out of the memory that it was given.
    OutOfMemory,
    /// There is no space left where it writes.
    DiskFull,
    /// It wrote more than is kept.
    TooMuchOutput,
    /// It was ended from inside this process ([`crate::run::end_all`]).
    Interrupted,
    /// It ended with a status, or words, that TLC does not have.
    Strange(String),
    /// A file of the oracle's own could not be written or read.
    Files(String),
    /// Fetching the jar failed.
    NotFetched(String),
}

impl Trouble {
    /// Trouble with a file of the oracle's own.
    pub(crate) fn file(what: &str, path: &Path, error: &io::Error) -> Trouble {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Trouble::DiskFull,
            io::ErrorKind::NotFound => {
                Trouble::Files(format!("cannot {what} `{}`: there is no such file", path.display()))
            }
            _ => Trouble::Files(format!("cannot {what} `{}`: {error}", path.display())),
        }
    }

    /// The trouble in one word, for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Trouble::NoJava => "no_java",
            Trouble::NoProgram(_) => "no_program",
            Trouble::OldJava(_) => "old_java",
            Trouble::NoJar { .. } => "no_jar",
            Trouble::DamagedJar { .. } => "damaged_jar",
            Trouble::NotTlc(_) => "not_tlc",
            Trouble::NotStarted(_) => "not_started",
            Trouble::TimedOut(_) => "timed_out",
            Trouble::Killed { .. } => "killed",
            Trouble::CutOff => "cut_off",
            Trouble::OutOfMemory => "out_of_memory",
            Trouble::DiskFull => "disk_full",
            Trouble::TooMuchOutput => "too_much_output",
            Trouble::Interrupted => "interrupted",
            Trouble::Strange(_) => "strange",
            Trouble::Files(_) => "files",
            Trouble::NotFetched(_) => "not_fetched",
        }
    }

    /// Nothing can be asked at all: asking again, or something else, would end in the same way.
    pub fn is_lasting(&self) -> bool {
        matches!(
            self,
            Trouble::NoJava
                | Trouble::NoProgram(_)
                | Trouble::OldJava(_)
                | Trouble::NoJar { .. }
                | Trouble::DamagedJar { .. }
                | Trouble::NotTlc(_)
                | Trouble::NotStarted(_)
                | Trouble::DiskFull
                | Trouble::Interrupted
                | Trouble::Files(_)
        )
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::NoJava => f.write_str("there is no Java: install a runtime (11 or newer), or set JAVA_HOME"),
            Trouble::NoProgram(name) => write!(f, "cannot run `{name}`: there is no such program"),
            Trouble::OldJava(said) => write!(f, "Java is too old for this TLC (11 or newer is needed): {said}"),
            Trouble::NoJar { path, named: true } => {
                write!(f, "there is no TLC at `{}`, which was named", path.display())
            }
            Trouble::NoJar { path, named: false } => {
                let advice = "run `primed oracle install`, or name a tla2tools.jar with --tlc-jar or TLA2TOOLS_JAR";
                write!(f, "TLC is not installed (`{}` does not exist): {advice}", path.display())
            }
            Trouble::DamagedJar { path, why } => write!(f, "`{}` is damaged, or no jar: {why}", path.display()),
            Trouble::NotTlc(path) => write!(f, "`{}` is a jar, but TLC is not in it", path.display()),
            Trouble::NotStarted(why) => write!(f, "Java could not be started: {why}"),
            Trouble::TimedOut(limit) => {
                write!(f, "TLC did not end within {} s (--tlc-timeout)", limit.as_secs_f64())
            }
            Trouble::Killed { signal } => write!(f, "Java was killed by signal {signal} before it was done"),
            Trouble::CutOff => f.write_str("what TLC printed ends in the middle"),
            Trouble::OutOfMemory => f.write_str("Java ran out of memory (--tlc-memory)"),
            Trouble::DiskFull => f.write_str("there is no space left on the disk (TMPDIR says where TLC writes)"),
            Trouble::TooMuchOutput => f.write_str("TLC printed more than is kept"),
            Trouble::Interrupted => f.write_str("TLC was interrupted"),
            Trouble::Strange(what) => write!(f, "TLC ended in an unexpected way: {what}"),
            Trouble::Files(what) => f.write_str(what),
            Trouble::NotFetched(why) => write!(f, "TLC could not be fetched: {why}"),
        }
    }
}

impl std::error::Error for Trouble {}
