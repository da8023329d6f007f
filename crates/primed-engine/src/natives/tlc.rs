//! TLC and TLCExt.

use hashbrown::HashMap;
use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::host::{Host, Result};
use primed_value::value::{Lazy, Value};
use primed_value::{build, functions, print, sets};

use super::{Entry, Native, momentary, pure};
use crate::env::Env;
use crate::nodes::calls::Operator;

/// What TLCGet and TLCSet reach.
#[derive(Debug, Default)]
pub(crate) struct Registers<'a> {
    numbered: HashMap<i64, Value<'a>, ahash::RandomState>,
    /// The level of the state, 1 for initial ones.
    pub(crate) level: i64,
    random: u64,
}

/// Module TLC.
pub(super) const TLC: &[Entry] = &[
    momentary("Print", Native::Two(|e, out, v| print_value(e, out, Some(v)))),
    momentary("PrintT", Native::One(|e, out| print_value(e, out, None))),
    pure("Assert", Native::Two(assert)),
    momentary("JavaTime", Native::Zero(|e| Ok(Value::Int(e.program.world.seconds() & 0x7fff_ffff)))),
    momentary("TLCGet", Native::One(get)),
    momentary("TLCSet", Native::Two(set)),
    momentary("RandomElement", Native::One(random_element)),
    pure(":>", Native::Two(|e, k, v| Ok(functions::single(e, k, v)))),
    pure("@@", Native::Two(|e, f, g| functions::merge(e, f, g))),
    pure("Permutations", Native::One(permutations)),
    pure("SortSeq", Native::With(sort)),
    pure("Any", Native::Zero(|e| Ok(build::lazy(e, Lazy::Any)))),
    pure("ToString", Native::One(to_string)),
    pure("TLCEval", Native::One(evaluate)),
];

/// Module TLCExt.
pub(super) const TLC_EXT: &[Entry] = &[
    pure("AssertError", Native::With(|_, _, _| Err(EvalError::of_kind(EvalErrorKind::Unsupported, 2156, "TLCExt!AssertError")))),
    momentary("TLCGetOrDefault", Native::Two(|e, key, default| match key {
        Value::Int(n) => Ok(e.registers.numbered.get(&n).copied().unwrap_or(default)),
        _ => get(e, key),
    })),
    pure("TLCModelValue", Native::One(model_value)),
    momentary("PickSuccessor", Native::One(|_, _| Ok(Value::Bool(true)))),
];

fn print_value<'a>(env: &mut Env<'a>, out: Value<'a>, value: Option<Value<'a>>) -> Result<Value<'a>> {
    let mut line = print::print(env, out)?;
    if let Some(value) = value {
        line.push_str("  ");
        line.push_str(&print::print(env, value)?);
    }
    env.program.world.print(&line);
    Ok(value.unwrap_or(Value::Bool(true)))
}

fn assert<'a>(env: &mut Env<'a>, condition: Value<'a>, out: Value<'a>) -> Result<Value<'a>> {
    if let Value::Bool(true) = condition {
        return Ok(condition);
    }
    let text = print::print_short(env, out, 10_000);
    let message = format!("The first argument of Assert evaluated to FALSE; the second argument was:\n{text}");
    Err(EvalError::of_kind(EvalErrorKind::Assert, 2132, message))
}

fn undefined<'a>(env: &mut Env<'a>, key: Value<'a>) -> Box<EvalError> {
    let key = print::print_short(env, key, 100);
    EvalError::new(2145, format!("TLCGet({key}) was undefined."))
}

fn get<'a>(env: &mut Env<'a>, key: Value<'a>) -> Result<Value<'a>> {
    match key {
        Value::Int(n) => match env.registers.numbered.get(&n) {
            Some(value) => Ok(*value),
            None => Err(undefined(env, key)),
        },
        Value::String(name) => match &*env.symbols().text(name) {
            "level" => Ok(Value::Int(env.registers.level.max(1))),
            _ => Err(undefined(env, key)),
        },
        _ => Err(undefined(env, key)),
    }
}

