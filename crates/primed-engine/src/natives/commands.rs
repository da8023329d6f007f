//! The commands of IOUtils. Whether they may be run is the world's to say.

use primed_value::error::EvalError;
use primed_value::host::{Host, Result};
use primed_value::value::Value;
use primed_value::{build, functions, print};

use super::complaints::only;
use super::format::filled;
use super::io::outside;
use crate::env::Env;

/// `IOExec(command)`.
pub(super) fn execute<'a>(env: &mut Env<'a>, command: Value<'a>) -> Result<Value<'a>> {
    let command = words(env, command, "IOExec")?;
    run(env, &command, &[])
}

/// `IOEnvExec(variables, command)`.
pub(super) fn execute_with<'a>(env: &mut Env<'a>, variables: Value<'a>, command: Value<'a>) -> Result<Value<'a>> {
    let variables = entries(env, variables, "IOEnvExec")?;
    let command = words(env, command, "IOEnvExec")?;
    run(env, &command, &variables)
}

/// `IOExecTemplate(template, values)`: each word is a format string for all values.
pub(super) fn fill_and_execute<'a>(env: &mut Env<'a>, template: Value<'a>, values: Value<'a>) -> Result<Value<'a>> {
    let command = template_words(env, template, values, "IOExecTemplate")?;
    run(env, &command, &[])
}

/// `IOEnvExecTemplate(variables, template, values)`.
pub(super) fn fill_and_execute_with<'a>(
    env: &mut Env<'a>,
    variables: Value<'a>,
    template: Value<'a>,
    values: Value<'a>,
) -> Result<Value<'a>> {
    let variables = entries(env, variables, "IOEnvExecTemplate")?;
    let command = template_words(env, template, values, "IOEnvExecTemplate")?;
    run(env, &command, &variables)
}

fn template_words<'a>(
    env: &mut Env<'a>,
    template: Value<'a>,
    values: Value<'a>,
    operator: &str,
) -> Result<Vec<String>> {
    let template = words(env, template, operator)?;
    let values = words(env, values, operator)?;
    template.iter().map(|word| filled(word, &values)).collect()
}

/// A sequence of strings.
fn words<'a>(env: &mut Env<'a>, value: Value<'a>, operator: &str) -> Result<Vec<String>> {
    let Value::Tuple(words) = value else { return Err(only(env, operator, "sequence", value)) };
    let mut texts = Vec::with_capacity(words.elements.len());
    for word in words.elements {
        match word {
            Value::String(symbol) => texts.push(env.symbols().text(*symbol).to_string()),
            other => return Err(only(env, "IOExec", "sequence", *other)),
        }
    }
    Ok(texts)
}

/// A record of variables for the environment: strings as they are, other values as they are printed.
fn entries<'a>(env: &mut Env<'a>, value: Value<'a>, operator: &str) -> Result<Vec<(String, String)>> {
    let Value::Record(record) = functions::force(env, value)? else {
        return Err(only(env, operator, "record", value));
    };
    let mut entries = Vec::with_capacity(record.fields.len());
    for (field, value) in record.fields.iter().zip(record.values) {
        let text = match value {
            Value::String(symbol) => env.symbols().text(*symbol).to_string(),
            other => print::print(env, *other)?,
        };
        entries.push((env.symbols().text(*field).to_string(), text));
    }
    Ok(entries)
}

/// Runs a command; how it ended, as a record.
fn run<'a>(env: &mut Env<'a>, command: &[String], variables: &[(String, String)]) -> Result<Value<'a>> {
    if command.is_empty() {
        return Err(EvalError::new(1000, "a command has at least one word"));
    }
    let ended = env.program.world.execute(command, variables).map_err(|e| outside(&e))?;
    Ok(outcome(env, ended.status, &ended.output, &ended.errors))
}

/// What an operation outside came to.
pub(super) fn outcome<'a>(env: &mut Env<'a>, status: i64, output: &str, errors: &str) -> Value<'a> {
    let symbols = env.symbols();
    let fields = vec![
        (symbols.intern("exitValue"), Value::Int(status)),
        (symbols.intern("stdout"), Value::String(symbols.intern(output))),
        (symbols.intern("stderr"), Value::String(symbols.intern(errors))),
    ];
    build::record(env, fields)
}
