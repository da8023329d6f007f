//! Values as bytes, for checkpoints: compact, and read back without trust.
//!
//! Texts are numbered, as [`Symbols`] numbers them; [`write_symbols`] and [`read_symbols`] carry the numbering over. Numbers are
//! little-endian base 128, lengths come before what they count.

use std::io::{self, Read, Write};

use bumpalo::Bump;

use crate::build;
use crate::fail::MAX_NESTING;
use crate::host::Host;
use crate::intern::{Interner, ValueId};
use crate::symbol::{Symbol, Symbols};
use crate::value::{Lazy, ModelValue, Value};

/// Elements that are reserved before they are read; a length in a damaged file must not take all memory.
const MAX_RESERVED: usize = 1 << 12;

mod tag {
    pub(super) const FALSE: u8 = 0;
    pub(super) const TRUE: u8 = 1;
    pub(super) const INT: u8 = 2;
    pub(super) const STRING: u8 = 3;
    pub(super) const MODEL: u8 = 4;
    pub(super) const TUPLE: u8 = 5;
    pub(super) const RECORD: u8 = 6;
    pub(super) const FUNCTION: u8 = 7;
    pub(super) const SET: u8 = 8;
    pub(super) const INTERVAL: u8 = 9;
    pub(super) const NAT: u8 = 10;
    pub(super) const INTEGERS: u8 = 11;
    pub(super) const REAL: u8 = 12;
    pub(super) const STRINGS: u8 = 13;
    pub(super) const ANY: u8 = 14;
    pub(super) const SUBSET: u8 = 15;
    pub(super) const FUNCTIONS: u8 = 16;
    pub(super) const RECORDS: u8 = 17;
    pub(super) const PRODUCT: u8 = 18;
    pub(super) const SEQUENCES: u8 = 19;
    pub(super) const UNION: u8 = 20;
    pub(super) const INTERSECTION: u8 = 21;
    pub(super) const DIFFERENCE: u8 = 22;
    pub(super) const BIG_UNION: u8 = 23;
}

/// Writes a number.
///
/// # Errors
/// The writer's.
pub fn write_number(out: &mut dyn Write, mut number: u64) -> io::Result<()> {
    while number >= 0x80 {
        out.write_all(&[number as u8 | 0x80])?;
        number >>= 7;
    }
    out.write_all(&[number as u8])
}

/// Reads a number.
///
/// # Errors
/// The reader's, and bytes that are no number.
pub fn read_number(input: &mut dyn Read) -> io::Result<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = read_byte(input)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(damaged("a number is too long"))
}

fn read_byte(input: &mut dyn Read) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// What is wrong with bytes that were not written by this module.
pub fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Writes a text.
///
/// # Errors
/// The writer's.
pub fn write_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    write_number(out, text.len() as u64)?;
    out.write_all(text.as_bytes())
}

/// Reads a text.
///
/// # Errors
/// The reader's, and bytes that are no text.
pub fn read_text(input: &mut dyn Read) -> io::Result<String> {
    let length = read_number(input)?;
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(damaged("a text ends early"));
    }
    String::from_utf8(bytes).map_err(|_| damaged("a text is not UTF-8"))
}

/// Writes all texts in order.
///
/// # Errors
/// The writer's.
pub fn write_symbols(out: &mut dyn Write, symbols: &Symbols) -> io::Result<()> {
    let count = symbols.len();
    write_number(out, u64::from(count))?;
    (0..count).try_for_each(|number| write_text(out, symbols.text_of(Symbol(number))))
}

/// Reads texts into a table that holds the first of them already, in the same order.
///
/// # Errors
/// The reader's; a table that does not begin as the one that was written.
pub fn read_symbols(input: &mut dyn Read, symbols: &Symbols) -> io::Result<()> {
    for number in 0..read_number(input)? {
        let text = read_text(input)?;
        if u64::from(symbols.intern(&text).0) != number {
            return Err(damaged(&format!("`{text}` has another number: the specification is not the same")));
        }
    }
    Ok(())
}

/// Writes all values of a table in order.
///
/// # Errors
/// The writer's.
pub fn write_interner(out: &mut dyn Write, interner: &Interner) -> io::Result<()> {
    let count = interner.len();
    write_number(out, count as u64)?;
    let mut arena = Bump::new();
    (0..count as u32).try_for_each(|number| {
        arena.reset();
        write_value(out, interner.get(&arena, ValueId(number)))
    })
}

