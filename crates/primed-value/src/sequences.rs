//! Sequences.
#![allow(unused)]

use crate::host::{Host, Result};
use crate::symbol::Symbol;
use crate::value::{Closure, Lazy, Value};
use std::cmp::Ordering;

/// Stub.
#[allow(unused)]
pub fn len<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn head<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn tail<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn append<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    s: Value<'a>,
    v: Value<'a>,
) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn concat<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    s: Value<'a>,
    t: Value<'a>,
) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn subseq<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    s: Value<'a>,
    m: Value<'a>,
    n: Value<'a>,
) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn remove_at<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    s: Value<'a>,
    i: Value<'a>,
) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn reverse<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn contains<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, v: Value<'a>) -> Result<bool> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn is_prefix<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, t: Value<'a>) -> Result<bool> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn index_of<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    s: Value<'a>,
    v: Value<'a>,
) -> Result<Option<usize>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}
