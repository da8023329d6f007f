//! FiniteSets and the commonest of FiniteSetsExt.

use primed_value::error::EvalError;
use primed_value::host::Result;
use primed_value::sets;
use primed_value::value::Value;

use super::{Entry, Native, pure};
use crate::env::Env;
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
    for element in sets::elements(env, *set)? {
        count += i64::from(test.test(env, &[*element])?);
    }
    Ok(Value::Int(count))
}
