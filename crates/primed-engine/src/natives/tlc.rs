//! TLC.

use std::sync::Arc;

use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::freeze::{Frozen, copy_into, hash_row};
use primed_value::host::{Host, Result};
use primed_value::value::{Lazy, Value};
use primed_value::{build, functions, print, sets};

use super::complaints::{argument, in_java, only, too_few, wrong_value};
use super::registers::Register;
use super::{Entry, Native, momentary, pure, searching};
use crate::env::{Env, Finding};
use crate::nodes::calls::Operator;
use crate::world::Answer;

/// Module TLC.
pub(super) const TLC: &[Entry] = &[
    momentary("Print", Native::Two(|e, out, v| print_value(e, out, Some(v)))),
    momentary("PrintT", Native::One(|e, out| print_value(e, out, None))),
    pure("Assert", Native::Two(assert)),
    momentary("JavaTime", Native::Zero(|e| Ok(Value::Int(e.program.world.seconds() & 0x7fff_ffff)))),
    searching("TLCGet", Native::One(get)),
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

fn print_value<'a>(env: &mut Env<'a>, out: Value<'a>, value: Option<Value<'a>>) -> Result<Value<'a>> {
    let method = match value {
        None => "tlc2.value.impl.Value tlc2.module.TLC.PrintT(tlc2.value.impl.Value)",
        Some(_) => "tlc2.value.impl.Value tlc2.module.TLC.Print(tlc2.value.impl.Value,tlc2.value.impl.Value)",
    };
    let wrapped = |error: Box<EvalError>| error.in_override(method);
    let mut line = print::print_listed(env, out).map_err(wrapped)?;
    if let Some(value) = value {
        line.push_str("  ");
        line.push_str(&print::print_listed(env, value).map_err(wrapped)?);
    }
    if !env.muted {
        env.program.world.print(&line);
    }
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

/// TLC's method for `TLCGet`, as its complaints name it.
const GET: &str = "tlc2.value.impl.Value tlc2.module.TLCGetSet.TLCGetEval(tlc2.tool.impl.Tool,\
    tla2sany.semantic.ExprOrOpArgNode[],tlc2.util.Context,tlc2.tool.TLCState,tlc2.tool.TLCState,int,\
    tlc2.tool.coverage.CostModel)";

fn undefined(key: &str) -> Box<EvalError> {
    in_java(GET, &format!("TLCGet({key}) was undefined."))
}

/// A register's key, if the value is one: a number, or a name that begins with `s:`.
fn register<'a>(env: &Env<'a>, key: Value<'a>) -> Option<Register> {
    match key {
        Value::Int(n @ 0..) => Some(Register::Number(n)),
        Value::String(name) if env.symbols().text_of(name).starts_with("s:") => Some(Register::Name(name)),
        _ => None,
    }
}

/// What a register holds.
pub(super) fn stored<'a>(env: &Env<'a>, key: Value<'a>) -> Option<Value<'a>> {
    let frozen = register(env, key).and_then(|key| env.registers.values.get(&key))?;
    Some(copy_into(env.arena(), frozen.get()))
}

/// `TLCGet("all")` and `TLCGet("all:named")`: of each register that the first worker has, the values that the workers have.
fn all<'a>(env: &mut Env<'a>, named: bool) -> Result<Value<'a>> {
    let mut keys: Vec<Register> = env.registers.values.keys().copied().collect();
    keys.retain(|key| matches!(key, Register::Name(_)) == named);
    keys.sort_unstable();
    let others = env.registers.others.clone();
    let mut pairs = Vec::with_capacity(keys.len());
    for key in keys {
        let mut row = Vec::with_capacity(others.len() + 1);
        for values in std::iter::once(&env.registers.values).chain(others.iter().map(|o| &**o)) {
            let value = values.get(&key).ok_or_else(|| undefined("all"))?;
            row.push(copy_into(env.arena(), value.get()));
        }
        let key = match key {
            Register::Number(n) => Value::Int(n),
            Register::Name(name) => Value::String(name),
        };
        pairs.push((key, build::tuple_vec(env, row)));
    }
    build::function_from_pairs(env, pairs)
}

