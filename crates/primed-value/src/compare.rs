//! Equality and TLC's order of values (`SANY_AND_TLC.md` 3.2 and 3.3).
//!
//! Both are one walk, generic in `EQ`: equality asks whether the order is `Equal`, with the words of TLC's equality check in
//! errors, and without enumerating sets of subsets, functions, records or tuples that have the same form. A walk looks at
//! sizes first, then at domains, then at values; what it meets on its way decides, so an error can depend on the sizes.

use std::cmp::Ordering;

use crate::error::EvalError;
use crate::fail::{deeper, fail, fail_code, show};
use crate::functions::force;
use crate::host::{Host, Result};
use crate::print::show_enumerated;
use crate::sets::{elements_at, is_empty, is_set, size_hint};
use crate::value::{Lazy, ModelValue, Value};

/// Whether two values are equal.
///
/// # Errors
/// TLC's, for values of kinds that it does not compare.
#[inline]
pub fn equal<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok(x == y),
        (Value::String(x), Value::String(y)) => Ok(x == y),
        (Value::Bool(x), Value::Bool(y)) => Ok(x == y),
        _ => equal_at(h, a, b, 0),
    }
}

/// TLC's order.
///
/// # Errors
/// TLC's, for values of kinds that it does not compare.
#[inline]
pub fn compare<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Ordering> {
    order::<false, H>(h, a, b, 0)
}

#[inline]
pub(crate) fn equal_at<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>, depth: u32) -> Result<bool> {
    Ok(order::<true, H>(h, a, b, depth)?.is_eq())
}

/// The walk: scalars here, all else out of line.
#[inline]
pub(crate) fn order<'a, const EQ: bool, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: Value<'a>,
    b: Value<'a>,
    depth: u32,
) -> Result<Ordering> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok(x.cmp(&y)),
        (Value::String(x), Value::String(y)) => Ok(x.cmp(&y)),
        (Value::Bool(x), Value::Bool(y)) => Ok(x.cmp(&y)),
        (Value::Model(x), Value::Model(y)) if x.kind == y.kind => Ok(x.name.cmp(&y.name)),
        (Value::Tuple(x), Value::Tuple(y)) if std::ptr::eq(x, y) => Ok(Ordering::Equal),
        (Value::Set(x), Value::Set(y)) if std::ptr::eq(x, y) => Ok(Ordering::Equal),
        (Value::Record(x), Value::Record(y)) if std::ptr::eq(x, y) => Ok(Ordering::Equal),
        (Value::Function(x), Value::Function(y)) if std::ptr::eq(x, y) => Ok(Ordering::Equal),
        _ => composite::<EQ, H>(h, a, b, depth),
    }
}

fn composite<'a, const EQ: bool, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: Value<'a>,
    b: Value<'a>,
    depth: u32,
) -> Result<Ordering> {
    let depth = deeper(h, depth)?;
    match (a, b) {
        (Value::Model(x), _) => model_left::<EQ, H>(h, x, b),
        (Value::Lazy(x), _) if is_named(x) => named::<EQ, H>(h, x, a, b, depth),
        (_, Value::Model(y)) if y.kind == 0 => Ok(Ordering::Greater),
        (_, Value::Model(y)) => typed_right::<EQ, H>(h, a, y),
        (Value::Tuple(x), Value::Tuple(y)) => slices::<EQ, H>(h, x.elements, y.elements, depth),
        (Value::Tuple(_) | Value::Record(_) | Value::Function(_) | Value::Closure(_), _) => {
            functions::<EQ, H>(h, a, b, depth)
        }
        (Value::Bool(_) | Value::Int(_) | Value::String(_), _) => scalar_left::<EQ, H>(h, a, b),
        (Value::Set(x), Value::Set(y)) => slices::<EQ, H>(h, x.elements, y.elements, depth),
        (Value::Lazy(Lazy::Filter(..)), _) => sets::<EQ, H>(h, a, b, depth),
        _ => sets::<EQ, H>(h, a, b, depth).map_err(EvalError::in_made),
    }
}

