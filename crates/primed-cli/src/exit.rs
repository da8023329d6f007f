//! Exit codes: TLC's, and Primed's own outside them.

use primed::OpenError;

/// Everything was as it should be.
pub(crate) const GOOD: u8 = 0;
/// A window was refused, or an invariant is violated.
pub(crate) const REFUSED: u8 = 12;
/// The command was called wrongly.
pub(crate) const USAGE: u8 = 64;
/// A fault of Primed.
pub(crate) const FAULT: u8 = 70;
/// Something is not evaluated.
pub(crate) const UNSUPPORTED: u8 = 72;
/// A limit was reached.
pub(crate) const LIMIT: u8 = 73;
/// The real TLC disagrees.
pub(crate) const DISPUTED: u8 = 74;
/// An evaluation failed, or a window could not be read.
pub(crate) const EVALUATION: u8 = 75;
/// Interrupted, as the shell says of Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;
/// The specification cannot be read or is not legal.
pub(crate) const SPECIFICATION: u8 = 150;
/// The configuration cannot be read or is malformed.
pub(crate) const MALFORMED: u8 = 255;
/// The operating system: a file cannot be read or written.
pub(crate) const SYSTEM: u8 = 153;

/// The table for `--help`.
pub(crate) const TABLE: &str = "\
Exit codes:
    0  all windows conform, all expressions have values
   12  a window is refused, or an invariant is violated
   64  the command was called wrongly
   70  a fault of Primed
   72  something is not supported
   73  a limit was reached (depth, size of a set, memory, steps)
   74  the real TLC disagrees (--cross-check)
   75  an evaluation failed, or a window cannot be read as one
  150  the specification (or an expression) cannot be read or is not legal
  151  the configuration does not fit, or names what is not there
  153  another file cannot be read or written, or there are no windows in it
  255  the configuration cannot be read or its text is malformed, or the specification has a number that is too big
If several apply to the windows, 74 comes first, then 12, 75, 73 and 72.";

/// Why a command ends without its result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A complaint with its exit code.
    Complaint(u8, String),
    /// The specification cannot be opened.
    Open(Box<OpenError>),
    /// Nobody reads the output any more: the exit code of what was done until then.
    NoReader(u8),
}

impl Failure {
    /// A complaint about a file.
    pub(crate) fn system(message: impl Into<String>) -> Failure {
        Failure::Complaint(SYSTEM, message.into())
    }

    /// A configuration that was not named is not beside the specification either.
    pub(crate) fn no_configuration() -> Failure {
        let text = "the specification needs a configuration: beside it under the same name, or named with --config";
        Failure::Complaint(MALFORMED, text.into())
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        Failure::Open(Box::new(error))
    }
}
