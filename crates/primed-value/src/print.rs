//! Printing.
#![allow(unused)]

use crate::host::{Host, Result};
use crate::symbol::Symbol;
use crate::value::{Closure, Lazy, Value};
use std::cmp::Ordering;

/// Stub.
#[allow(unused)]
pub fn print<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<String> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn print_short<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, max_len: usize) -> String {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn kind_name<'a>(v: Value<'a>) -> &'static str {
    unimplemented!()
}