/// Sizes, then elements.
pub(crate) fn slices<'a, const EQ: bool, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: &[Value<'a>],
    b: &[Value<'a>],
    depth: u32,
) -> Result<Ordering> {
    let mut result = a.len().cmp(&b.len());
    let mut pairs = a.iter().zip(b);
    while result.is_eq()
        && let Some((x, y)) = pairs.next()
    {
        result = order::<EQ, H>(h, *x, *y, depth)?;
    }
    Ok(result)
}

/// A Boolean, integer or string with a value of another kind, never a model value.
#[cold]
fn scalar_left<'a, const EQ: bool, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Ordering> {
    let kind = match a {
        Value::Bool(_) => "boolean",
        Value::Int(_) => "integer",
        _ => "string",
    };
    let verb = match (EQ, a) {
        (true, Value::Bool(_)) => "compare equality of",
        (true, _) => "check equality of",
        (false, _) => "compare",
    };
    let (left, right) = (show(h, a), show(h, b));
    fail(format!("Attempted to {verb} {kind} {left} with non-{kind}:\n{right}"))
}

/// A model value with a model value of another type, or with any other value.
fn model_left<'a, const EQ: bool, H: Host<'a> + ?Sized>(h: &mut H, x: ModelValue, b: Value<'a>) -> Result<Ordering> {
    let verb = if EQ { "check equality of" } else { "compare" };
    match b {
        Value::Model(y) if x.kind == 0 || y.kind == 0 => Ok(x.name.cmp(&y.name)),
        _ if x.kind == 0 => Ok(Ordering::Less),
        Value::Model(_) => {
            let (left, right) = (show(h, Value::Model(x)), show(h, b));
            let the = "the differently-typed model values";
            fail(format!("Attempted to {verb} {the} {left} and {right}"))
        }
        _ => {
            let (left, right) = (show(h, Value::Model(x)), show(h, b));
            let the = if EQ { "" } else { "the " };
            fail(format!("Attempted to {verb} {the}typed model value {left} and non-model value\n{right}"))
        }
    }
}

/// Anything but a model value with a typed model value.
#[cold]
fn typed_right<'a, const EQ: bool, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, y: ModelValue) -> Result<Ordering> {
    let verb = if EQ { "check equality of" } else { "compare" };
    let (left, right) = (show(h, Value::Model(y)), show_enumerated(h, a));
    fail(format!("Attempted to {verb} the typed model value {left} and the non-model value\n{right}"))
}

/// The sets that are only a name to TLC.
pub(crate) fn is_named(lazy: &Lazy<'_>) -> bool {
    matches!(lazy, Lazy::Nat | Lazy::Int | Lazy::Real | Lazy::String | Lazy::Any | Lazy::Sequences(_))
}

/// `Nat`, `Seq(S)` and such on the left.
fn named<'a, const EQ: bool, H: Host<'a> + ?Sized>(
    h: &mut H,
    lazy: &'a Lazy<'a>,
    a: Value<'a>,
    b: Value<'a>,
    depth: u32,
) -> Result<Ordering> {
    match (lazy, b) {
        (_, Value::Lazy(other)) if is_named(other) => match (lazy, other) {
            (Lazy::Nat, Lazy::Nat) | (Lazy::Int, Lazy::Int) => Ok(Ordering::Equal),
            (Lazy::Real, Lazy::Real) | (Lazy::String, Lazy::String) => Ok(Ordering::Equal),
            (Lazy::Nat, Lazy::Int) => Ok(Ordering::Less),
            (Lazy::Int, Lazy::Nat) => Ok(Ordering::Greater),
            (Lazy::Sequences(s), Lazy::Sequences(t)) => order::<false, H>(h, *s, *t, depth),
            _ => {
                let (left, right) = (show(h, a), show(h, b));
                fail_code(2155, format!("Attempted to compare {left} with the value\n{right}"))
            }
        },
        (Lazy::Any, Value::Model(_)) | (_, Value::Model(_)) => Ok(Ordering::Greater),
        _ => {
            let (left, right) = (show(h, a), show(h, b));
            fail(format!("Attempted to compare overridden value {left} with non-overridden value:\n{right}"))
        }
    }
}

