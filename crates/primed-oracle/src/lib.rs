//! The real TLC and SANY: found, run, read.
//!
//! A verdict of Primed never needs this crate; it answers whether the verdict is right. It is the only crate that
//! starts a process.

#![forbid(unsafe_code)]

pub mod generate;
pub mod session;
