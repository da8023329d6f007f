//! The text files of IOUtils: `Serialize` and `Deserialize` with the format "TXT". What cannot be done is told in the record that
//! they give; what may not be done is an error.

use primed_value::error::EvalError;
use primed_value::host::{Host, Result};
use primed_value::value::Value;
use primed_value::{functions, print};

use super::commands::outcome;
use super::io::outside;
use crate::env::Env;
use crate::world::{Opening, Undone};

/// How characters are written as bytes.
#[derive(Clone, Copy)]
enum Charset {
    Utf8,
    Ascii,
    Latin1,
}

/// Why something was not done: a text for the record, or an error.
enum Trouble {
    Told(String),
    Error(Box<EvalError>),
}

impl From<Box<EvalError>> for Trouble {
    fn from(error: Box<EvalError>) -> Trouble {
        Trouble::Error(error)
    }
}

/// `Serialize(text, file, options)`.
pub(super) fn serialize<'a>(
    env: &mut Env<'a>,
    text: Value<'a>,
    file: Value<'a>,
    options: Value<'a>,
) -> Result<Value<'a>> {
    if !matches!(functions::force(env, options)?, Value::Record(_)) {
        let shown = print::print_short(env, options, 200);
        let message = format!("The third argument of Serialize should be a record, but instead it is:\n{shown}");
        return Err(EvalError::new(2169, message));
    }
    is_text(env, options, "Serialize")?;
    match write(env, text, file, options) {
        Ok(()) => Ok(outcome(env, 0, "Finish writing to the file with success!", "")),
        Err(Trouble::Told(why)) => Ok(outcome(env, 1, "", &format!("Serialize error {why}"))),
        Err(Trouble::Error(error)) => Err(error),
    }
}

/// `Deserialize(file, options)`.
pub(super) fn deserialize<'a>(env: &mut Env<'a>, file: Value<'a>, options: Value<'a>) -> Result<Value<'a>> {
    if !matches!(functions::force(env, options)?, Value::Record(_)) {
        return Ok(outcome(env, 1, "", "Deserialize error invalid parameters: the options are no record"));
    }
    is_text(env, options, "Deserialize")?;
    match read(env, file, options) {
        Ok(text) => Ok(outcome(env, 0, &text, "")),
        Err(Trouble::Told(why)) => Ok(outcome(env, 1, "", &format!("Deserialize error {why}"))),
        Err(Trouble::Error(error)) => Err(error),
    }
}

/// Text is the only format there is.
fn is_text<'a>(env: &mut Env<'a>, options: Value<'a>, operator: &str) -> Result<()> {
    let field = env.symbols().intern("format");
    match functions::select(env, options, field)? {
        Value::String(format) if env.symbols().text_of(format) == "TXT" => Ok(()),
        other => {
            let format = print::print_short(env, other, 40);
            let message = format!("{operator} knows no format but \"TXT\", and was given {format}.");
            Err(EvalError::new(1000, message))
        }
    }
}

fn write<'a>(
    env: &mut Env<'a>,
    text: Value<'a>,
    file: Value<'a>,
    options: Value<'a>,
) -> std::result::Result<(), Trouble> {
    let text = string(env, text)?;
    let file = string(env, file)?;
    let words = option(env, options, "openOptions")?;
    let charset = option(env, options, "charset")?;
    let charset = string(env, charset)?;
    let Value::Tuple(words) = words else {
        return Err(Trouble::Told("invalid parameters: openOptions is no sequence".into()));
    };
    let mut names = Vec::with_capacity(words.elements.len());
    for word in words.elements {
        names.push(string(env, *word)?);
    }
    let writing = |why: String| Trouble::Told(format!("writing to the file: {why}"));
    let charset = charset_of(&charset).map_err(writing)?;
    let opening = opening(&names).map_err(writing)?;
    let bytes = encoded(&text, charset).map_err(writing)?;
    let written = env.program.world.write(&file, &bytes, opening);
    written.map_err(|undone| told(&undone, &file, "writing to the file"))
}

fn read<'a>(env: &mut Env<'a>, file: Value<'a>, options: Value<'a>) -> std::result::Result<String, Trouble> {
    let file = string(env, file)?;
    let charset = option(env, options, "charset")?;
    let charset = string(env, charset)?;
    let reading = |why: String| Trouble::Told(format!("reading from the file: {why}"));
    let charset = charset_of(&charset).map_err(reading)?;
    let bytes = env.program.world.read(&file).map_err(|undone| told(&undone, &file, "reading from the file"))?;
    decoded(bytes, charset).map_err(reading)
}

/// The words of Java's exceptions, which a specification may look at.
fn told(undone: &Undone, file: &str, doing: &str) -> Trouble {
    let why = match undone {
        Undone::Refused(_) => return Trouble::Error(outside(undone)),
        Undone::Missing(_) => format!("java.nio.file.NoSuchFileException: {file}"),
        Undone::Exists(_) => format!("java.nio.file.FileAlreadyExistsException: {file}"),
        Undone::Failed(why) => format!("java.nio.file.FileSystemException: {why}"),
    };
    Trouble::Told(format!("{doing}: {why}"))
}

