//! TLA+ values as TLC has them.

pub mod error;
pub mod host;
pub mod symbol;
pub mod value;
