//! Lazy iteration over sets.
#![allow(unused)]

use crate::host::{Host, Result};
use crate::value::Value;

/// A lazy iterator over a set.
#[derive(Debug)]
pub struct Elements<'a>(Value<'a>);

impl<'a> Elements<'a> {
    /// Stub.
    pub fn new<H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Elements<'a>> {
        Ok(Elements(s))
    }

    /// Stub.
    pub fn next<H: Host<'a> + ?Sized>(&mut self, h: &mut H) -> Result<Option<Value<'a>>> {
        Ok(None)
    }
}
