//! Arithmetic.
#![allow(unused)]

use crate::host::{Host, Result};
use crate::symbol::Symbol;
use crate::value::{Closure, Lazy, Value};
use std::cmp::Ordering;

/// Stub.
#[allow(unused)]
pub fn add<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn sub<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn mul<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn div<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn modulo<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: Value<'a>,
    b: Value<'a>,
) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn pow<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn range<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn neg<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn less<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn leq<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn greater<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn geq<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    Err(crate::error::EvalError::new(1000, "stub"))
}
