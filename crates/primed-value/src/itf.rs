//! ITF.
#![allow(unused)]

use crate::host::{Host, Result};
use crate::symbol::Symbol;
use crate::value::{Closure, Lazy, Value};
use std::cmp::Ordering;

/// Stub.
#[allow(unused)]
pub fn write<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, out: &mut String) -> Result<()> {
    Err(crate::error::EvalError::new(1000, "stub"))
}