/// A function in any form with anything but a model value.
fn functions<'a, const EQ: bool, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: Value<'a>,
    b: Value<'a>,
    depth: u32,
) -> Result<Ordering> {
    match (a, b) {
        (Value::Closure(_), _) => {
            let explicit = force(h, a)?;
            order::<EQ, H>(h, explicit, b, depth)
        }
        (_, Value::Closure(_)) => {
            let explicit = force(h, b)?;
            order::<EQ, H>(h, a, explicit, depth)
        }
        (Value::Record(x), Value::Record(y)) => {
            let mut result = x.fields.len().cmp(&y.fields.len());
            if result.is_eq() && !std::ptr::eq(x.fields, y.fields) {
                result = x.fields.cmp(y.fields);
            }
            if result.is_ne() {
                return Ok(result);
            }
            slices::<EQ, H>(h, x.values, y.values, depth)
        }
        (Value::Function(x), Value::Function(y)) => {
            if !std::ptr::eq(x.domain, y.domain) {
                let result = slices::<EQ, H>(h, x.domain, y.domain, depth)?;
                if result.is_ne() {
                    return Ok(result);
                }
            }
            slices::<EQ, H>(h, x.values, y.values, depth)
        }
        _ => unlike_functions::<EQ, H>(h, a, b, depth),
    }
}

/// Functions of different forms, or a function with something else.
fn unlike_functions<'a, const EQ: bool, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: Value<'a>,
    b: Value<'a>,
    depth: u32,
) -> Result<Ordering> {
    match (a, b) {
        (Value::Record(_), Value::Tuple(y)) if y.elements.is_empty() => Ok(Ordering::Greater),
        (Value::Record(_), _) => {
            let (left, right) = (show(h, a), show(h, b));
            let verb = if EQ { "check equality of" } else { "compare" };
            fail(format!("Attempted to {verb} record:\n{left}\nwith non-record\n{right}"))
        }
        (Value::Tuple(x), Value::Record(y)) => {
            let result = x.elements.len().cmp(&y.fields.len());
            match y.fields.first() {
                Some(field) if result.is_eq() => not_an_integer::<EQ, H>(h, Value::String(*field)),
                _ => Ok(result),
            }
        }
        (Value::Tuple(x), Value::Function(y)) => {
            let result = x.elements.len().cmp(&y.values.len());
            if result.is_ne() { Ok(result) } else { with_positions::<EQ, H>(h, y.domain) }
        }
        (Value::Function(x), Value::Tuple(y)) => {
            let result = x.values.len().cmp(&y.elements.len());
            if result.is_ne() { Ok(result) } else { Ok(with_positions::<EQ, H>(h, x.domain)?.reverse()) }
        }
        (Value::Function(x), Value::Record(y)) => {
            let mut result = x.values.len().cmp(&y.values.len());
            let mut keys = x.domain.iter().zip(y.fields);
            while result.is_eq()
                && let Some((key, field)) = keys.next()
            {
                result = order::<EQ, H>(h, *key, Value::String(*field), depth)?;
            }
            if result.is_ne() { Ok(result) } else { slices::<EQ, H>(h, x.values, y.values, depth) }
        }
        _ => {
            let (left, right) = (show(h, a), show(h, b));
            let verb = if EQ { "check equality of" } else { "compare" };
            fail(format!("Attempted to {verb} the function {left} with the value:\n{right}"))
        }
    }
}

