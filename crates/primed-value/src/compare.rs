//! Equality and TLC's order of values.
#![allow(unused)]

use crate::host::{Host, Result};
use crate::symbol::Symbol;
use crate::value::{Closure, Lazy, Value};
use std::cmp::Ordering;

/// Stub.
#[allow(unused)]
pub fn equal<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn compare<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: Value<'a>,
    b: Value<'a>,
) -> Result<Ordering> {
    Err(crate::error::EvalError::new(1000, "stub"))
}