/// Reads the next value of a table that [`write_interner`] wrote; it gets the number that it had. The values are to be read one
/// after the other, as many as the number before them says.
///
/// # Errors
/// The reader's; a value that is there already, so that its number would be another.
pub fn read_interned<'a, H: Host<'a> + ?Sized>(h: &mut H, input: &mut dyn Read, interner: &Interner) -> io::Result<()> {
    let number = interner.len();
    let value = read_value(h, input)?;
    let id = interner.intern(h, value).map_err(|error| damaged(&error.message))?;
    if id.0 as usize == number { Ok(()) } else { Err(damaged("a value has another number")) }
}

/// Writes a value in canonical form ([`crate::freeze::canonical_row`]).
///
/// # Errors
/// The writer's; a function or filtered set that cannot be listed.
pub fn write_value(out: &mut dyn Write, value: Value<'_>) -> io::Result<()> {
    write_at(out, value, 0)
}

fn write_at(out: &mut dyn Write, value: Value<'_>, depth: u32) -> io::Result<()> {
    if depth >= MAX_NESTING {
        return Err(damaged("a value is nested too deep"));
    }
    let mut tagged = |tag: u8| out.write_all(&[tag]);
    match value {
        Value::Bool(b) => tagged(if b { tag::TRUE } else { tag::FALSE }),
        Value::Int(n) => {
            tagged(tag::INT)?;
            write_signed(out, n)
        }
        Value::String(s) => {
            tagged(tag::STRING)?;
            write_number(out, u64::from(s.0))
        }
        Value::Model(m) => {
            out.write_all(&[tag::MODEL, m.kind])?;
            write_number(out, u64::from(m.name.0))
        }
        Value::Interval((low, high)) => {
            tagged(tag::INTERVAL)?;
            write_signed(out, *low)?;
            write_signed(out, *high)
        }
        Value::Tuple(t) => write_all(out, tag::TUPLE, t.elements, depth),
        Value::Set(s) => write_all(out, tag::SET, s.elements, depth),
        Value::Record(r) => {
            write_all(out, tag::RECORD, r.values, depth)?;
            r.fields.iter().try_for_each(|f| write_number(out, u64::from(f.0)))
        }
        Value::Function(f) => {
            write_all(out, tag::FUNCTION, f.domain, depth)?;
            f.values.iter().try_for_each(|v| write_at(out, *v, depth + 1))
        }
        Value::Lazy(lazy) => write_lazy(out, lazy, depth),
        Value::Closure(_) | Value::Mixed(_) => Err(damaged("a function that cannot be listed")),
    }
}

fn write_signed(out: &mut dyn Write, number: i64) -> io::Result<()> {
    write_number(out, (number.wrapping_shl(1) ^ (number >> 63)) as u64)
}

fn read_signed(input: &mut dyn Read) -> io::Result<i64> {
    let number = read_number(input)?;
    Ok((number >> 1) as i64 ^ -((number & 1) as i64))
}

fn write_all(out: &mut dyn Write, tag: u8, values: &[Value<'_>], depth: u32) -> io::Result<()> {
    out.write_all(&[tag])?;
    write_number(out, values.len() as u64)?;
    values.iter().try_for_each(|v| write_at(out, *v, depth + 1))
}

fn write_lazy(out: &mut dyn Write, lazy: &Lazy<'_>, depth: u32) -> io::Result<()> {
    let (tag, parts): (u8, &[Value<'_>]) = match lazy {
        Lazy::Nat => (tag::NAT, &[]),
        Lazy::Int => (tag::INTEGERS, &[]),
        Lazy::Real => (tag::REAL, &[]),
        Lazy::String => (tag::STRINGS, &[]),
        Lazy::Any => (tag::ANY, &[]),
        Lazy::Subset(s) => (tag::SUBSET, &[*s]),
        Lazy::Functions(s, t) => (tag::FUNCTIONS, &[*s, *t]),
        Lazy::Records(fields, sets) => {
            write_all(out, tag::RECORDS, sets, depth)?;
            return fields.iter().try_for_each(|f| write_number(out, u64::from(f.0)));
        }
        Lazy::Product(sets) => (tag::PRODUCT, sets),
        Lazy::Sequences(s) => (tag::SEQUENCES, &[*s]),
        Lazy::Union(s, t) => (tag::UNION, &[*s, *t]),
        Lazy::Intersection(s, t) => (tag::INTERSECTION, &[*s, *t]),
        Lazy::Difference(s, t) => (tag::DIFFERENCE, &[*s, *t]),
        Lazy::BigUnion(s) => (tag::BIG_UNION, &[*s]),
        Lazy::Filter(..) => return Err(damaged("a filtered set that cannot be listed")),
    };
    write_all(out, tag, parts, depth)
}

/// Reads a value into the host's arena.
///
/// # Errors
/// The reader's, and bytes that are no value.
pub fn read_value<'a, H: Host<'a> + ?Sized>(h: &mut H, input: &mut dyn Read) -> io::Result<Value<'a>> {
    read_at(h, input, 0)
}

fn read_at<'a, H: Host<'a> + ?Sized>(h: &mut H, input: &mut dyn Read, depth: u32) -> io::Result<Value<'a>> {
    if depth >= MAX_NESTING {
        return Err(damaged("a value is nested too deep"));
    }
    let tag = read_byte(input)?;
    Ok(match tag {
        tag::FALSE => Value::Bool(false),
        tag::TRUE => Value::Bool(true),
        tag::INT => Value::Int(read_signed(input)?),
        tag::STRING => Value::String(read_symbol(h, input)?),
        tag::MODEL => {
            let kind = read_byte(input)?;
            Value::Model(ModelValue { name: read_symbol(h, input)?, kind })
        }
        tag::INTERVAL => {
            let (low, high) = (read_signed(input)?, read_signed(input)?);
            build::interval(h, low, high)
        }
        _ => return read_composite(h, input, tag, depth),
    })
}

