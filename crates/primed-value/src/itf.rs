//! Values as JSON in the Informal Trace Format's tagged form.
//!
//! Strings, Booleans and integers are themselves (`#bigint` beyond 2^53), records objects, sequences `#tup`, sets `#set`, other
//! functions `#map`; a model value is the string of its name, and what is infinite is `#unserializable`, as TLA+.

use std::fmt::Write;

use crate::fail::{deeper, show};
use crate::functions::{force, pairs};
use crate::host::{Host, Result};
use crate::sets::{elements_at, is_enumerable};
use crate::value::Value;

/// The largest integer that every JSON reader keeps exact.
const EXACT: u64 = 1 << 53;

/// Appends a value to JSON text.
///
/// # Errors
/// Those of listing sets and computing functions.
pub fn write<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, out: &mut String) -> Result<()> {
    write_at(h, v, out, 0)
}

fn write_at<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, out: &mut String, depth: u32) -> Result<()> {
    let depth = deeper(h, depth)?;
    match v {
        Value::Bool(b) => out.push_str(if b { "true" } else { "false" }),
        Value::Int(i) if i.unsigned_abs() <= EXACT => {
            // Writing to a String cannot fail.
            let _ = write!(out, "{i}");
        }
        Value::Int(i) => {
            let _ = write!(out, "{{\"#bigint\":\"{i}\"}}");
        }
        Value::String(s) => write_json_string(h.symbols().text_of(s), out),
        Value::Model(m) => write_json_string(h.symbols().text_of(m.name), out),
        Value::Tuple(t) => write_list(h, "#tup", t.elements, out, depth)?,
        Value::Record(r) => {
            out.push('{');
            for (i, (field, value)) in r.fields.iter().zip(r.values).enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_json_string(h.symbols().text_of(*field), out);
                out.push(':');
                write_at(h, *value, out, depth)?;
            }
            out.push('}');
        }
        Value::Function(_) => {
            out.push_str("{\"#map\":[");
            for (i, (key, value)) in pairs(h, v)?.into_iter().flatten().enumerate() {
                out.push_str(if i > 0 { ",[" } else { "[" });
                write_at(h, key, out, depth)?;
                out.push(',');
                write_at(h, value, out, depth)?;
                out.push(']');
            }
            out.push_str("]}");
        }
        Value::Closure(c) if is_enumerable(c.domain) => {
            let explicit = force(h, v)?;
            write_at(h, explicit, out, depth)?;
        }
        _ if is_enumerable(v) => {
            let elements = elements_at(h, v, depth)?;
            write_list(h, "#set", elements, out, depth)?;
        }
        _ => {
            let text = show(h, v);
            out.push_str("{\"#unserializable\":");
            write_json_string(&text, out);
            out.push('}');
        }
    }
    Ok(())
}

fn write_list<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    tag: &str,
    values: &[Value<'a>],
    out: &mut String,
    depth: u32,
) -> Result<()> {
    let _ = write!(out, "{{\"{tag}\":[");
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_at(h, *value, out, depth)?;
    }
    out.push_str("]}");
    Ok(())
}

/// Appends a JSON string with its quotes.
pub fn write_json_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
