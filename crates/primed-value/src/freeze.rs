//! Owned values.
#![allow(unused)]

use crate::host::{Host, Result};
use crate::value::Value;
use bumpalo::Bump;

/// Stub.
#[derive(Debug)]
pub struct Frozen(());
impl Frozen {
    /// Stub.
    pub fn new<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<Frozen> {
        unimplemented!()
    }
    /// Stub.
    pub fn get<'s>(&'s self) -> Value<'s> {
        unimplemented!()
    }
}
/// Stub.
#[derive(Debug)]
pub struct FrozenRow(());
impl FrozenRow {
    /// Stub.
    pub fn new<'a, H: Host<'a> + ?Sized>(h: &mut H, row: &[Value<'a>]) -> Result<FrozenRow> {
        unimplemented!()
    }
    /// Stub.
    pub fn get(&self) -> &[Value<'_>] {
        unimplemented!()
    }
}
/// Stub.
pub fn copy_into<'a, 'b>(arena: &'b Bump, v: Value<'a>) -> Value<'b> {
    unimplemented!()
}
