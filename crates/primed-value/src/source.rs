//! Values as TLA+ that any front end reads back as the same value: [`crate::print`] prints for people, as TLC does.

use crate::error::{EvalError, EvalErrorKind};
use crate::fail::deeper;
use crate::functions::force;
use crate::host::{Host, Result};
use crate::sets::elements;
use crate::value::{Record, Value};

/// The words that a name and a string get.
pub trait Spelling {
    /// How a model value is written: an expression that is this value.
    fn model(&mut self, name: &str) -> String;
    /// The text that stands for the text of a string; equal ones for equal ones only.
    fn text(&mut self, text: &str) -> String;
    /// Whether a text may stand before `|->`: a name, and no reserved word.
    fn is_field(&self, text: &str) -> bool;
}

/// The value as an expression. Functions that are neither sequences nor records are written with `:>` and `@@` (module TLC),
/// negative numbers with `-` (module Integers).
///
/// # Errors
/// If a part cannot be listed: an infinite set, a function that fails at a point.
pub fn source<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, spelling: &mut dyn Spelling) -> Result<String> {
    let mut out = String::new();
    write(h, v, spelling, &mut out, 0)?;
    Ok(out)
}

fn write<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    v: Value<'a>,
    spelling: &mut dyn Spelling,
    out: &mut String,
    depth: u32,
) -> Result<()> {
    let depth = deeper(h, depth)?;
    match v {
        Value::Bool(b) => out.push_str(if b { "TRUE" } else { "FALSE" }),
        Value::Int(i) => out.push_str(&integer(i)),
        Value::String(s) => string(spelling, h.symbols().text_of(s), out),
        Value::Model(m) => out.push_str(&spelling.model(h.symbols().text_of(m.name))),
        Value::Interval((low, high)) => out.push_str(&format!("({})..({})", integer(*low), integer(*high))),
        Value::Tuple(t) => list(h, ("<<", ">>"), t.elements, spelling, out, depth)?,
        Value::Set(s) => list(h, ("{", "}"), s.elements, spelling, out, depth)?,
        Value::Record(r) => record(h, r, spelling, out, depth)?,
        Value::Function(f) => {
            for (i, (key, value)) in f.domain.iter().zip(f.values).enumerate() {
                out.push_str(if i == 0 { "(" } else { " @@ " });
                write(h, *key, spelling, out, depth)?;
                out.push_str(" :> ");
                write(h, *value, spelling, out, depth)?;
            }
            out.push(')');
        }
        Value::Closure(_) => {
            let explicit = force(h, v)?;
            if matches!(explicit, Value::Closure(_)) {
                return Err(EvalError::of_kind(
                    EvalErrorKind::Limit,
                    1000,
                    "a function has too many points to be written",
                ));
            }
            write(h, explicit, spelling, out, depth)?;
        }
        Value::Mixed(_) | Value::Lazy(_) => {
            let all = elements(h, v)?;
            list(h, ("{", "}"), all, spelling, out, depth)?;
        }
    }
    Ok(())
}

/// A record, or a function over strings if they cannot all be fields.
fn record<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    record: &Record<'a>,
    spelling: &mut dyn Spelling,
    out: &mut String,
    depth: u32,
) -> Result<()> {
    let texts: Vec<String> = record.fields.iter().map(|f| h.symbols().text_of(*f).to_owned()).collect();
    let fields = texts.iter().all(|t| spelling.is_field(t));
    let (open, between, to, close) = if fields { ("[", ", ", " |-> ", "]") } else { ("(", " @@ ", " :> ", ")") };
    for (i, (text, value)) in texts.iter().zip(record.values).enumerate() {
        out.push_str(if i == 0 { open } else { between });
        match fields {
            true => out.push_str(text),
            false => string(spelling, text, out),
        }
        out.push_str(to);
        write(h, *value, spelling, out, depth)?;
    }
    out.push_str(close);
    Ok(())
}

fn list<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    (open, close): (&str, &str),
    values: &[Value<'a>],
    spelling: &mut dyn Spelling,
    out: &mut String,
    depth: u32,
) -> Result<()> {
    out.push_str(open);
    for (i, value) in values.iter().enumerate() {
        out.push_str(if i == 0 { "" } else { ", " });
        write(h, *value, spelling, out, depth)?;
    }
    out.push_str(close);
    Ok(())
}

/// The smallest number has no absolute value among TLC's.
fn integer(number: i64) -> String {
    match number {
        0.. => number.to_string(),
        _ if number == i64::from(i32::MIN) => format!("(-{} - 1)", i32::MAX),
        _ => format!("(-{})", number.unsigned_abs()),
    }
}

fn string(spelling: &mut dyn Spelling, text: &str, out: &mut String) {
    out.push('"');
    for c in spelling.text(text).chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out.push('"');
}
