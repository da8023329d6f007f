//! The conformance suite (`conformance-suite/README.md`): its cases, how Primed answers them, and how another checker with TLC's
//! command line does.
//!
//! The command `primed conformance` and the test of the same name both go through [`Case::answer`].

#![forbid(unsafe_code)]

pub mod checker;
mod known;
mod sany;
pub mod suite;

use std::path::Path;

pub use checker::Checker;
pub use known::{Known, Outcome, known_differences};
pub use suite::{Case, Tally};

/// The columns of a table, without its head and without comments.
///
/// # Errors
/// If the file cannot be read.
pub fn table(path: &Path) -> Result<Vec<Vec<String>>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let lines = text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).skip(1);
    Ok(lines.map(|l| l.split('\t').map(str::to_owned).collect()).collect())
}