/// The positions 1, 2, ... with the domain of a function that is not a sequence.
fn with_positions<'a, const EQ: bool, H: Host<'a> + ?Sized>(h: &mut H, domain: &[Value<'a>]) -> Result<Ordering> {
    for (position, key) in (1..).zip(domain) {
        match key {
            Value::Int(key) if *key == position => {}
            Value::Int(key) => return Ok(position.cmp(key)),
            _ => return not_an_integer::<EQ, H>(h, *key),
        }
    }
    Ok(Ordering::Equal)
}

#[cold]
fn not_an_integer<'a, const EQ: bool, H: Host<'a> + ?Sized>(h: &mut H, key: Value<'a>) -> Result<Ordering> {
    let (an, key) = (if EQ { "an " } else { "" }, show(h, key));
    fail(format!("Attempted to compare {an}integer with non-integer:\n{key}."))
}

/// A set with anything but a model value.
fn sets<'a, const EQ: bool, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: Value<'a>,
    b: Value<'a>,
    depth: u32,
) -> Result<Ordering> {
    match (a, b) {
        (Value::Interval(x), Value::Interval(y)) => {
            let size = |i: &(i64, i64)| i.1.saturating_sub(i.0);
            return Ok(size(x).cmp(&size(y)).then(x.0.cmp(&y.0)));
        }
        (Value::Interval(x), Value::Set(y)) => {
            return with_interval::<EQ, H>(h, x, y.elements, false, depth);
        }
        (Value::Set(x), Value::Interval(y)) => {
            return with_interval::<EQ, H>(h, y, x.elements, true, depth);
        }
        (Value::Lazy(x), Value::Lazy(y)) => {
            if let Some(result) = same_form::<EQ, H>(h, x, y, depth)? {
                return Ok(result);
            }
        }
        _ => {}
    }
    if !is_set(b) || matches!(b, Value::Lazy(y) if is_named(y)) {
        let (left, right) = (show_enumerated(h, a), show(h, b));
        let verb = if EQ { "check equality of" } else { "compare" };
        return fail(format!("Attempted to {verb} the set {left} with the value:\n{right}"));
    }
    if let (Some(x), Some(y)) = (size_hint(a), size_hint(b))
        && x != y
    {
        return Ok(x.cmp(&y));
    }
    let x = elements_at(h, a, depth)?;
    let y = elements_at(h, b, depth)?;
    slices::<EQ, H>(h, x, y, depth)
}

/// An interval with a sorted set, either way round.
fn with_interval<'a, const EQ: bool, H: Host<'a> + ?Sized>(
    h: &mut H,
    interval: &(i64, i64),
    elements: &[Value<'a>],
    reversed: bool,
    depth: u32,
) -> Result<Ordering> {
    let size = interval.1.saturating_sub(interval.0).saturating_add(1);
    let result = size.cmp(&(elements.len() as i64));
    if result.is_ne() {
        return Ok(if reversed { result.reverse() } else { result });
    }
    for (i, element) in (0..).map(|i| interval.0.wrapping_add(i)).zip(elements) {
        let result = match reversed {
            false => order::<EQ, H>(h, Value::Int(i), *element, depth)?,
            true => order::<EQ, H>(h, *element, Value::Int(i), depth)?,
        };
        if result.is_ne() {
            return Ok(result);
        }
    }
    Ok(Ordering::Equal)
}

/// Two sets of the same symbolic form, where TLC looks at their parts.
fn same_form<'a, const EQ: bool, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: &'a Lazy<'a>,
    b: &'a Lazy<'a>,
    depth: u32,
) -> Result<Option<Ordering>> {
    match (a, b) {
        (Lazy::Subset(x), Lazy::Subset(y)) => order::<EQ, H>(h, *x, *y, depth).map(Some),
        (Lazy::Functions(d, r), Lazy::Functions(e, s)) if EQ => {
            let domains = order::<EQ, H>(h, *d, *e, depth)?;
            if domains.is_ne() { Ok(Some(domains)) } else { order::<EQ, H>(h, *r, *s, depth).map(Some) }
        }
        (Lazy::Product(x), Lazy::Product(y)) if EQ => {
            parts::<EQ, H>(h, (a, x), (b, y), Ordering::Equal, depth).map(Some)
        }
        (Lazy::Records(f, x), Lazy::Records(g, y)) if EQ => {
            parts::<EQ, H>(h, (a, x), (b, y), f.cmp(g), depth).map(Some)
        }
        _ => Ok(None),
    }
}

/// The parts of two products or sets of records; all empty ones are equal.
fn parts<'a, const EQ: bool, H: Host<'a> + ?Sized>(
    h: &mut H,
    (a, x): (&'a Lazy<'a>, &[Value<'a>]),
    (b, y): (&'a Lazy<'a>, &[Value<'a>]),
    names: Ordering,
    depth: u32,
) -> Result<Ordering> {
    let empty = [is_empty(h, Value::Lazy(a), depth)?, is_empty(h, Value::Lazy(b), depth)?];
    match empty {
        [true, true] => Ok(Ordering::Equal),
        [true, false] => Ok(Ordering::Less),
        [false, true] => Ok(Ordering::Greater),
        _ if names.is_ne() => Ok(names),
        _ => slices::<EQ, H>(h, x, y, depth),
    }
}
