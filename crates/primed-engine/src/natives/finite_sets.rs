//! FiniteSets and the commonest of FiniteSetsExt.

use primed_value::error::EvalError;
use primed_value::host::Result;
use primed_value::limits::check_size;
use primed_value::value::Value;
use primed_value::{arithmetic, build, sets};

use super::complaints::{argument, not_a_test, only};
use super::{Entry, Native, pure};
use crate::env::Env;
use crate::nodes::binders;
use crate::nodes::calls::Operator;

/// Module FiniteSets.
pub(super) const FINITE_SETS: &[Entry] = &[
    pure("Cardinality", Native::One(|e, s| sets::cardinality(e, s).map(Value::Int))),
    pure("IsFiniteSet", Native::One(|e, s| sets::is_finite_set(e, s).map(Value::Bool))),
];

/// Module FiniteSetsExt.
pub(super) const FINITE_SETS_EXT: &[Entry] = &[
    pure("FoldSet", Native::With(fold)),
    pure("Quantify", Native::With(quantify)),
    pure("kSubset", Native::Two(subsets_of_size)),
    pure("Max", Native::One(|e, s| extreme(e, s, true))),
    pure("Min", Native::One(|e, s| extreme(e, s, false))),
    pure("SumSet", Native::One(sum)),
];

/// `FoldSet(op, base, S)`: the elements in order, the operator's first argument the element.
fn fold<'a>(env: &mut Env<'a>, operators: &'a [Operator], arguments: &[Value<'a>]) -> Result<Value<'a>> {
    let (Some(op), [base, set]) = (operators.first(), arguments) else {
        return Err(EvalError::new(1000, "FoldSet needs an operator, a base and a set"));
    };
    let mut result = *base;
    for element in sets::elements(env, *set)? {
        result = op.apply(env, &[*element, result])?;
    }
    Ok(result)
}

/// How many elements satisfy the operator.
fn quantify<'a>(env: &mut Env<'a>, operators: &'a [Operator], arguments: &[Value<'a>]) -> Result<Value<'a>> {
    let (Some(test), Some(set)) = (operators.first(), arguments.first()) else {
        return Err(EvalError::new(1000, "Quantify needs a set and an operator"));
    };
    let mut count = 0;
    if !sets::is_set(*set) {
        return Err(argument(env, "first", "Quantify", "set", *set));
    }
    for element in sets::elements(env, *set)? {
        match test.apply(env, &[*element])? {
            Value::Bool(holds) => count += i64::from(holds),
            _ => return Err(not_a_test("second", "Quantify", "boolean-valued operator")),
        }
    }
    Ok(Value::Int(count))
}

/// `kSubset(k, S)`: for sorted elements the choices come sorted.
fn subsets_of_size<'a>(env: &mut Env<'a>, size: Value<'a>, set: Value<'a>) -> Result<Value<'a>> {
    if !sets::is_enumerable(set) {
        return Err(only(env, "second", "kSubset", set));
    }
    let Value::Int(size) = size else { return Err(argument(env, "first", "kSubset", "natural number", size)) };
    let elements = sets::elements(env, set)?;
    let Some(size) = usize::try_from(size).ok().filter(|k| *k <= elements.len()) else { return Ok(build::empty_set()) };
    let mut positions: Vec<usize> = (0..size).collect();
    let mut subsets = Vec::new();
    loop {
        check_size(env, subsets.len() + 1)?;
        let chosen: Vec<Value<'a>> = positions.iter().filter_map(|i| elements.get(*i)).copied().collect();
        let chosen = env.copied(&chosen);
        subsets.push(build::set_sorted(env, chosen));
        // The last position that can still move, and those after it as near to it as can be.
        let movable = |i: &usize| positions.get(*i).is_some_and(|p| p + size - i < elements.len());
        let Some(i) = (0..size).rev().find(movable) else { break };
        let start = positions.get(i).map_or(0, |p| p + 1);
        positions.iter_mut().skip(i).zip(start..).for_each(|(position, new)| *position = new);
    }
    let subsets = env.copied(&subsets);
    Ok(build::set_sorted(env, subsets))
}

/// The largest or smallest number. Other values are compared as the definitions of `Max` and `Min` do, and fail as there.
fn extreme<'a>(env: &mut Env<'a>, set: Value<'a>, largest: bool) -> Result<Value<'a>> {
    if let Value::Interval((low, high)) = set {
        return Ok(Value::Int(if largest { *high } else { *low }));
    }
    if !sets::is_enumerable(set) {
        return Err(binders::not_choosable());
    }
    let elements = sets::elements(env, set)?;
    if let (Some(first @ Value::Int(_)), Some(last @ Value::Int(_))) = (elements.first(), elements.last()) {
        // Sorted: what is between two numbers is a number.
        return Ok(if largest { *last } else { *first });
    }
    if let Some(value) = elements.first() {
        arithmetic::leq(env, *value, *value)?;
    }
    Err(binders::none_chosen())
}

/// `SumSet(S)`.
fn sum<'a>(env: &mut Env<'a>, set: Value<'a>) -> Result<Value<'a>> {
    let mut sum = Value::Int(0);
    for element in sets::elements(env, set)? {
        sum = arithmetic::add(env, *element, sum)?;
    }
    Ok(sum)
}