fn set<'a>(env: &mut Env<'a>, key: Value<'a>, value: Value<'a>) -> Result<Value<'a>> {
    match key {
        Value::Int(n) if n >= 0 => {
            env.registers.numbered.insert(n, value);
            Ok(Value::Bool(true))
        }
        _ => {
            let key = print::print_short(env, key, 100);
            let message = format!("The first argument of TLCSet should be a nonnegative integer, but instead it is:\n{key}");
            Err(EvalError::new(2169, message))
        }
    }
}

/// SplitMix64: the environment's own stream, the same in every run.
pub(crate) fn random(env: &mut Env<'_>) -> u64 {
    env.registers.random = env.registers.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = env.registers.random;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn random_element<'a>(env: &mut Env<'a>, set: Value<'a>) -> Result<Value<'a>> {
    let elements = sets::elements(env, set)?;
    if elements.is_empty() {
        return Err(EvalError::new(1000, "Attempted to apply RandomElement to the empty set."));
    }
    let at = random(env) % elements.len() as u64;
    Ok(elements[at as usize])
}

/// All permutations of a finite set: functions from the set to itself.
fn permutations<'a>(env: &mut Env<'a>, set: Value<'a>) -> Result<Value<'a>> {
    let domain = sets::elements(env, set)?;
    let factorial = (1..=domain.len()).try_fold(1usize, |n, k| n.checked_mul(k));
    let limit = env.limits().set_size;
    if factorial.is_none_or(|n| n > limit) {
        let message = format!("Attempted to construct a set with too many elements (>{limit}).");
        return Err(EvalError::of_kind(EvalErrorKind::Limit, 1000, message));
    }
    let mut all = Vec::new();
    let mut order: Vec<usize> = (0..domain.len()).collect();
    permute(&mut order, 0, &mut |order| {
        let values: Vec<_> = order.iter().map(|i| domain[*i]).collect();
        let values = env.arena().alloc_slice_copy(&values);
        let permutation = build::function(env, domain, values);
        all.push(permutation);
    });
    build::set(env, all)
}

fn permute(order: &mut Vec<usize>, from: usize, each: &mut dyn FnMut(&[usize])) {
    if from >= order.len() {
        return each(order);
    }
    for i in from..order.len() {
        order.swap(from, i);
        permute(order, from + 1, each);
        order.swap(from, i);
    }
}

/// Insertion sort, as TLC's: `Op(a, b)` means that a comes before b.
fn sort<'a>(env: &mut Env<'a>, operators: &'a [Operator], arguments: &[Value<'a>]) -> Result<Value<'a>> {
    let (Some(before), Some(sequence)) = (operators.first(), arguments.first()) else {
        return Err(EvalError::new(1000, "SortSeq needs a sequence and an operator"));
    };
    let Some(elements) = functions::as_sequence(env, *sequence) else {
        let text = print::print_short(env, *sequence, 200);
        let message = format!("The first argument of SortSeq should be a natural number, but instead it is:\n{text}");
        return Err(EvalError::new(2169, message));
    };
    let mut sorted: Vec<Value<'a>> = Vec::with_capacity(elements.len());
    for element in elements {
        let mut at = sorted.len();
        while at > 0 && before.test(env, &[*element, sorted[at - 1]])? {
            at -= 1;
        }
        sorted.insert(at, *element);
    }
    Ok(build::tuple_vec(env, sorted))
}

fn to_string<'a>(env: &mut Env<'a>, value: Value<'a>) -> Result<Value<'a>> {
    let text = print::print(env, value)?;
    Ok(build::string(env, &text))
}

/// The value with what is lazy in it computed, where it can be.
fn evaluate<'a>(env: &mut Env<'a>, value: Value<'a>) -> Result<Value<'a>> {
    match value {
        Value::Closure(_) => functions::force(env, value),
        Value::Lazy(_) | Value::Interval(_) if sets::is_enumerable(value) => sets::to_enumerated(env, value),
        _ => Ok(value),
    }
}

fn model_value<'a>(env: &mut Env<'a>, name: Value<'a>) -> Result<Value<'a>> {
    match name {
        Value::String(name) => {
            let text = env.symbols().text(name);
            Ok(Value::Model(primed_semantics::model_value(&text, env.symbols())))
        }
        _ => Err(EvalError::new(1000, "TLCModelValue needs a string")),
    }
}
