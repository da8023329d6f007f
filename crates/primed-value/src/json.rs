//! JSON as the module Json reads and writes it: objects are records, arrays are sequences.
//!
//! TLC: a fraction, an integer beyond 32 bits and `null` have no value (`tlc2.module.Json`). Reading makes values straight from
//! the text, without a tree between.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::error::EvalError;
use crate::host::{Host, Result};
use crate::itf::write_json_string;
use crate::sets;
use crate::value::Value;
use crate::{build, functions, print};

/// The value of a JSON text.
///
/// # Errors
/// If the text is not JSON, or holds something without a value.
pub fn read<'a, H: Host<'a> + ?Sized>(h: &mut H, text: &str) -> Result<Value<'a>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Seed::new(h).deserialize(&mut deserializer);
    let value = value.and_then(|v| deserializer.end().map(|()| v));
    value.map_err(|e| EvalError::new(1000, format!("Cannot convert value: {}", complaint(text, &e))))
}

/// What is wrong with a JSON text, and where: `... at column 4`, of a text of several lines `... at line 2, column 4`. Columns count
/// characters as they are written, an escape such as `\u00e9` by the characters that it is written with.
pub fn complaint(text: &str, error: &serde_json::Error) -> String {
    let message = error.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    let number = error.line().max(1);
    let line = text.split('\n').nth(number - 1).unwrap_or("");
    // `serde_json` counts bytes.
    let before = line.char_indices().take_while(|(at, ch)| at + ch.len_utf8() < error.column());
    let column = before.count() + 1;
    let several = text.trim_end().contains('\n');
    let place = if several { format!("line {number}, column {column}") } else { format!("column {column}") };
    format!("{} at {place}", &message[..end])
}

/// Reads a value out of any `serde` data with the meaning of the module Json.
pub struct Seed<'h, 'a, H: ?Sized> {
    host: &'h mut H,
    arena: PhantomData<&'a ()>,
}

impl<'h, 'a, H: Host<'a> + ?Sized> Seed<'h, 'a, H> {
    /// Values are made in the host's arena.
    pub fn new(host: &'h mut H) -> Seed<'h, 'a, H> {
        Seed { host, arena: PhantomData }
    }
}

impl<H: ?Sized> fmt::Debug for Seed<'_, '_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed")
    }
}