fn read_symbol<'a, H: Host<'a> + ?Sized>(h: &H, input: &mut dyn Read) -> io::Result<Symbol> {
    let number = read_number(input)?;
    match u32::try_from(number) {
        Ok(number) if number < h.symbols().len() => Ok(Symbol(number)),
        _ => Err(damaged("a text that is not in the table")),
    }
}

fn read_composite<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    input: &mut dyn Read,
    tag: u8,
    depth: u32,
) -> io::Result<Value<'a>> {
    let parts = read_all(h, input, depth)?;
    let bad = |_| damaged("a set that cannot be ordered");
    let part = |i: usize| parts.get(i).copied().ok_or_else(|| damaged("a set lacks a part"));
    let lazy = match tag {
        tag::TUPLE => return Ok(build::tuple(h, &parts)),
        tag::SET => return build::set(h, parts).map_err(bad),
        tag::RECORD => {
            let mut fields = Vec::with_capacity(parts.len());
            for value in parts {
                fields.push((read_symbol(h, input)?, value));
            }
            return Ok(build::record(h, fields));
        }
        tag::FUNCTION => {
            let mut pairs = Vec::with_capacity(parts.len());
            for key in parts {
                pairs.push((key, read_at(h, input, depth + 1)?));
            }
            return build::function_from_pairs(h, pairs).map_err(bad);
        }
        tag::NAT => Lazy::Nat,
        tag::INTEGERS => Lazy::Int,
        tag::REAL => Lazy::Real,
        tag::STRINGS => Lazy::String,
        tag::ANY => Lazy::Any,
        tag::SUBSET => Lazy::Subset(part(0)?),
        tag::FUNCTIONS => Lazy::Functions(part(0)?, part(1)?),
        tag::RECORDS => {
            let mut fields = Vec::with_capacity(parts.len());
            for _ in &parts {
                fields.push(read_symbol(h, input)?);
            }
            let fields = h.arena().alloc_slice_copy(&fields);
            Lazy::Records(fields, h.arena().alloc_slice_copy(&parts))
        }
        tag::PRODUCT => Lazy::Product(h.arena().alloc_slice_copy(&parts)),
        tag::SEQUENCES => Lazy::Sequences(part(0)?),
        tag::UNION => Lazy::Union(part(0)?, part(1)?),
        tag::INTERSECTION => Lazy::Intersection(part(0)?, part(1)?),
        tag::DIFFERENCE => Lazy::Difference(part(0)?, part(1)?),
        tag::BIG_UNION => Lazy::BigUnion(part(0)?),
        _ => return Err(damaged("a value of no known kind")),
    };
    Ok(build::lazy(h, lazy))
}

fn read_all<'a, H: Host<'a> + ?Sized>(h: &mut H, input: &mut dyn Read, depth: u32) -> io::Result<Vec<Value<'a>>> {
    let count = read_number(input)?;
    let mut values = Vec::with_capacity((count as usize).min(MAX_RESERVED));
    for _ in 0..count {
        values.push(read_at(h, input, depth + 1)?);
    }
    Ok(values)
}
