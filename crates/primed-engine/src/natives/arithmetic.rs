//! Naturals and Integers.

use primed_value::arithmetic as ops;
use primed_value::build;
use primed_value::value::Lazy;

use super::{Entry, Native, pure};

/// Module Naturals.
pub(super) const NATURALS: &[Entry] = &[
    pure("Nat", Native::Zero(|e| Ok(build::lazy(e, Lazy::Nat)))),
    pure("+", Native::Two(|e, a, b| ops::add(e, a, b))),
    pure("-", Native::Two(|e, a, b| ops::sub(e, a, b))),
    pure("*", Native::Two(|e, a, b| ops::mul(e, a, b))),
    pure("^", Native::Two(|e, a, b| ops::pow(e, a, b))),
    pure("\\div", Native::Two(|e, a, b| ops::div(e, a, b))),
    pure("%", Native::Two(|e, a, b| ops::modulo(e, a, b))),
    pure("..", Native::Two(|e, a, b| ops::range(e, a, b))),
    pure("<", Native::Relation(|e, a, b| ops::less(e, a, b))),
    pure(">", Native::Relation(|e, a, b| ops::greater(e, a, b))),
    pure("\\leq", Native::Relation(|e, a, b| ops::leq(e, a, b))),
    pure("\\geq", Native::Relation(|e, a, b| ops::geq(e, a, b))),
];

/// Module Integers.
pub(super) const INTEGERS: &[Entry] =
    &[pure("Int", Native::Zero(|e| Ok(build::lazy(e, Lazy::Int)))), pure("-.", Native::One(|e, a| ops::neg(e, a)))];