/// The level as TLC counts it: 0 for constants and while initial states are found.
fn level(env: &Env<'_>) -> i64 {
    let no_state = env.current.iter().all(Option::is_none);
    match env.finding == Finding::Current || no_state {
        true => 0,
        false => env.level.max(1),
    }
}

/// What the run answers as a value.
fn answered<'a>(env: &mut Env<'a>, answer: Answer) -> Result<Value<'a>> {
    Ok(match answer {
        Answer::Bool(b) => Value::Bool(b),
        Answer::Int(n) => Value::Int(n),
        Answer::Text(text) => build::string(env, &text),
        Answer::Value(frozen) => copy_into(env.arena(), frozen.get()),
        Answer::Record(fields) => {
            let mut values = Vec::with_capacity(fields.len());
            for (name, answer) in fields {
                values.push((env.symbols().intern(&name), answered(env, answer)?));
            }
            build::record(env, values)
        }
        Answer::Set(answers) => {
            let elements = all_answered(env, answers)?;
            build::set(env, elements)?
        }
        Answer::Sequence(answers) => {
            let elements = all_answered(env, answers)?;
            build::tuple_vec(env, elements)
        }
    })
}

fn all_answered<'a>(env: &mut Env<'a>, answers: Vec<Answer>) -> Result<Vec<Value<'a>>> {
    answers.into_iter().map(|answer| answered(env, answer)).collect()
}

/// What `TLCGet("action")` is where TLC does not know the action: its dummy.
fn unknown_action<'a>(env: &mut Env<'a>) -> Value<'a> {
    let numbers = ["beginLine", "beginColumn", "endLine", "endColumn"];
    let mut location = numbers.map(|name| (env.symbols().intern(name), Value::Int(0))).to_vec();
    location.push((env.symbols().intern("module"), build::string(env, "--TLA+ BUILTINS--")));
    let location = build::record(env, location);
    let name = build::string(env, "UnnamedAction");
    let fields = vec![(env.symbols().intern("name"), name), (env.symbols().intern("location"), location)];
    build::record(env, fields)
}

/// What a property of the process is if nobody has set it: its name, except where Primed does what TLC does for a property only.
fn property(name: &str) -> &str {
    match name {
        "-Dtlc2.tool.impl.Tool.cdot" => "true",
        name => name,
    }
}

fn get<'a>(env: &mut Env<'a>, key: Value<'a>) -> Result<Value<'a>> {
    if let Some(value) = stored(env, key) {
        return Ok(value);
    }
    match key {
        Value::Int(n @ 0..) => Err(undefined(&n.to_string())),
        Value::String(name) => match env.symbols().text(name).as_ref() {
            "level" => Ok(Value::Int(level(env))),
            "all" => all(env, false),
            "all:named" => all(env, true),
            "action" => Ok(env.arrived_by.unwrap_or_else(|| unknown_action(env))),
            name if name.starts_with("-D") => {
                let text = env.run.and_then(|run| run.property(name)).unwrap_or_else(|| property(name).to_owned());
                Ok(build::string(env, &text))
            }
            name => match env.run.and_then(|run| run.answer(name)) {
                Some(answer) => answered(env, answer),
                None => Err(undefined(name)),
            },
        },
        _ => Err(in_java(GET, &only(env, "TLCGet", "nonnegative integer", key).message)),
    }
}

pub(super) fn set<'a>(env: &mut Env<'a>, key: Value<'a>, value: Value<'a>) -> Result<Value<'a>> {
    if let Some(key) = register(env, key) {
        let frozen = Arc::new(Frozen::new(env, value)?);
        for other in &mut env.registers.others {
            Arc::make_mut(other).insert(key, frozen.clone());
        }
        env.registers.values.insert(key, frozen);
        return Ok(Value::Bool(true));
    }
    match key {
        Value::String(name) if env.symbols().text_of(name) == "exit" => {
            env.registers.exit |= matches!(value, Value::Bool(true));
            Ok(Value::Bool(true))
        }
        Value::String(name) if env.symbols().text_of(name) == "pause" => Ok(Value::Bool(true)),
        Value::String(name) if env.symbols().text_of(name).starts_with("-D") => {
            let text = print::print(env, value)?;
            if let Some(run) = env.run {
                run.set_property(&env.symbols().text(name), text);
            }
            Ok(Value::Bool(true))
        }
        _ => Err(argument(env, "first", "TLCSet", "nonnegative integer", key)),
    }
}

