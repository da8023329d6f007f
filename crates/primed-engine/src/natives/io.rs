//! Json and IOUtils. Whether a file may be read or written, or a command run, is the world's to say.

use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::host::{Host, Result};
use primed_value::value::Value;
use primed_value::{build, functions, json, print};

use super::commands::{execute, execute_with, fill_and_execute, fill_and_execute_with};
use super::complaints::only;
use super::text_files::{deserialize as read_text, serialize as write_text};
use super::{Depends, Entry, Native, momentary, pure, reading, running, writing};
use crate::env::Env;
use crate::world::{Opening, Undone};

/// Module Json. Reading a file depends on nothing: it is taken to stay as it is while a specification is loaded.
pub(super) const JSON: &[Entry] = &[
    pure(
        "ToJson",
        Native::One(|e, v| {
            let text = json::to_text(e, v)?;
            Ok(build::string(e, &text))
        }),
    ),
    pure(
        "ToJsonArray",
        Native::One(|e, v| {
            let text = json::to_array(e, v)?;
            Ok(build::string(e, &text))
        }),
    ),
    pure(
        "ToJsonObject",
        Native::One(|e, v| {
            let text = json::to_object(e, v)?;
            Ok(build::string(e, &text))
        }),
    ),
    reading("JsonDeserialize", Native::One(deserialize)),
    reading("ndJsonDeserialize", Native::One(nd_deserialize)),
    writing("JsonSerialize", Native::Two(serialize)),
    writing("ndJsonSerialize", Native::Two(nd_serialize)),
];

/// Module IOUtils.
pub(super) const IO_UTILS: &[Entry] = &[
    Entry { name: "IOEnv", native: Native::Zero(environment), depends: Depends::Run },
    pure("atoi", Native::One(atoi)),
    running("IOExec", Native::One(execute)),
    running("IOEnvExec", Native::Two(execute_with)),
    running("IOExecTemplate", Native::Two(fill_and_execute)),
    running("IOEnvExecTemplate", Native::Three(fill_and_execute_with)),
    writing("IOSerialize", Native::Three(|e, _, file, compress| binary(e, "IOSerialize", file, compress))),
    momentary("IODeserialize", Native::Two(deserialize_binary)),
    writing("Serialize", Native::Three(write_text)),
    momentary("Deserialize", Native::Two(read_text)),
];

/// What is not allowed is refused; what could not be done is an error of the evaluation, as in TLC.
#[cold]
pub(super) fn outside(undone: &Undone) -> Box<EvalError> {
    let kind = match undone {
        Undone::Refused(_) => EvalErrorKind::Forbidden,
        _ => EvalErrorKind::Evaluation,
    };
    EvalError::of_kind(kind, 1000, undone.to_string())
}

/// TLC's binary form of values is its own; it changes with its version and with the strings that a run has seen. What is wrong with
/// the arguments is told nevertheless.
#[cold]
fn binary<'a>(env: &mut Env<'a>, operator: &str, file: Value<'a>, compress: Value<'a>) -> Result<Value<'a>> {
    text(env, file, operator)?;
    if !matches!(compress, Value::Bool(_)) {
        return Err(only(env, operator, "Boolean", compress));
    }
    let message = format!("IOUtils!{operator} uses the binary form of TLC's own values, which is not supported");
    Err(EvalError::of_kind(EvalErrorKind::Unsupported, 2156, message))
}

fn deserialize_binary<'a>(env: &mut Env<'a>, file: Value<'a>, compressed: Value<'a>) -> Result<Value<'a>> {
    let path = text(env, file, "IODeserialize")?;
    if let Err(undone @ Undone::Missing(_)) = env.program.world.read(&path) {
        return Err(outside(&undone));
    }
    binary(env, "IODeserialize", file, compressed)
}

