//! Functions.
#![allow(unused)]

use crate::host::{Host, Result};
use crate::symbol::Symbol;
use crate::value::{Closure, Lazy, Value};
use std::cmp::Ordering;

/// Stub.
#[allow(unused)]
pub fn apply<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    f: Value<'a>,
    arg: Value<'a>,
) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn select<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    r: Value<'a>,
    field: Symbol,
) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn domain<'a, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn update<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    f: Value<'a>,
    key: Value<'a>,
    new: Value<'a>,
) -> Result<Option<Value<'a>>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn force<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn as_sequence<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Option<&'a [Value<'a>]> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn merge<'a, H: Host<'a> + ?Sized>(h: &mut H, f: Value<'a>, g: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn single<'a, H: Host<'a> + ?Sized>(h: &mut H, key: Value<'a>, value: Value<'a>) -> Value<'a> {
    unimplemented!()
}
