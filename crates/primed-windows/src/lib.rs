//! Transition windows: formats, how they meet a specification, verdicts and the evidence for them.
//!
//! A window is one line of JSON: a state before, an action, a state after, all observed in a real system. A [`Checker`] holds a
//! specification compiled in memory and says of each window whether the named action allows exactly that step, and if not,
//! why ([`verdict::Refused`]).

mod bound;
mod checker;
mod evidence;
mod held;
mod judge;
pub mod line;
mod parameters;
mod read;
mod shape;
mod stream;
pub mod tally;
pub mod verdict;

pub use bound::{Allowed, Bound, Names};
pub use checker::{Checker, CheckerError, Options};
pub use held::HeldStep;