/// The text of a string argument.
pub(super) fn text<'a>(env: &mut Env<'a>, value: Value<'a>, operator: &str) -> Result<String> {
    match value {
        Value::String(symbol) => Ok(env.symbols().text(symbol).to_string()),
        other => {
            let shown = print::print_short(env, other, 200);
            Err(EvalError::new(
                2283,
                format!("The argument of {operator} should be a string, but instead it is:\n{shown}"),
            ))
        }
    }
}

/// The text of a file.
pub(super) fn read<'a>(env: &mut Env<'a>, path: &str) -> Result<String> {
    let bytes = env.program.world.read(path).map_err(|e| outside(&e))?;
    String::from_utf8(bytes).map_err(|_| EvalError::new(1000, format!("{path}: it is not UTF-8")))
}

fn deserialize<'a>(env: &mut Env<'a>, path: Value<'a>) -> Result<Value<'a>> {
    let path = text(env, path, "JsonDeserialize")?;
    let contents = read(env, &path)?;
    json::read(env, &contents).map_err(|e| EvalError::new(1000, format!("{path}: {}", e.message)))
}

/// One value for each line; empty lines are skipped.
fn nd_deserialize<'a>(env: &mut Env<'a>, path: Value<'a>) -> Result<Value<'a>> {
    let path = text(env, path, "ndJsonDeserialize")?;
    let contents = read(env, &path)?;
    let mut values = Vec::new();
    for (number, line) in contents.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let value = json::read(env, line);
        values.push(value.map_err(|e| EvalError::new(1000, format!("{path}, line {}: {}", number + 1, e.message)))?);
    }
    Ok(build::tuple_vec(env, values))
}

fn serialize<'a>(env: &mut Env<'a>, path: Value<'a>, value: Value<'a>) -> Result<Value<'a>> {
    let path = text(env, path, "JsonSerialize")?;
    let forced = functions::force(env, value)?;
    if functions::as_sequence(env, forced).is_none() && !matches!(forced, Value::Record(_)) {
        let shown = print::print_short(env, value, 200);
        let message =
            format!("The second argument of JsonSerialize should be a sequence or record, but instead it is:\n{shown}");
        return Err(EvalError::new(2169, message));
    }
    let contents = json::to_text(env, value)?;
    env.program.world.write(&path, contents.as_bytes(), Opening::ANEW).map_err(|e| outside(&e))?;
    Ok(Value::Bool(true))
}

fn nd_serialize<'a>(env: &mut Env<'a>, path: Value<'a>, value: Value<'a>) -> Result<Value<'a>> {
    let path = text(env, path, "ndJsonSerialize")?;
    let Some(items) = functions::as_sequence(env, value) else {
        let shown = print::print_short(env, value, 200);
        let message =
            format!("The second argument of ndJsonSerialize should be a sequence, but instead it is:\n{shown}");
        return Err(EvalError::new(2169, message));
    };
    let mut contents = String::new();
    for item in items {
        contents.push_str(&json::to_text(env, *item)?);
        contents.push('\n');
    }
    env.program.world.write(&path, contents.as_bytes(), Opening::ANEW).map_err(|e| outside(&e))?;
    Ok(Value::Bool(true))
}

/// The process environment as a record; entries set for this run hide the process's own.
fn environment<'a>(env: &mut Env<'a>) -> Result<Value<'a>> {
    let mut entries = env.program.world.environment();
    for (name, value) in &env.variables {
        entries.retain(|(n, _)| n != name);
        entries.push((name.clone(), value.clone()));
    }
    let symbols = env.symbols();
    let fields = entries.iter().map(|(n, v)| (symbols.intern(n), Value::String(symbols.intern(v))));
    let fields: Vec<_> = fields.collect();
    Ok(build::record(env, fields))
}

/// A string of digits, perhaps with a sign, as an integer.
fn atoi<'a>(env: &mut Env<'a>, value: Value<'a>) -> Result<Value<'a>> {
    let digits = text(env, value, "atoi")?;
    match digits.parse::<i32>() {
        Ok(n) => Ok(Value::Int(n.into())),
        Err(_) => Err(EvalError::new(1000, format!("For input string: \"{digits}\""))),
    }
}
