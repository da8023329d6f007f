//! Exact breadth-first search of a state space, with shortest counterexamples; random behaviours.
//!
//! What is searched is a [`space::StateSpace`]: something with initial states and successors, whose states are rows of
//! numbers. This crate knows no language; plain graphs test it.

mod bytes;
mod deepening;
mod expansion;
mod index;
pub mod keep;
mod layout;
pub mod liveness;
pub mod progress;
mod queue;
mod records;
pub mod search;
pub mod simulate;
pub mod space;
pub mod store;

#[cfg(test)]
mod tests;
