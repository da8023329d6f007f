//! CSV. Whether a file may be read or written is the world's to say.

use primed_value::error::EvalError;
use primed_value::host::{Host, Result};
use primed_value::value::Value;
use primed_value::{build, functions, print};

use super::complaints::only;
use super::io::{forbidden, read, text};
use super::{Entry, Native, momentary};
use crate::env::Env;
use crate::node::Code;

/// Module CSV.
pub(super) const CSV: &[Entry] = &[
    momentary("CSVWrite", Native::Three(write)),
    momentary("CSVWriteRecord", Native::ByCode(write_record)),
    momentary("CSVRead", Native::Three(records)),
    momentary("CSVRecords", Native::One(count)),
];

/// Adds a line to a file.
fn add<'a>(env: &mut Env<'a>, file: Value<'a>, line: &str, operator: &str) -> Result<()> {
    let path = text(env, file, operator)?;
    env.program.world.write(&path, &format!("{line}\n"), true).map_err(|e| forbidden(&e))
}

/// `CSVWrite(template, values, file)`: Java's format strings, as far as `%s`, `%1$s` and `%%`.
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

fn filled(template: &str, values: &[String]) -> Result<String> {
    let mut pieces = template.split('%');
    let mut line = pieces.next().unwrap_or_default().to_string();
    let mut next = 0;
    while let Some(piece) = pieces.next() {
        let digits = piece.len() - piece.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = piece.split_at(digits);
        let (value, rest) = match (number, rest.strip_prefix("$s"), rest.strip_prefix('s')) {
            ("", _, Some(rest)) => {
                next += 1;
                (values.get(next - 1), rest)
            }
            (number, Some(rest), _) if !number.is_empty() => {
                (number.parse::<usize>().ok().and_then(|n| values.get(n.checked_sub(1)?)), rest)
            }
            // Between two percent signs there is nothing.
            ("", _, _) if rest.is_empty() => {
                line.push('%');
                line.push_str(pieces.next().unwrap_or_default());
                continue;
            }
            _ => return Err(EvalError::new(1000, format!("the format specifier %{piece} is not known"))),
        };
        let Some(value) = value else {
            return Err(EvalError::new(1000, format!("the format specifier %{piece} has no value")));
        };
        line.push_str(value);
        line.push_str(rest);
    }
    Ok(line)
}

/// `CSVWriteRecord(record, delimiter, headers, file)`.
fn write_record<'a>(env: &mut Env<'a>, arguments: &'a [Code]) -> Result<Value<'a>> {
    const NAME: &str = "CSVWriteRecord";
    let [record, delimiter, headers, file] = arguments else { return Err(super::complaints::too_few(NAME)) };
    let record = record.eval(env)?;
    let delimiter = delimiter.eval(env)?;
    let delimiter = text(env, delimiter, NAME)?;
    let headers = matches!(headers.eval(env)?, Value::Bool(true));
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
    let contents = read(env, &path)?;
    let mut records = Vec::new();
    for (number, line) in contents.lines().enumerate() {
        let values: Vec<&str> = line.split(delimiter.as_str()).collect();
        if values.len() != names.len() {
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
    Ok(Value::Int(read(env, &path)?.lines().count() as i64))
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn templates_are_filled_as_in_java() {
        let values = ["1".to_string(), "\"a\"".to_string()];
        let text = |template| filled(template, &values).map_err(|e| e.message);
        assert_eq!(text("%s,%s").as_deref(), Ok("1,\"a\""));
        assert_eq!(text("%2$s;%1$s;").as_deref(), Ok("\"a\";1;"));
        assert_eq!(text("100%% %s").as_deref(), Ok("100% 1"));
        assert!(text("%s%s%s").is_err());
        assert!(text("%d").is_err());
    }
}
