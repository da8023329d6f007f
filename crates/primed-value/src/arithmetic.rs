//! Integers as TLC has them: 32 bits, overflow is an error (2178).
//!
//! The operators of `Integers` are Java methods to TLC; for operands of other kinds most of them fail while Java casts, and
//! the message says so. The comparisons check their operands themselves.

use crate::build;
use crate::fail::{fail_code, fail_override, show};
use crate::host::{Host, Result};
use crate::print::java_class;
use crate::value::Value;

const INT: &str = "tlc2.value.impl.IntValue";

/// Both operands as integers.
#[inline]
fn integers<'a, H: Host<'a> + ?Sized>(h: &mut H, method: &str, a: Value<'a>, b: Value<'a>) -> Result<(i64, i64)> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok((x, y)),
        (Value::Int(_), other) | (other, _) => cast_error(h, method, 2, other),
    }
}

/// Java's complaint about an operand that is not an integer.
#[cold]
fn cast_error<'a, T, H: Host<'a> + ?Sized>(_: &mut H, method: &str, arity: usize, v: Value<'a>) -> Result<T> {
    let result = if method == "DotDot" { "tlc2.value.impl.IntervalValue" } else { INT };
    let parameters = vec![INT; arity].join(",");
    let class = java_class(v);
    fail_override(
        &format!("{result} tlc2.module.Integers.{method}({parameters})"),
        format_args!("Cannot cast tlc2.value.impl.{class} to {INT}"),
    )
}

/// The result if it has 32 bits.
#[inline]
fn within<'a>(result: Option<i64>, a: i64, operator: &str, b: i64) -> Result<Value<'a>> {
    match result {
        Some(n) if i32::try_from(n).is_ok() => Ok(Value::Int(n)),
        _ => overflow(format!("{a}{operator}{b}")),
    }
}

#[cold]
fn overflow<T>(what: String) -> Result<T> {
    fail_code(2178, format!("Overflow when computing {what}"))
}

#[cold]
fn argument<T>(which: &str, operator: &str, a: &str, kind: &str, shown: &str) -> Result<T> {
    let code = if a == "an" { 2266 } else { 2169 };
    fail_code(code, format!("The {which} argument of {operator} should be {a} {kind}, but instead it is:\n{shown}"))
}

/// `a + b`.
///
/// # Errors
/// TLC's for other kinds and for overflow.
#[inline]
pub fn add<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    let (x, y) = integers(h, "Plus", a, b)?;
    within(x.checked_add(y), x, "+", y)
}

/// `a - b`.
///
/// # Errors
/// TLC's for other kinds and for overflow.
#[inline]
pub fn sub<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    let (x, y) = integers(h, "Minus", a, b)?;
    within(x.checked_sub(y), x, "-", y)
}

/// `a * b`.
///
/// # Errors
/// TLC's for other kinds and for overflow.
#[inline]
pub fn mul<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    let (x, y) = integers(h, "Times", a, b)?;
    within(x.checked_mul(y), x, "*", y)
}

/// `-a`.
///
/// # Errors
/// TLC's for other kinds and for overflow.
#[inline]
pub fn neg<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>) -> Result<Value<'a>> {
    match a {
        Value::Int(x) if x > i64::from(i32::MIN) => Ok(Value::Int(-x)),
        Value::Int(x) => overflow(format!("-{x}")),
        _ => cast_error(h, "Neg", 1, a),
    }
}

/// `a \div b`: rounds down.
///
/// # Errors
/// TLC's for other kinds, overflow, and a divisor of 0 (2179).
#[inline]
pub fn div<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    let (x, y) = integers(h, "Divide", a, b)?;
    if y == 0 {
        return fail_code(2179, "The second argument of \\div is 0.");
    }
    let quotient = x.checked_div(y).map(|q| if x % y != 0 && (x < 0) != (y < 0) { q - 1 } else { q });
    within(quotient, x, " \\div ", y)
}

/// `a % b`, in `0..b-1`.
///
/// # Errors
/// TLC's for other kinds, and for a `b` that is not positive.
#[inline]
pub fn modulo<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    let (x, y) = integers(h, "Mod", a, b)?;
    if y <= 0 {
        return argument("second", "%", "a", "positive number", &y.to_string());
    }
    Ok(Value::Int(x.rem_euclid(y)))
}

/// `a ^ b`.
///
/// # Errors
/// TLC's for other kinds, overflow, negative exponents, and `0^0` (2180).
pub fn pow<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    let (x, y) = integers(h, "Expt", a, b)?;
    match (x, y) {
        (_, ..=-1) => argument("second", "^", "a", "natural number", &y.to_string()),
        (0, 0) => fail_code(2180, "0^0 is undefined."),
        (0 | 1, _) => Ok(Value::Int(if y == 0 { 1 } else { x })),
        (-1, _) => Ok(Value::Int(if y % 2 == 0 { 1 } else { -1 })),
        _ => within(u32::try_from(y).ok().and_then(|y| x.checked_pow(y)), x, "^", y),
    }
}

/// `a..b`.
///
/// # Errors
/// TLC's for other kinds.
#[inline]
pub fn range<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    let (x, y) = integers(h, "DotDot", a, b)?;
    Ok(build::interval(h, x, y))
}

#[inline]
fn comparable<'a, H: Host<'a> + ?Sized>(h: &mut H, operator: &str, a: Value<'a>, b: Value<'a>) -> Result<(i64, i64)> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok((x, y)),
        (Value::Int(_), other) => not_an_integer(h, "second", operator, other),
        (other, _) => not_an_integer(h, "first", operator, other),
    }
}

#[cold]
fn not_an_integer<'a, T, H: Host<'a> + ?Sized>(h: &mut H, which: &str, operator: &str, v: Value<'a>) -> Result<T> {
    let shown = show(h, v);
    argument(which, operator, "an", "integer", &shown)
}

/// `a < b`.
///
/// # Errors
/// TLC's for other kinds.
#[inline]
pub fn less<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    comparable(h, "<", a, b).map(|(x, y)| x < y)
}

/// `a \leq b`.
///
/// # Errors
/// TLC's for other kinds.
#[inline]
pub fn leq<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    comparable(h, "<=", a, b).map(|(x, y)| x <= y)
}

/// `a > b`.
///
/// # Errors
/// TLC's for other kinds.
#[inline]
pub fn greater<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    comparable(h, ">", a, b).map(|(x, y)| x > y)
}

/// `a \geq b`.
///
/// # Errors
/// TLC's for other kinds.
#[inline]
pub fn geq<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    comparable(h, ">=", a, b).map(|(x, y)| x >= y)
}
