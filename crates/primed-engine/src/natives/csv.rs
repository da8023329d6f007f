//! CSV. Whether a file may be read or written is the world's to say.

use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::host::{Host, Result};
use primed_value::value::Value;
use primed_value::{build, functions, print};

use super::complaints::only;
use super::format::filled;
use super::io::{outside, read, text};
use super::{Entry, Native, momentary, writing};
use crate::env::Env;
use crate::node::Code;
use crate::world::{Opening, Undone};

/// Module CSV.
pub(super) const CSV: &[Entry] = &[
    writing("CSVWrite", Native::Three(write)),
    writing("CSVWriteRecord", Native::ByCode(write_record)),
    momentary("CSVRead", Native::Three(records)),
    momentary("CSVRecords", Native::One(count)),
];

/// Adds a line to a file.
fn add<'a>(env: &mut Env<'a>, file: Value<'a>, line: &str, operator: &str) -> Result<()> {
    let path = text(env, file, operator)?;
    let line = format!("{line}\n");
    env.program.world.write(&path, line.as_bytes(), Opening::MORE).map_err(|e| outside(&e))
}

/// `CSVWrite(template, values, file)`.
fn write<'a>(env: &mut Env<'a>, template: Value<'a>, values: Value<'a>, file: Value<'a>) -> Result<Value<'a>> {
    let template = text(env, template, "CSVWrite")?;
    let Some(values) = functions::sequence(env, values)? else {
        return Err(only(env, "CSVWrite", "sequence", values));
    };
    let mut shown = Vec::with_capacity(values.len());
    for value in values {
        shown.push(print::print(env, *value)?);
    }
    let line = filled(&template, &shown)?;
    add(env, file, &line, "CSVWrite")?;
    Ok(Value::Bool(true))
}

/// `CSVWriteRecord(record, delimiter, headers, file)`.
fn write_record<'a>(env: &mut Env<'a>, arguments: &'a [Code]) -> Result<Value<'a>> {
    const NAME: &str = "CSVWriteRecord";
    let [record, delimiter, headers, file] = arguments else { return Err(super::complaints::too_few(NAME)) };
    let record = record.eval(env)?;
    let delimiter = delimiter.eval(env)?;
    let delimiter = text(env, delimiter, NAME)?;
    let headers = match headers.eval(env)? {
        Value::Bool(headers) => headers,
        other => return Err(only(env, NAME, "Boolean", other)),
    };
    let file = file.eval(env)?;
    let Value::Record(record) = functions::force(env, record)? else { return Err(only(env, NAME, "record", record)) };
    if headers {
        let names: Vec<&str> = record.fields.iter().map(|field| env.symbols().text_of(*field)).collect();
        add(env, file, &names.join(&delimiter), NAME)?;
    }
    let mut values = Vec::with_capacity(record.values.len());
    for value in record.values {
        values.push(print::print(env, *value)?);
    }
    add(env, file, &values.join(&delimiter), NAME)?;
    Ok(Value::Bool(true))
}

/// `CSVRead(columns, delimiter, file)`: each line as a record of strings.
fn records<'a>(env: &mut Env<'a>, columns: Value<'a>, delimiter: Value<'a>, file: Value<'a>) -> Result<Value<'a>> {
    const NAME: &str = "CSVRead";
    let Some(columns) = functions::sequence(env, columns)? else { return Err(only(env, NAME, "sequence", columns)) };
    let mut names = Vec::with_capacity(columns.len());
    for column in columns {
        let name = text(env, *column, NAME)?;
        names.push(env.symbols().intern(&name));
    }
    let (delimiter, path) = (text(env, delimiter, NAME)?, text(env, file, NAME)?);
    let Some(contents) = contents(env, &path)? else { return Ok(build::tuple_vec(env, Vec::new())) };
    let delimiter = literal(&delimiter)?;
    let mut records = Vec::new();
    for (number, line) in contents.lines().enumerate() {
        let values = pieces(line, delimiter);
        if values.len() < names.len() {
            let (found, wanted) = (values.len(), names.len());
            let message = format!("{path}, line {}: {found} values for {wanted} columns", number + 1);
            return Err(EvalError::new(1000, message));
        }
        let fields = names.iter().zip(values).map(|(name, value)| (*name, build::string(env, value)));
        let fields: Vec<_> = fields.collect();
        records.push(build::record(env, fields));
    }
    Ok(build::tuple_vec(env, records))
}

/// How many lines a file has.
fn count<'a>(env: &mut Env<'a>, file: Value<'a>) -> Result<Value<'a>> {
    let path = text(env, file, "CSVRecords")?;
    Ok(Value::Int(contents(env, &path)?.map_or(0, |text| text.lines().count() as i64)))
}

/// The text of a file; `None` if there is none, which has no lines.
fn contents<'a>(env: &mut Env<'a>, path: &str) -> Result<Option<String>> {
    match env.program.world.read(path) {
        Err(Undone::Missing(_)) => Ok(None),
        _ => read(env, path).map(Some),
    }
}

/// The delimiter is a regular expression of Java's; the ones that stand for themselves, or for one character with a backslash
/// before it, are read.
fn literal(delimiter: &str) -> Result<&str> {
    let special = |c: char| ".$|()[{^?*+\\".contains(c);
    match delimiter.strip_prefix('\\') {
        Some(rest) if rest.chars().count() == 1 && !rest.starts_with(char::is_alphanumeric) => Ok(rest),
        None if !delimiter.chars().any(special) || delimiter == "]" => Ok(delimiter),
        _ => {
            let message = format!("CSV!CSVRead with a regular expression (`{delimiter}`) as its delimiter");
            Err(EvalError::of_kind(EvalErrorKind::Unsupported, 2156, format!("{message} cannot be evaluated")))
        }
    }
}

/// A line at its delimiters; empty pieces at its end are none.
fn pieces<'t>(line: &'t str, delimiter: &str) -> Vec<&'t str> {
    let mut pieces: Vec<&str> = match delimiter {
        "" => line.split("").skip(1).collect(),
        _ => line.split(delimiter).collect(),
    };
    while pieces.len() > 1 && pieces.last().is_some_and(|piece| piece.is_empty()) {
        pieces.pop();
    }
    // A line of delimiters alone has no pieces; an empty one has itself.
    if pieces == [""] && !line.is_empty() {
        pieces.clear();
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::{literal, pieces};

    #[test]
    fn lines_are_split_as_in_java() {
        assert_eq!(pieces("a,b,,", ","), ["a", "b"]);
        assert_eq!(pieces(",a", ","), ["", "a"]);
        assert_eq!(pieces("", ","), [""]);
        assert!(pieces(",,", ",").is_empty());
        assert_eq!(pieces("ab", ""), ["a", "b"]);
    }

    #[test]
    fn delimiters_that_are_patterns_are_refused() {
        assert_eq!(literal("\\.").ok(), Some("."));
        assert_eq!(literal("##").ok(), Some("##"));
        assert!(literal("[,;]").is_err());
        assert!(literal("\\s").is_err());
        assert!(literal("|").is_err());
    }
}
