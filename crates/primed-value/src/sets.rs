//! Sets.
#![allow(unused)]

use crate::host::{Host, Result};
use crate::symbol::Symbol;
use crate::value::{Closure, Lazy, Value};
use std::cmp::Ordering;

/// Stub.
#[allow(unused)]
pub fn member<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, s: Value<'a>) -> Result<bool> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn subset_eq<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn union<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn intersection<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: Value<'a>,
    b: Value<'a>,
) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn difference<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: Value<'a>,
    b: Value<'a>,
) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn big_union<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn cardinality<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<i64> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn is_finite_set<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<bool> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn is_enumerable<'a>(s: Value<'a>) -> bool {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn elements<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<&'a [Value<'a>]> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn to_enumerated<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn subset<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn function_set<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    domain: Value<'a>,
    range: Value<'a>,
) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn record_set<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    fields: Vec<(Symbol, Value<'a>)>,
) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn product<'a, H: Host<'a> + ?Sized>(h: &mut H, sets: &[Value<'a>]) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn sequences<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Value<'a> {
    unimplemented!()
}
