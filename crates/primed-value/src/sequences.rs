//! The native operations of `Sequences`, and what `SequencesExt` needs beside them.
//!
//! `Len`, `Tail`, `\o` and `SubSeq` also take strings, which count as sequences of UTF-16 units as in Java.

use crate::build;
use crate::compare::equal;
use crate::fail::{fail_code, show};
use crate::functions::sequence;
use crate::host::{Host, Result};
use crate::limits::check_room;
use crate::symbol::Symbol;
use crate::value::Value;

/// The elements, or TLC's error for an operator of one argument.
fn only_argument<'a, H: Host<'a> + ?Sized>(h: &mut H, operator: &str, s: Value<'a>) -> Result<&'a [Value<'a>]> {
    match sequence(h, s)? {
        Some(elements) => Ok(elements),
        None => {
            let s = show(h, s);
            fail_code(2283, format!("The argument of {operator} should be a sequence, but instead it is:\n{s}"))
        }
    }
}

#[cold]
fn wrong_argument<'a, T, H: Host<'a> + ?Sized>(
    h: &mut H,
    which: &str,
    operator: &str,
    kind: &str,
    v: Value<'a>,
) -> Result<T> {
    let v = show(h, v);
    fail_code(2169, format!("The {which} argument of {operator} should be a {kind}, but instead it is:\n{v}"))
}

#[cold]
fn wrong_form<'a, T, H: Host<'a> + ?Sized>(h: &mut H, form: &str, kind: &str, v: Value<'a>) -> Result<T> {
    let v = show(h, v);
    fail_code(2182, format!("Evaluating an expression of the form {form} when s is not a {kind}:\n{v}"))
}

fn empty<T>(operator: &str) -> Result<T> {
    fail_code(2184, format!("Attempted to apply {operator} to the empty sequence."))
}

/// The UTF-16 units of a string.
fn units<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Symbol) -> Vec<u16> {
    h.symbols().text_of(s).encode_utf16().collect()
}

fn from_units<'a, H: Host<'a> + ?Sized>(h: &mut H, units: &[u16]) -> Value<'a> {
    build::string(h, &String::from_utf16_lossy(units))
}

/// `Len(s)`.
///
/// # Errors
/// TLC's for a value that is neither a sequence nor a string.
pub fn len<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    let length = match s {
        Value::Tuple(t) => t.elements.len(),
        Value::String(text) => h.symbols().text_of(text).encode_utf16().count(),
        _ => only_argument(h, "Len", s)?.len(),
    };
    Ok(Value::Int(length as i64))
}

/// `Head(s)`.
///
/// # Errors
/// TLC's for a value that is not a sequence, or an empty one.
pub fn head<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    match only_argument(h, "Head", s)? {
        [first, ..] => Ok(*first),
        [] => empty("Head"),
    }
}

/// `Tail(s)`. Shares the elements with `s`.
///
/// # Errors
/// TLC's for a value that is neither a sequence nor a string, or empty.
pub fn tail<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    if let Value::String(text) = s {
        return match units(h, text).as_slice() {
            [_, rest @ ..] => Ok(from_units(h, rest)),
            [] => empty("Tail"),
        };
    }
    match only_argument(h, "Tail", s)? {
        [_, rest @ ..] => Ok(build::tuple_of(h, rest)),
        [] => empty("Tail"),
    }
}

/// `Append(s, v)`.
///
/// # Errors
/// TLC's for a value that is not a sequence.
pub fn append<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, v: Value<'a>) -> Result<Value<'a>> {
    match sequence(h, s)? {
        Some(elements) => joined(h, elements, &[v]),
        None => wrong_form(h, "Append(s, v)", "sequence", s),
    }
}

/// Sequences and strings of at least this length are held against the memory limit.
const LONG: usize = 256;

