//! TLA+ values as TLC has them: what they are, when they are equal, how they are ordered, printed, hashed and kept.
//!
//! A [`value::Value`] is sixteen bytes, `Copy`, and lives in an arena. The operations are functions over an evaluator
//! ([`host::Host`]), which gives them the arena, the texts of strings and the bounds in force, and runs the code of functions
//! that are not computed yet. They answer as TLC answers: the same value, or an error in the same words.
//!
//! ```
//! use bumpalo::Bump;
//! use primed_value::host::{Host, Limits, Result};
//! use primed_value::symbol::Symbols;
//! use primed_value::value::{Closure, Value};
//! use primed_value::{arithmetic, build, compare, print};
//!
//! struct Evaluator<'a>(&'a Bump, &'a Symbols, Limits);
//!
//! impl<'a> Host<'a> for Evaluator<'a> {
//!     fn arena(&self) -> &'a Bump {
//!         self.0
//!     }
//!     fn symbols(&self) -> &'a Symbols {
//!         self.1
//!     }
//!     fn limits(&self) -> &Limits {
//!         &self.2
//!     }
//!     fn call(&mut self, _: &'a Closure<'a>, argument: Value<'a>) -> Result<Value<'a>> {
//!         Ok(argument)
//!     }
//! }
//!
//! let (arena, symbols) = (Bump::new(), Symbols::new());
//! let mut h = Evaluator(&arena, &symbols, Limits::default());
//! let three = arithmetic::add(&mut h, Value::Int(1), Value::Int(2)).unwrap();
//! let set = build::set(&mut h, vec![three, Value::Int(1), three]).unwrap();
//! assert_eq!(print::print(&mut h, set).unwrap(), "{1, 3}");
//! let error = compare::equal(&mut h, set, three).unwrap_err();
//! assert_eq!(error.message, "Attempted to check equality of the set {1, 3} with the value:\n3");
//! ```
//!
//! - [`value`], [`symbol`], [`host`], [`error`], [`limits`]: what a value is, and what surrounds it;
//! - [`build`], [`compare`], [`hash`], [`print`](mod@print), [`itf`], [`source`](mod@source): values of every kind;
//! - [`functions`], [`sequences`], [`sets`], [`iterate`], [`arithmetic`]: the operators;
//! - [`permute`]: permutations of model values, for symmetry;
//! - [`encode`]: values as bytes;
//! - [`freeze`], [`intern`]: values that own their arena, and values that are stored once.

pub mod arithmetic;
pub mod build;
pub mod compare;
pub mod encode;
mod entries;
pub mod error;
mod fail;
pub mod freeze;
pub mod functions;
pub mod hash;
mod heap;
pub mod held;
pub mod host;
mod ids;
pub mod image;
pub mod intern;
pub mod iterate;
pub mod itf;
pub mod json;
pub mod layout;
pub mod limits;
mod membership;
mod packed;
pub mod permute;
pub mod print;
mod recent;
pub mod sequences;
pub mod sets;
mod size;
pub mod source;
pub mod symbol;
pub mod value;
