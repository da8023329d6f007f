//! Constructors of sets.

use primed_value::host::Result;
use primed_value::symbol::Symbol;
use primed_value::value::Value;
use primed_value::{build, sets};

use crate::env::Env;
use crate::node::{Code, Node};

/// `{a, b}`.
#[derive(Debug)]
pub(crate) struct Enumerated(pub(crate) Vec<Code>);

impl Node for Enumerated {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let mut items = Vec::with_capacity(self.0.len());
        for item in &self.0 {
            items.push(item.eval(env)?);
        }
        build::set(env, items)
    }
}

/// `S \X T \X ...`.
#[derive(Debug)]
pub(crate) struct Product(pub(crate) Vec<Code>);

impl Node for Product {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let mut items = Vec::with_capacity(self.0.len());
        for item in &self.0 {
            items.push(item.eval(env)?);
        }
        Ok(sets::product(env, &items))
    }
}

/// `[f : S, g : T]`, fields in the order written.
#[derive(Debug)]
pub(crate) struct Records(pub(crate) Vec<(Symbol, Code)>);

impl Node for Records {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let mut fields = Vec::with_capacity(self.0.len());
        for (field, set) in &self.0 {
            fields.push((*field, set.eval(env)?));
        }
        Ok(sets::record_set(env, fields))
    }
}

/// `UNION S` and its kin are native calls; this one is `BOOLEAN`.
pub(crate) fn booleans<'a>(env: &mut Env<'a>) -> Result<Value<'a>> {
    build::set(env, vec![Value::Bool(false), Value::Bool(true)])
}
