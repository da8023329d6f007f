//! Bitwise and Combinatorics.

use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::host::Result;
use primed_value::print;
use primed_value::value::Value;

use super::complaints::{argument, in_java};
use super::{Entry, Native, pure};
use crate::env::Env;

/// Module Bitwise.
pub(super) const BITWISE: &[Entry] = &[
    pure("&", Native::Two(|_, a, b| bits(a, b, "And", |a, b| a & b))),
    pure("|", Native::Two(|_, a, b| bits(a, b, "Or", |a, b| a | b))),
    pure("^^", Native::Two(|_, a, b| bits(a, b, "Xor", |a, b| a ^ b))),
    pure("Not", Native::One(|_, a| not(a))),
    pure("shiftR", Native::Two(shift_right)),
];

/// Module Combinatorics.
pub(super) const COMBINATORICS: &[Entry] = &[pure("choose", Native::Two(choose))];

fn integer(value: Value<'_>, operator: &str) -> Result<i32> {
    match value {
        Value::Int(n) => Ok(n as i32),
        other => {
            let int = "tlc2.value.impl.IntValue";
            let method = format!("{int} tlc2.overrides.Bitwise.{operator}");
            let class = print::java_class(other);
            Err(in_java(&method, &format!("Cannot cast tlc2.value.impl.{class} to {int}")))
        }
    }
}

fn bits<'a>(a: Value<'a>, b: Value<'a>, operator: &str, run: fn(i32, i32) -> i32) -> Result<Value<'a>> {
    let (a, b) = (integer(a, operator)?, integer(b, operator)?);
    Ok(Value::Int(run(a, b).into()))
}

/// Turns over the bits below the highest one and that one.
fn not<'a>(value: Value<'a>) -> Result<Value<'a>> {
    let n = integer(value, "NotR")?;
    let mask = if n > 0 { i32::MAX >> (n.leading_zeros() - 1) } else { 0 };
    Ok(Value::Int((!n & mask).into()))
}

fn shift_right<'a>(env: &mut Env<'a>, value: Value<'a>, places: Value<'a>) -> Result<Value<'a>> {
    let (n, places) = (integer(value, "shiftR")?, integer(places, "shiftR")?);
    match places {
        // By its definition it would never end.
        ..0 => Err(env.too_deep()),
        _ => Ok(Value::Int((n >> places.min(31)).into())),
    }
}

/// Binomial coefficients, also where the factorials overflow.
fn choose<'a>(env: &mut Env<'a>, of: Value<'a>, some: Value<'a>) -> Result<Value<'a>> {
    let Value::Int(n @ 0..) = of else { return Err(argument(env, "first", "choose", "natural number", of)) };
    let Value::Int(k @ 0..) = some else { return Err(argument(env, "second", "choose", "natural number", some)) };
    if k > n {
        return Ok(Value::Int(0));
    }
    let k = k.min(n - k);
    let mut result: i64 = 1;
    for i in 1..=k {
        // Grows with each factor, so that it may stop when it is too large; the product is below 2^62.
        result = result * (n - k + i) / i;
        if result > i64::from(i32::MAX) {
            return Err(EvalError::of_kind(
                EvalErrorKind::Evaluation,
                2178,
                format!("Overflow when computing {n}choose{}", print::print_short(env, some, 20)),
            ));
        }
    }
    Ok(Value::Int(result))
}
