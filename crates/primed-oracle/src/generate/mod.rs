//! Specifications that nobody wrote: made from a seed, and made smaller as long as they still show what they were found for.

mod action;
mod compose;
mod cyclic;
mod expression;
mod properties;
mod random;
mod shrink;
mod specification;
mod table;
mod types;
mod variants;

pub use compose::generate;
pub use random::Random;
pub use shrink::shrink;
pub use specification::{Action, Specification};
pub use variants::variants;