impl<'de, 'a, H: Host<'a> + ?Sized> DeserializeSeed<'de> for Seed<'_, 'a, H> {
    type Value = Value<'a>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Value<'a>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, 'a, H: Host<'a> + ?Sized> Visitor<'de> for Seed<'_, 'a, H> {
    type Value = Value<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a Boolean, an integer, a string, an array or an object")
    }

    fn visit_bool<E: Error>(self, b: bool) -> std::result::Result<Value<'a>, E> {
        Ok(Value::Bool(b))
    }

    fn visit_i64<E: Error>(self, n: i64) -> std::result::Result<Value<'a>, E> {
        match i32::try_from(n) {
            Ok(_) => Ok(Value::Int(n)),
            Err(_) => Err(E::custom(format!("the integer {n} does not fit in 32 bits"))),
        }
    }

    fn visit_u64<E: Error>(self, n: u64) -> std::result::Result<Value<'a>, E> {
        match i32::try_from(n) {
            Ok(n) => Ok(Value::Int(n.into())),
            Err(_) => Err(E::custom(format!("the integer {n} does not fit in 32 bits"))),
        }
    }

    fn visit_f64<E: Error>(self, x: f64) -> std::result::Result<Value<'a>, E> {
        Err(E::custom(format!("the number {x} is not an integer")))
    }

    fn visit_str<E: Error>(self, text: &str) -> std::result::Result<Value<'a>, E> {
        Ok(Value::String(self.host.symbols().intern(text)))
    }

    fn visit_unit<E: Error>(self) -> std::result::Result<Value<'a>, E> {
        Err(E::custom("unsupported JSON value null"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Value<'a>, A::Error> {
        let mut values = Vec::with_capacity(items.size_hint().unwrap_or(0).min(1024));
        while let Some(value) = items.next_element_seed(Seed::new(&mut *self.host))? {
            values.push(value);
        }
        Ok(build::tuple_vec(self.host, values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> std::result::Result<Value<'a>, A::Error> {
        let mut fields = Vec::with_capacity(entries.size_hint().unwrap_or(0).min(1024));
        while let Some(key) = entries.next_key::<std::borrow::Cow<'de, str>>()? {
            let value = entries.next_value_seed(Seed::new(&mut *self.host))?;
            let symbol = self.host.symbols().intern(&key);
            match fields.iter_mut().find(|(s, _)| *s == symbol) {
                Some((_, old)) => *old = value,
                None => fields.push((symbol, value)),
            }
        }
        Ok(build::record(self.host, fields))
    }
}

/// `ToJson`: functions over 1..n and sets as arrays, other functions as objects.
///
/// # Errors
/// If something in the value cannot be enumerated.
pub fn to_text<'a, H: Host<'a> + ?Sized>(h: &mut H, value: Value<'a>) -> Result<String> {
    let mut out = String::new();
    write(h, value, &mut out)?;
    Ok(out)
}

/// `ToJsonArray`.
///
/// # Errors
/// If the value has no array form, as [`to_text`].
pub fn to_array<'a, H: Host<'a> + ?Sized>(h: &mut H, value: Value<'a>) -> Result<String> {
    match value {
        Value::Tuple(_) | Value::Function(_) | Value::Closure(_) => to_text(h, value),
        _ if sets::is_set(value) => to_text(h, value),
        _ => Err(no_form(h, value)),
    }
}

/// `ToJsonObject`: a sequence becomes an object with the keys 0, 1, ...
///
/// # Errors
/// If the value has no object form, as [`to_text`].
pub fn to_object<'a, H: Host<'a> + ?Sized>(h: &mut H, value: Value<'a>) -> Result<String> {
    match value {
        Value::Tuple(tuple) => {
            let mut out = String::from("{");
            for (i, element) in tuple.elements.iter().enumerate() {
                out.push_str(&format!("{}\"{i}\":", if i == 0 { "" } else { "," }));
                write(h, *element, &mut out)?;
            }
            out.push('}');
            Ok(out)
        }
        Value::Record(_) | Value::Function(_) | Value::Closure(_) => to_text(h, value),
        _ => Err(no_form(h, value)),
    }
}

#[cold]
fn no_form<'a, H: Host<'a> + ?Sized>(h: &mut H, value: Value<'a>) -> Box<EvalError> {
    let text = print::print_short(h, value, 200);
    EvalError::new(1000, format!("Cannot convert value: unsupported value {text}"))
}

fn write<'a, H: Host<'a> + ?Sized>(h: &mut H, value: Value<'a>, out: &mut String) -> Result<()> {
    match value {
        Value::Bool(b) => out.push_str(if b { "true" } else { "false" }),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::String(s) => write_json_string(&h.symbols().text(s), out),
        Value::Model(m) => write_json_string(&h.symbols().text(m.name), out),
        Value::Tuple(tuple) => array(h, tuple.elements, out)?,
        Value::Record(record) => {
            let keys: Vec<String> = record.fields.iter().map(|f| h.symbols().text(*f).to_string()).collect();
            object(h, &keys, record.values, out)?;
        }
        Value::Function(function) => {
            let mut keys = Vec::with_capacity(function.domain.len());
            for key in function.domain {
                keys.push(match key {
                    Value::String(s) => h.symbols().text(*s).to_string(),
                    other => print::print(h, *other)?,
                });
            }
            object(h, &keys, function.values, out)?;
        }
        Value::Closure(_) => {
            let explicit = functions::force(h, value)?;
            if let Value::Closure(_) = explicit {
                return Err(no_form(h, value));
            }
            write(h, explicit, out)?;
        }
        _ => {
            let elements = sets::elements(h, value)?;
            array(h, elements, out)?;
        }
    }
    Ok(())
}

fn array<'a, H: Host<'a> + ?Sized>(h: &mut H, items: &[Value<'a>], out: &mut String) -> Result<()> {
    out.push('[');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write(h, *item, out)?;
    }
    out.push(']');
    Ok(())
}

fn object<'a, H: Host<'a> + ?Sized>(h: &mut H, keys: &[String], values: &[Value<'a>], out: &mut String) -> Result<()> {
    out.push('{');
    for (i, (key, value)) in keys.iter().zip(values).enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_json_string(key, out);
        out.push(':');
        write(h, *value, out)?;
    }
    out.push('}');
    Ok(())
}
