//! The real TLC and SANY: found, run, read.
//!
//! A verdict of Primed never needs this crate; it answers whether the verdict is right. It is the only crate that
//! starts a process.

#![forbid(unsafe_code)]

pub mod dispute;
pub mod find;
pub mod flaws;
pub mod generate;
pub mod install;
pub mod jar;
pub mod json;
pub mod model;
pub mod read;
pub mod run;
pub mod scratch;
pub mod session;
pub mod specification;
pub mod trouble;
pub mod tv;
pub mod windows;

pub use find::Tools;
pub use run::Bounds;
pub use specification::Specification;
pub use trouble::Trouble;
