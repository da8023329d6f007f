//! A resolved model compiled to state functions and actions.
//!
//! [`compile::Compiler`] turns expressions of a model into [`compile::Expression`]s (which have a value) and
//! [`compile::Relation`]s (which find states, or check two that are given); they run in an [`env::Env`], one for each worker,
//! over an arena that the caller resets.
//!
//! INVARIANT: no input or output, no clock and no globals here; what a specification asks of the machine goes through
//! [`world::World`].

mod actions;
pub mod compile;
pub mod coverage;
pub mod env;
pub mod explain;
mod guard;
mod memo;
mod natives;
mod node;
mod nodes;
pub mod program;
mod run;
pub mod world;

pub use compile::is_constant;
pub use memo::{Memo, Predicate, SharedMemo};
pub use natives::registers::Registers;
pub use natives::{Effect, operators_with_effects};
pub use node::Flow;
pub use nodes::tagged::TakenParameter;
