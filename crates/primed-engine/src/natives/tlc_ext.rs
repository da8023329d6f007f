//! TLCExt.

use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::freeze::hash_row;
use primed_value::host::{Host, Result};
use primed_value::value::Value;
use primed_value::{build, functions, sets};

use super::complaints::{only, too_few};
use super::tlc::{set, stored};
use super::{Entry, Native, momentary, pure, searching};
use crate::env::Env;
use crate::node::Code;
use crate::nodes::calls::Operator;

/// Module TLCExt.
pub(super) const TLC_EXT: &[Entry] = &[
    pure("AssertError", Native::ByCode(assert_error)),
    momentary("TLCDefer", Native::ByCode(defer)),
    pure("TLCNoOp", Native::One(|_, v| Ok(v))),
    momentary("TLCGetOrDefault", Native::Two(get_or_default)),
    momentary("TLCGetAndSet", Native::With(get_and_set)),
    pure("TLCModelValue", Native::One(model_value)),
    momentary("PickSuccessor", Native::One(|_, _| Ok(Value::Bool(true)))),
    searching("CounterExample", Native::Zero(counterexample)),
    searching("Trace", Native::Zero(|env| env.trace.ok_or_else(|| unsupported("TLCExt!Trace here")))),
    pure("ToTrace", Native::One(to_trace)),
    pure("TLCFP", Native::One(fingerprint)),
    momentary("TLCEvalDefinition", Native::One(|_, _| Err(unsupported("TLCExt!TLCEvalDefinition")))),
];

#[cold]
fn unsupported(what: &str) -> Box<EvalError> {
    EvalError::of_kind(EvalErrorKind::Unsupported, 2156, format!("{what} cannot be evaluated"))
}

/// `AssertError(err, exp)`: whether the evaluation of `exp` fails with that text. What is no failure of the evaluation but of the
/// evaluator (a limit, a stack that is exhausted, what is not supported or not allowed) stays one.
fn assert_error<'a>(env: &mut Env<'a>, arguments: &'a [Code]) -> Result<Value<'a>> {
    let [expected, expression] = arguments else { return Err(too_few("AssertError")) };
    let Err(error) = expression.eval(env) else { return Ok(Value::Bool(false)) };
    if !matches!(error.kind, EvalErrorKind::Evaluation | EvalErrorKind::Assert | EvalErrorKind::Incomplete) {
        return Err(error);
    }
    match expected.eval(env)? {
        Value::String(text) => Ok(Value::Bool(env.symbols().text_of(text) == error.message)),
        _ => {
            let message =
                "In computing AssertError, a non-string expression was used as the err of an AssertError(err, exp).";
            Err(EvalError::new(1000, message))
        }
    }
}

/// `TLCDefer(exp)`: TRUE. A simulation evaluates the expression when it has chosen the successor, which is not known yet here; a
/// search of all states never does.
fn defer<'a>(env: &mut Env<'a>, _: &'a [Code]) -> Result<Value<'a>> {
    match env.run.is_some_and(|run| run.simulates()) {
        true => Err(unsupported("TLCExt!TLCDefer in a simulation")),
        false => Ok(Value::Bool(true)),
    }
}

/// `TLCGetOrDefault(key, default)`: the register, or the default while nothing is stored.
fn get_or_default<'a>(env: &mut Env<'a>, key: Value<'a>, default: Value<'a>) -> Result<Value<'a>> {
    match key {
        Value::Int(number) if number < 0 => Err(EvalError::new(1000, format!("there is no register {number}"))),
        _ => Ok(stored(env, key).unwrap_or(default)),
    }
}

/// `TLCGetAndSet(key, Op, val, default)`: the old value; the register gets `Op(old, val)`.
fn get_and_set<'a>(env: &mut Env<'a>, operators: &'a [Operator], arguments: &[Value<'a>]) -> Result<Value<'a>> {
    let (Some(op), [key, value, default]) = (operators.first(), arguments) else {
        return Err(too_few("TLCGetAndSet"));
    };
    let old = stored(env, *key).unwrap_or(*default);
    let new = op.apply(env, &[old, *value])?;
    set(env, *key, new)?;
    Ok(old)
}

/// `TLCFP(v)`: a number of 32 bits that is the same for equal values. Which one it is depends in TLC on a polynomial that is drawn
/// by lot for each run.
fn fingerprint<'a>(env: &mut Env<'a>, value: Value<'a>) -> Result<Value<'a>> {
    let hash = hash_row(env, &[value])?;
    Ok(Value::Int(i64::from((hash >> 32) as i32)))
}

fn model_value<'a>(env: &mut Env<'a>, name: Value<'a>) -> Result<Value<'a>> {
    match name {
        Value::String(name) => {
            let text = env.symbols().text(name);
            Ok(Value::Model(primed_semantics::model_value(&text, env.symbols())))
        }
        _ => Err(only(env, "ModelValue", "string", name)),
    }
}

/// What led to a violation; without one, no states and no actions.
fn counterexample<'a>(env: &mut Env<'a>) -> Result<Value<'a>> {
    if let Some(counterexample) = env.counterexample {
        return Ok(counterexample);
    }
    let fields = ["action", "state"].map(|name| (env.symbols().intern(name), build::empty_set()));
    Ok(build::record(env, fields.to_vec()))
}

/// `ToTrace(CounterExample)`: the states in the order of their numbers.
fn to_trace<'a>(env: &mut Env<'a>, counterexample: Value<'a>) -> Result<Value<'a>> {
    let field = env.symbols().intern("state");
    let states = functions::select(env, counterexample, field)?;
    let mut trace = Vec::new();
    for pair in sets::elements(env, states)? {
        match functions::as_sequence(env, *pair) {
            Some([_, state]) => trace.push(*state),
            _ => return Err(EvalError::new(1000, "The argument of ToTrace is not a counterexample.")),
        }
    }
    Ok(build::tuple_vec(env, trace))
}
