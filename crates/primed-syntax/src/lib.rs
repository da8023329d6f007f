//! Source text of TLA+ modules and TLC configurations to syntax trees. Sees one file at a time; knows no operator's meaning.

pub mod ast;
pub mod diagnostic;
pub mod span;