fn joined<'a, H: Host<'a> + ?Sized>(h: &mut H, a: &[Value<'a>], b: &[Value<'a>]) -> Result<Value<'a>> {
    if a.len() + b.len() >= LONG {
        check_room(h, (a.len() + b.len()).saturating_mul(size_of::<Value<'a>>()))?;
    }
    let mut both = a.iter().chain(b).copied();
    // The count is exact, so the filler is never used.
    let filler = Value::Bool(false);
    let elements = h.arena().alloc_slice_fill_with(a.len() + b.len(), |_| both.next().unwrap_or(filler));
    Ok(build::tuple_of(h, elements))
}

/// `s \o t`.
///
/// # Errors
/// TLC's unless both are sequences or both are strings.
pub fn concat<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, t: Value<'a>) -> Result<Value<'a>> {
    match (s, t) {
        (Value::String(a), Value::String(b)) => {
            let (a, b) = (h.symbols().text_of(a), h.symbols().text_of(b));
            if a.len() + b.len() >= LONG {
                check_room(h, a.len() + b.len())?;
            }
            let text = [a, b].concat();
            return Ok(build::string(h, &text));
        }
        (Value::String(_), _) => return wrong_form(h, "t \\o s", "string", t),
        _ => {}
    }
    let Some(a) = sequence(h, s)? else {
        return wrong_form(h, "s \\o t", "sequence", s);
    };
    let Some(b) = sequence(h, t)? else {
        return wrong_form(h, "t \\o s", "sequence", t);
    };
    Ok(match (a, b) {
        ([], _) => build::tuple_of(h, b),
        (_, []) => build::tuple_of(h, a),
        _ => return joined(h, a, b),
    })
}

/// `SubSeq(s, m, n)`. Shares the elements with `s`.
///
/// # Errors
/// TLC's for operands of other kinds, and bounds outside of `s`.
pub fn subseq<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, m: Value<'a>, n: Value<'a>) -> Result<Value<'a>> {
    if let Value::String(text) = s {
        let units = units(h, text);
        let (from, to) = bounds(h, s, units.len(), m, n)?;
        let part = units.get(from..to).unwrap_or_default();
        return Ok(from_units(h, part));
    }
    let Some(elements) = sequence(h, s)? else {
        return wrong_argument(h, "first", "SubSeq", "sequence", s);
    };
    let (from, to) = bounds(h, s, elements.len(), m, n)?;
    Ok(build::tuple_of(h, elements.get(from..to).unwrap_or_default()))
}

/// The range of indices from the two bounds, checked.
fn bounds<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    s: Value<'a>,
    length: usize,
    m: Value<'a>,
    n: Value<'a>,
) -> Result<(usize, usize)> {
    let Value::Int(from) = m else {
        return wrong_argument(h, "second", "SubSeq", "natural number", m);
    };
    let Value::Int(to) = n else {
        return wrong_argument(h, "third", "SubSeq", "natural number", n);
    };
    if from > to {
        return Ok((0, 0));
    }
    let valid = |i: i64| i >= 1 && usize::try_from(i).is_ok_and(|i| i <= length);
    for (which, bound) in [("second", from), ("third", to)] {
        if !valid(bound) {
            let s = show(h, s);
            let domain = "must be in the domain of its first argument:";
            let text = format!("The {which} argument of SubSeq {domain}\n{s}\n, but instead it is\n{bound}");
            return fail_code(2183, text);
        }
    }
    Ok(((from - 1) as usize, to as usize))
}

/// The sequence without its element at the position; as it is if there is none.
///
/// # Errors
/// For operands that are not a sequence and an integer.
pub fn remove_at<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, i: Value<'a>) -> Result<Value<'a>> {
    let Some(elements) = sequence(h, s)? else {
        return wrong_argument(h, "first", "RemoveAt", "sequence", s);
    };
    let Value::Int(i) = i else {
        return wrong_argument(h, "second", "RemoveAt", "natural number", i);
    };
    match usize::try_from(i) {
        Ok(i) if i >= 1 && i <= elements.len() => {
            let (before, from) = elements.split_at(i - 1);
            joined(h, before, from.get(1..).unwrap_or_default())
        }
        _ => Ok(build::tuple_of(h, elements)),
    }
}

/// The elements in reverse order.
///
/// # Errors
/// For a value that is not a sequence.
pub fn reverse<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    let elements = only_argument(h, "Reverse", s)?;
    let reversed = h.arena().alloc_slice_copy(elements);
    reversed.reverse();
    Ok(build::tuple_of(h, reversed))
}

/// Whether `v` is an element of the sequence.
///
/// # Errors
/// For a value that is not a sequence, or an element that cannot be compared with `v`.
pub fn contains<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, v: Value<'a>) -> Result<bool> {
    Ok(index_of(h, s, v)?.is_some())
}

/// The first position (from 1) of `v`.
///
/// # Errors
/// For a value that is not a sequence, or an element that cannot be compared with `v`.
pub fn index_of<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, v: Value<'a>) -> Result<Option<usize>> {
    let Some(elements) = sequence(h, s)? else {
        return wrong_argument(h, "first", "Contains", "sequence", s);
    };
    for (i, element) in (1..).zip(elements) {
        if equal(h, *element, v)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

/// Whether `s` is a prefix of `t`.
///
/// # Errors
/// For values that are not sequences, or elements that cannot be compared.
pub fn is_prefix<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, t: Value<'a>) -> Result<bool> {
    let Some(a) = sequence(h, s)? else {
        return wrong_argument(h, "first", "IsPrefix", "sequence", s);
    };
    let Some(b) = sequence(h, t)? else {
        return wrong_argument(h, "second", "IsPrefix", "sequence", t);
    };
    if a.len() > b.len() {
        return Ok(false);
    }
    for (x, y) in a.iter().zip(b) {
        if !equal(h, *x, *y)? {
            return Ok(false);
        }
    }
    Ok(true)
}