/// SplitMix64: the environment's own stream, which begins with the seed of the run. While the successors of a state are found it
/// begins anew with that state, so that the same state has the same successors whenever it is expanded.
pub(crate) fn random(env: &mut Env<'_>) -> u64 {
    if let Some(seed) = env.seed_by_state.take() {
        let state: Vec<Value<'_>> = env.current.iter().flatten().copied().collect();
        // A state that has no hash (it is too large) is as good as one without variables.
        env.registers.random = seed ^ hash_row(env, &state).unwrap_or_default();
    }
    env.registers.random = env.registers.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = env.registers.random;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Sets of functions, records and tuples are not enumerated: each component is drawn by itself.
fn random_element<'a>(env: &mut Env<'a>, set: Value<'a>) -> Result<Value<'a>> {
    match set {
        Value::Interval((low, high)) => {
            let size = high.saturating_sub(*low).saturating_add(1).unsigned_abs();
            Ok(Value::Int(low + (random(env) % size.max(1)) as i64))
        }
        Value::Lazy(Lazy::Functions(domain, range)) => {
            if !sets::is_enumerable(*domain) {
                return Err(wrong_value(env, "RandomElement", "a finite set", set));
            }
            let domain = sets::elements(env, *domain)?;
            let values = random_elements(env, &vec![*range; domain.len()])?;
            Ok(build::function(env, domain, values))
        }
        Value::Lazy(Lazy::Records(fields, sets)) => {
            let values = random_elements(env, sets)?;
            Ok(build::record_with_shape(env, fields, values))
        }
        Value::Lazy(Lazy::Product(sets)) => {
            let values = random_elements(env, sets)?;
            Ok(build::tuple_of(env, values))
        }
        _ if !sets::is_enumerable(set) => Err(wrong_value(env, "RandomElement", "a finite set", set)),
        _ => {
            let elements = sets::elements(env, set)?;
            let at = random(env) % (elements.len() as u64).max(1);
            let method = "tlc2.value.impl.Value tlc2.module.TLC.RandomElement(tlc2.value.impl.Value)";
            elements.get(at as usize).copied().ok_or_else(|| in_java(method, "bound must be positive"))
        }
    }
}

fn random_elements<'a>(env: &mut Env<'a>, sets: &[Value<'a>]) -> Result<&'a [Value<'a>]> {
    let mut values = Vec::with_capacity(sets.len());
    for set in sets {
        values.push(random_element(env, *set)?);
    }
    Ok(env.copied(&values))
}

/// All permutations of a finite set: functions from the set to itself.
fn permutations<'a>(env: &mut Env<'a>, set: Value<'a>) -> Result<Value<'a>> {
    if !sets::is_enumerable(set) {
        return Err(wrong_value(env, "Permutations", "a finite set", set));
    }
    let domain = sets::elements(env, set)?;
    let factorial = (1..=domain.len()).try_fold(1usize, |n, k| n.checked_mul(k));
    primed_value::limits::check_size(env, factorial.unwrap_or(usize::MAX))?;
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
    let (Some(before), Some(sequence)) = (operators.first(), arguments.first()) else { return Err(too_few("SortSeq")) };
    let Some(elements) = functions::sequence(env, *sequence)? else {
        return Err(argument(env, "first", "SortSeq", "natural number", *sequence));
    };
    let mut sorted: Vec<Value<'a>> = Vec::with_capacity(elements.len());
    for element in elements {
        let mut at = sorted.len();
        while let Some(other) = at.checked_sub(1).and_then(|i| sorted.get(i)).copied() {
            match before.apply(env, &[*element, other])? {
                Value::Bool(true) => at -= 1,
                Value::Bool(false) => break,
                result => return Err(argument(env, "second", "SortSeq", "boolean function", result)),
            }
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