fn string<'a>(env: &mut Env<'a>, value: Value<'a>) -> std::result::Result<String, Trouble> {
    match value {
        Value::String(symbol) => Ok(env.symbols().text(symbol).to_string()),
        other => {
            Err(Trouble::Told(format!("invalid parameters: {} is no string", print::print_short(env, other, 200))))
        }
    }
}

/// A field of the options. Whether it is there is asked before, so that other errors stay errors.
fn option<'a>(env: &mut Env<'a>, options: Value<'a>, name: &str) -> std::result::Result<Value<'a>, Trouble> {
    let field = env.symbols().intern(name);
    match functions::force(env, options)? {
        Value::Record(record) if record.fields.contains(&field) => Ok(functions::select(env, options, field)?),
        _ => Err(Trouble::Told(format!("invalid parameters: there is no option {name}"))),
    }
}

/// Java's options to open a file with; none mean a new content.
fn opening(names: &[String]) -> std::result::Result<Opening, String> {
    let illegal = |why: &str| format!("java.lang.IllegalArgumentException: {why}");
    if names.is_empty() {
        return Ok(Opening::ANEW);
    }
    let mut opening = Opening { append: false, truncate: false, create: false, create_new: false };
    let mut read = false;
    for name in names {
        match &**name {
            "WRITE" | "SYNC" | "DSYNC" | "SPARSE" => {}
            "APPEND" => opening.append = true,
            "TRUNCATE_EXISTING" => opening.truncate = true,
            "CREATE" => opening.create = true,
            "CREATE_NEW" => opening.create_new = true,
            "READ" => read = true,
            "DELETE_ON_CLOSE" => return Err("the option DELETE_ON_CLOSE is not supported".into()),
            other => return Err(illegal(&format!("No enum constant java.nio.file.StandardOpenOption.{other}"))),
        }
    }
    if read {
        return Err(illegal("READ not allowed"));
    }
    if opening.append && opening.truncate {
        return Err(illegal("APPEND + TRUNCATE_EXISTING not allowed"));
    }
    Ok(opening)
}

fn charset_of(name: &str) -> std::result::Result<Charset, String> {
    match &*name.to_uppercase() {
        "UTF-8" | "UTF8" => Ok(Charset::Utf8),
        "US-ASCII" | "ASCII" => Ok(Charset::Ascii),
        "ISO-8859-1" | "LATIN1" => Ok(Charset::Latin1),
        _ => Err(format!("java.nio.charset.UnsupportedCharsetException: {name}")),
    }
}

const UNMAPPABLE: &str = "java.nio.charset.UnmappableCharacterException: Input length = 1";
const MALFORMED: &str = "java.nio.charset.MalformedInputException: Input length = 1";

fn encoded(text: &str, charset: Charset) -> std::result::Result<Vec<u8>, String> {
    let last = match charset {
        Charset::Utf8 => return Ok(text.as_bytes().to_vec()),
        Charset::Ascii => 0x7f,
        Charset::Latin1 => 0xff,
    };
    let byte = |c: char| u8::try_from(u32::from(c)).ok().filter(|b| *b <= last);
    text.chars().map(byte).collect::<Option<Vec<u8>>>().ok_or_else(|| UNMAPPABLE.into())
}

fn decoded(bytes: Vec<u8>, charset: Charset) -> std::result::Result<String, String> {
    match charset {
        Charset::Latin1 => Ok(bytes.into_iter().map(char::from).collect()),
        Charset::Ascii if !bytes.is_ascii() => Err(MALFORMED.into()),
        _ => String::from_utf8(bytes).map_err(|_| MALFORMED.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Charset, decoded, encoded, opening};

    #[test]
    fn options_are_java_s() {
        let with = |names: &[&str]| opening(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert!(with(&["WRITE", "APPEND"]).is_ok_and(|o| o.append && !o.create));
        assert!(with(&[]).is_ok_and(|o| o.truncate && o.create));
        assert!(with(&["READ"]).is_err_and(|e| e.ends_with("READ not allowed")));
        assert!(with(&["APPEND", "TRUNCATE_EXISTING"]).is_err());
        assert!(with(&["write"]).is_err());
    }

    #[test]
    fn characters_that_a_charset_lacks_are_errors() {
        assert_eq!(encoded("é", Charset::Latin1), Ok(vec![0xe9]));
        assert!(encoded("é", Charset::Ascii).is_err());
        assert_eq!(decoded(vec![0xe9], Charset::Latin1).as_deref(), Ok("é"));
        assert!(decoded(vec![0xe9], Charset::Utf8).is_err());
        assert!(decoded(vec![0xe9], Charset::Ascii).is_err());
    }
}
