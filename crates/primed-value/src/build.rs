//! Making values.
#![allow(unused)]

use crate::host::{Host, Result};
use crate::symbol::Symbol;
use crate::value::{Closure, Lazy, Value};
use std::cmp::Ordering;

/// Stub.
#[allow(unused)]
pub fn tuple<'a, H: Host<'a> + ?Sized>(h: &mut H, items: &[Value<'a>]) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn tuple_vec<'a, H: Host<'a> + ?Sized>(h: &mut H, items: Vec<Value<'a>>) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn tuple_of<'a, H: Host<'a> + ?Sized>(h: &mut H, items: &'a [Value<'a>]) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn set<'a, H: Host<'a> + ?Sized>(h: &mut H, items: Vec<Value<'a>>) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn set_sorted<'a, H: Host<'a> + ?Sized>(h: &mut H, items: &'a [Value<'a>]) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn empty_set<'a>() -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn interval<'a, H: Host<'a> + ?Sized>(h: &mut H, lo: i64, hi: i64) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn record<'a, H: Host<'a> + ?Sized>(h: &mut H, fields: Vec<(Symbol, Value<'a>)>) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn record_with_shape<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    fields: &'a [Symbol],
    values: &'a [Value<'a>],
) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn function<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    domain: &'a [Value<'a>],
    values: &'a [Value<'a>],
) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn function_from_pairs<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    pairs: Vec<(Value<'a>, Value<'a>)>,
) -> Result<Value<'a>> {
    Err(crate::error::EvalError::new(1000, "stub"))
}

/// Stub.
#[allow(unused)]
pub fn lazy<'a, H: Host<'a> + ?Sized>(h: &mut H, lazy: Lazy<'a>) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn closure<'a, H: Host<'a> + ?Sized>(h: &mut H, closure: Closure<'a>) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn string<'a, H: Host<'a> + ?Sized>(h: &mut H, text: &str) -> Value<'a> {
    unimplemented!()
}

/// Stub.
#[allow(unused)]
pub fn check_memory<'a, H: Host<'a> + ?Sized>(h: &mut H) -> Result<()> {
    Err(crate::error::EvalError::new(1000, "stub"))
}
