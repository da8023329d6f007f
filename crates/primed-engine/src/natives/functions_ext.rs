//! Functions and Folds.

use primed_value::host::Result;
use primed_value::value::Value;
use primed_value::{build, compare, functions, sets};

use super::complaints::{argument, only, too_few};
use super::{Entry, Native, pure};
use crate::env::Env;
use crate::nodes::calls::Operator;

/// Module Functions.
pub(super) const FUNCTIONS: &[Entry] = &[
    pure("Range", Native::One(range)),
    pure("IsInjective", Native::One(is_injective)),
    pure("AntiFunction", Native::One(inverse)),
    pure("FoldFunction", Native::With(|e, o, a| fold(e, o, a, "FoldFunction"))),
    pure("FoldFunctionOnSet", Native::With(fold_on_set)),
];

/// Module Folds.
pub(super) const FOLDS: &[Entry] = &[pure("MapThenFoldSet", Native::With(map_then_fold))];

/// The values of a function.
fn range<'a>(env: &mut Env<'a>, function: Value<'a>) -> Result<Value<'a>> {
    match functions::pairs(env, function)? {
        Some(pairs) => build::set(env, pairs.into_iter().map(|p| p.1).collect()),
        None => functions::domain(env, function),
    }
}

/// Whether the values differ; those of one simple kind are sorted, others compared each with each.
fn is_injective<'a>(env: &mut Env<'a>, function: Value<'a>) -> Result<Value<'a>> {
    let Some(pairs) = functions::pairs(env, function)? else {
        return Err(only(env, "IsInjective", "function", function));
    };
    let values: Vec<Value<'a>> = pairs.into_iter().map(|p| p.1).collect();
    let alike =
        values.iter().all(|v| matches!(v, Value::Int(_))) || values.iter().all(|v| matches!(v, Value::String(_)));
    if alike {
        let size = values.len();
        let set = build::set(env, values)?;
        return Ok(Value::Bool(sets::elements(env, set)?.len() == size));
    }
    for (i, value) in values.iter().enumerate() {
        for other in values.iter().skip(i + 1) {
            if compare::equal(env, *value, *other)? {
                return Ok(Value::Bool(false));
            }
        }
    }
    Ok(Value::Bool(true))
}

/// For each value the first argument that has it.
fn inverse<'a>(env: &mut Env<'a>, function: Value<'a>) -> Result<Value<'a>> {
    match functions::pairs(env, function)? {
        Some(pairs) => build::function_from_pairs(env, pairs.into_iter().map(|(key, value)| (value, key)).collect()),
        None => Err(only(env, "AntiFunction", "functions", function)),
    }
}

/// `FoldFunction(op, base, f)`: the values in the order of their arguments, the operator's first argument the value.
pub(super) fn fold<'a>(
    env: &mut Env<'a>,
    operators: &'a [Operator],
    arguments: &[Value<'a>],
    name: &str,
) -> Result<Value<'a>> {
    let (Some(op), [base, function]) = (operators.first(), arguments) else { return Err(too_few(name)) };
    let Some(pairs) = functions::pairs(env, *function)? else {
        return Err(argument(env, "third", "FoldFunction", "function", *function));
    };
    let mut result = *base;
    for (_, value) in pairs {
        result = op.apply(env, &[value, result])?;
    }
    Ok(result)
}

/// `FoldFunctionOnSet(op, base, f, S)`.
fn fold_on_set<'a>(env: &mut Env<'a>, operators: &'a [Operator], arguments: &[Value<'a>]) -> Result<Value<'a>> {
    let (Some(op), [base, function, set]) = (operators.first(), arguments) else {
        return Err(too_few("FoldFunctionOnSet"));
    };
    if !matches!(function, Value::Tuple(_) | Value::Record(_) | Value::Function(_) | Value::Closure(_)) {
        return Err(argument(env, "third", "FoldFunctionOnSet", "function", *function));
    }
    if !sets::is_enumerable(*set) {
        return Err(argument(env, "fourth", "FoldFunctionOnSet", "set", *set));
    }
    let mut result = *base;
    for index in sets::elements(env, *set)? {
        let value = functions::apply(env, *function, *index)?;
        result = op.apply(env, &[value, result])?;
    }
    Ok(result)
}

/// `MapThenFoldSet(op, base, f, choose, S)`: `op(f(x1), op(f(x2), ...))` where `choose` picks the elements. What fails counts only
/// if the operator uses it.
fn map_then_fold<'a>(env: &mut Env<'a>, operators: &'a [Operator], arguments: &[Value<'a>]) -> Result<Value<'a>> {
    let ([op, image, choose], [base, set]) = (operators, arguments) else { return Err(too_few("MapThenFoldSet")) };
    let mut rest = sets::to_enumerated(env, *set)?;
    let mut size = sets::cardinality(env, rest)?;
    let mut chosen = Vec::new();
    let mut result = Ok(*base);
    while size > 0 {
        let element = match choose.apply(env, &[rest]) {
            Ok(element) => element,
            Err(error) => {
                result = Err(error);
                break;
            }
        };
        let single = build::set(env, vec![element])?;
        rest = sets::difference(env, rest, single)?;
        let left = sets::cardinality(env, rest)?;
        if left == size {
            result = Err(env.too_deep());
            break;
        }
        size = left;
        chosen.push(element);
    }
    for element in chosen.into_iter().rev() {
        let value = image.apply(env, &[element]);
        result = op.apply_by_need(env, value, result);
    }
    result
}
