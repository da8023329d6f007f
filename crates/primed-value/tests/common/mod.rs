//! A small evaluator for tests: a closure's code is the number of a Rust function.
#![allow(dead_code, unreachable_pub)]

use bumpalo::Bump;
use primed_value::build;
use primed_value::error::EvalError;
use primed_value::host::{Host, Limits, Result};
use primed_value::symbol::{Symbol, Symbols};
use primed_value::value::{Closure, Lazy, ModelValue, Value};

/// What a closure does with its argument.
pub type Code = fn(Value<'_>) -> Option<Value<'_>>;

/// The argument itself.
pub const IDENTITY: usize = 0;
/// Whether the argument is an even integer.
pub const EVEN: usize = 1;
/// Fails.
pub const FAILS: usize = 2;

/// The codes by number.
pub const CODES: &[Code] = &[
    |v| Some(v),
    |v| match v {
        Value::Int(i) => Some(Value::Bool(i % 2 == 0)),
        _ => None,
    },
    |_| None,
];

/// The evaluator.
pub struct TestHost<'a> {
    /// Where values go.
    pub arena: &'a Bump,
    /// The texts.
    pub symbols: &'a Symbols,
    /// The bounds.
    pub limits: Limits,
    /// How often a closure was called.
    pub calls: usize,
}

impl<'a> Host<'a> for TestHost<'a> {
    fn arena(&self) -> &'a Bump {
        self.arena
    }

    fn symbols(&self) -> &'a Symbols {
        self.symbols
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn call(&mut self, closure: &'a Closure<'a>, argument: Value<'a>) -> Result<Value<'a>> {
        self.calls += 1;
        CODES[closure.code](argument).ok_or_else(|| EvalError::new(1000, "the body failed"))
    }
}

/// Runs a test with an evaluator whose strings are interned in the order that TLC has in the table.
pub fn with_host(test: impl FnOnce(&mut TestHost<'_>)) {
    let (arena, symbols) = (Bump::new(), Symbols::new());
    for text in ["m1", "m2", "A_1", "B_1", "a", "b", "v", "u"] {
        symbols.intern(text);
    }
    test(&mut TestHost { arena: &arena, symbols: &symbols, limits: Limits::default(), calls: 0 });
}

/// Shorthands for values.
impl<'a> TestHost<'a> {
    /// A string.
    pub fn s(&mut self, text: &str) -> Value<'a> {
        build::string(self, text)
    }

    /// A symbol.
    pub fn sym(&mut self, text: &str) -> Symbol {
        self.symbols.intern(text)
    }

    /// A model value, typed if it has the shape of one.
    pub fn model(&mut self, text: &str) -> Value<'a> {
        let kind = if text.as_bytes().get(1) == Some(&b'_') { text.as_bytes()[0] } else { 0 };
        Value::Model(ModelValue { name: self.symbols.intern(text), kind })
    }

    /// A set.
    pub fn set(&mut self, items: &[Value<'a>]) -> Value<'a> {
        build::set(self, items.to_vec()).unwrap()
    }

    /// A set of integers.
    pub fn ints(&mut self, items: &[i64]) -> Value<'a> {
        let items: Vec<Value<'a>> = items.iter().map(|i| Value::Int(*i)).collect();
        self.set(&items)
    }

    /// A tuple.
    pub fn tup(&mut self, items: &[Value<'a>]) -> Value<'a> {
        build::tuple(self, items)
    }

    /// A record.
    pub fn rec(&mut self, fields: &[(&str, Value<'a>)]) -> Value<'a> {
        let fields = fields.iter().map(|(name, v)| (self.symbols.intern(name), *v)).collect();
        build::record(self, fields)
    }

    /// A function.
    pub fn fun(&mut self, pairs: &[(Value<'a>, Value<'a>)]) -> Value<'a> {
        build::function_from_pairs(self, pairs.to_vec()).unwrap()
    }

    /// `lo..hi`.
    pub fn iv(&mut self, lo: i64, hi: i64) -> Value<'a> {
        build::interval(self, lo, hi)
    }

    /// A symbolic set.
    pub fn lazy(&mut self, lazy: Lazy<'a>) -> Value<'a> {
        build::lazy(self, lazy)
    }

    /// A function `[x \in domain |-> code]`.
    pub fn closure(&mut self, code: usize, domain: Value<'a>) -> Value<'a> {
        let c = Closure { code, domain, frame: &[], state: &[], next: &[], updates: &[] };
        build::closure(self, c)
    }

    /// `{x \in domain : code}`.
    pub fn filter(&mut self, code: usize, domain: Value<'a>) -> Value<'a> {
        let c = self.arena.alloc(Closure { code, domain, frame: &[], state: &[], next: &[], updates: &[] });
        build::lazy(self, Lazy::Filter(domain, c))
    }

    /// The text of a value.
    pub fn show(&mut self, v: Value<'a>) -> String {
        primed_value::print::print(self, v).unwrap_or_else(|e| e.message)
    }
}

/// White space folded, as in the tables.
pub fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
