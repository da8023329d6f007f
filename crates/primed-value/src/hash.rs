//! Hashes that agree with equality.
#![allow(unused)]

use crate::host::{Host, Result};
use crate::symbol::Symbol;
use crate::value::{Closure, Lazy, Value};
use std::cmp::Ordering;

/// Stub.
#[allow(unused)]
pub fn hash<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<u64> {
    Err(crate::error::EvalError::new(1000, "stub"))
}
