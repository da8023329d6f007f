//! What a value operation needs from whoever evaluates.

use bumpalo::Bump;

use crate::error::EvalError;
use crate::symbol::Symbols;
use crate::value::{Closure, Value};

/// The result of evaluating.
pub type Result<T> = std::result::Result<T, Box<EvalError>>;

/// Bounds on what an evaluation may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Elements of a set that is built (TLC's `-maxSetSize`).
    pub set_size: usize,
    /// Nested calls of operators and functions.
    pub depth: u32,
    /// Elements that are gone through and calls that are made, all in all, in one evaluation. INVARIANT: what is counted is the same
    /// in every run.
    pub steps: u64,
    /// Bytes of one worker's arena.
    pub memory: usize,
    /// From so many bytes on a worker's arena is crowded: what a condition needs does not stay there.
    pub crowded: usize,
}

impl Limits {
    /// Elements and calls of one evaluation unless more are asked for: some seconds to a minute.
    pub const STEPS: u64 = 200_000_000;

    /// The default limits, but for the number of steps: a search of states ends when it ends, as TLC's does.
    pub fn of_search() -> Limits {
        Limits { steps: u64::MAX, ..Limits::default() }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { set_size: 1_000_000, depth: 20_000, steps: Limits::STEPS, memory: 4 << 30, crowded: 64 << 20 }
    }
}

/// What is known of a filtered set that is gone through.
#[derive(Clone, Copy, Debug)]
pub enum Listing<'a> {
    /// Nothing that would be worth keeping.
    Once,
    /// It is gone through again: its elements should be kept if they are at most so many.
    Again(usize),
    /// Its elements.
    Kept(&'a [Value<'a>]),
}

/// The evaluator, seen from a value operation.
pub trait Host<'a> {
    /// Where new values go.
    fn arena(&self) -> &'a Bump;
    /// The texts of symbols.
    fn symbols(&self) -> &'a Symbols;
    /// The bounds in force.
    fn limits(&self) -> &Limits;
    /// So many elements have been gone through.
    ///
    /// # Errors
    /// If the limit on steps is reached, and each time after that.
    fn spend(&mut self, steps: u64) -> Result<()> {
        let _ = steps;
        Ok(())
    }
    /// Runs a closure's code at a point that is already known to be in its domain (updates are not looked at: the value
    /// crate does that). A filter's closure gives a Boolean.
    ///
    /// # Errors
    /// Whatever the evaluation gives.
    fn call(&mut self, closure: &'a Closure<'a>, argument: Value<'a>) -> Result<Value<'a>>;

    /// A filter by this closure is gone through: whether it was before, and what it held.
    fn listing(&mut self, closure: &'a Closure<'a>) -> Listing<'a> {
        let _ = closure;
        Listing::Once
    }

    /// A filter by this closure was gone through as a whole: these are its elements.
    fn listed(&mut self, closure: &'a Closure<'a>, elements: &[Value<'a>]) {
        let _ = (closure, elements);
    }

    /// Where a closure's body stands, in TLC's words, for messages.
    fn described(&self, closure: &'a Closure<'a>) -> String {
        let _ = closure;
        String::new()
    }

    /// The parameters of a closure as TLC prints them, `n` of `[n \in Nat |-> ...]`; for messages only.
    fn parameters(&self, closure: &'a Closure<'a>) -> String {
        let _ = closure;
        String::from("x")
    }
}
