//! Operators of SequencesExt that TLC's Java code also applies to strings.

use primed_value::host::{Host, Result};
use primed_value::value::Value;
use primed_value::{build, compare, functions, sequences as ops, sets};

use super::complaints::{argument, in_java, only};
use crate::env::Env;

/// A sequence of any kind: UTF-16 units of a string as in Java, or elements.
enum Items<'a> {
    Units(Vec<u16>),
    Elements(&'a [Value<'a>]),
}

fn units<'a>(env: &mut Env<'a>, value: Value<'a>) -> Option<Vec<u16>> {
    match value {
        Value::String(text) => Some(env.symbols().text_of(text).encode_utf16().collect()),
        _ => None,
    }
}

fn string<'a>(env: &mut Env<'a>, units: &[u16]) -> Value<'a> {
    build::string(env, &String::from_utf16_lossy(units))
}

/// Whether the first is a prefix of the second.
pub(super) fn is_prefix<'a>(env: &mut Env<'a>, prefix: Value<'a>, whole: Value<'a>) -> Result<Value<'a>> {
    if let (Some(prefix), Some(whole)) = (units(env, prefix), units(env, whole)) {
        return Ok(Value::Bool(whole.starts_with(&prefix)));
    }
    for value in [prefix, whole] {
        if functions::sequence(env, value)?.is_none() {
            let name = if functions::sequence(env, prefix)?.is_none() { "s" } else { "t" };
            let method = "tlc2.value.impl.Value tlc2.overrides.SequencesExt.isPrefix(tlc2.value.impl.Value,tlc2.value.impl.Value)";
            let cause = format!("Cannot invoke \"tlc2.value.impl.TupleValue.size()\" because \"{name}\" is null");
            return Err(in_java(method, &cause));
        }
    }
    ops::is_prefix(env, prefix, whole).map(Value::Bool)
}

/// The longest prefix that all sequences, or strings, of the set share.
pub(super) fn longest_common_prefix<'a>(env: &mut Env<'a>, set: Value<'a>) -> Result<Value<'a>> {
    const NAME: &str = "LongestCommonPrefix";
    if !sets::is_enumerable(set) {
        return Err(only(env, NAME, "non-empty set", set));
    }
    let [first, others @ ..] = sets::elements(env, set)? else { return Err(only(env, NAME, "non-empty set", set)) };
    match items(env, *first)? {
        Some(Items::Units(mut shared)) => {
            for other in others {
                let Some(other) = units(env, *other) else { return Err(only(env, NAME, "sequence", set)) };
                let same = shared.iter().zip(&other).take_while(|(a, b)| a == b).count();
                shared.truncate(same);
            }
            Ok(string(env, &shared))
        }
        Some(Items::Elements(mut shared)) => {
            for other in others {
                let Some(other) = functions::sequence(env, *other)? else {
                    return Err(only(env, NAME, "sequence", set));
                };
                let mut same = 0;
                for (a, b) in shared.iter().zip(other) {
                    if !compare::equal(env, *a, *b)? {
                        break;
                    }
                    same += 1;
                }
                shared = shared.get(..same).unwrap_or_default();
            }
            Ok(build::tuple_of(env, shared))
        }
        None => Err(only(env, NAME, "sequence", set)),
    }
}

fn items<'a>(env: &mut Env<'a>, value: Value<'a>) -> Result<Option<Items<'a>>> {
    if let Some(units) = units(env, value) {
        return Ok(Some(Items::Units(units)));
    }
    Ok(functions::sequence(env, value)?.map(Items::Elements))
}

/// `ReplaceFirstSubSeq(r, s, t)` and `ReplaceAllSubSeqs(r, s, t)`: in t, r in the place of s.
pub(super) fn replace<'a>(env: &mut Env<'a>, [new, old, whole]: [Value<'a>; 3], all: bool) -> Result<Value<'a>> {
    if let (Some(new), Some(old), Some(whole)) = (units(env, new), units(env, old), units(env, whole)) {
        let replaced = replaced(&new, &old, &whole, all, &mut |a, b| Ok(a == b))?;
        return Ok(string(env, &replaced));
    }
    let name = if all { "ReplaceAllSubSeqs" } else { "ReplaceFirstSubSeq" };
    let mut parts =
        [(new, "first"), (old, "second"), (whole, "third")].into_iter().map(
            |(value, which)| match functions::sequence(env, value)? {
                Some(elements) => Ok(elements),
                None => Err(argument(env, which, name, "sequence", value)),
            },
        );
    let (Some(new), Some(old), Some(whole)) = (parts.next(), parts.next(), parts.next()) else {
        return Ok(whole);
    };
    let (new, old, whole) = (new?, old?, whole?);
    let replaced = replaced(new, old, whole, all, &mut |a, b| compare::equal(env, *a, *b))?;
    Ok(build::tuple_vec(env, replaced))
}

/// Replaces from the left. Before each item, if what is replaced is empty.
fn replaced<T: Copy>(
    new: &[T],
    old: &[T],
    whole: &[T],
    all: bool,
    equal: &mut dyn FnMut(&T, &T) -> Result<bool>,
) -> Result<Vec<T>> {
    let mut result = Vec::with_capacity(whole.len());
    let mut at = 0;
    let mut done = false;
    // An empty part also stands in an empty whole.
    if old.is_empty() && whole.is_empty() {
        return Ok(new.to_vec());
    }
    while let Some(item) = whole.get(at) {
        let mut here = !done && at + old.len() <= whole.len();
        for (a, b) in old.iter().zip(whole.iter().skip(at)) {
            here = here && equal(a, b)?;
        }
        if here {
            result.extend_from_slice(new);
            done = !all;
            at += old.len();
        }
        if !here || old.is_empty() {
            result.push(*item);
            at += 1;
        }
    }
    Ok(result)
}
