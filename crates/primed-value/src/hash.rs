//! Hashes that agree with equality: equal values hash equally, whatever their representation.
//!
//! They are the same in every process and version: texts are hashed by their letters, never by their symbol, and what has
//! no order of its own (elements of sets, points of functions) is combined by addition, because the order of strings depends
//! on the specification. A set of consecutive integers hashes as the interval that it is.

use crate::build;
use crate::compare::is_named;
use crate::fail::{deeper, fail, show};
use crate::functions::force;
use crate::host::{Host, Result};
use crate::sets::elements_at;
use crate::value::{Cached, Value};

const BOOL: u64 = 0x9e37_79b9_7f4a_7c15;
const INT: u64 = 0xbf58_476d_1ce4_e5b9;
const STRING: u64 = 0x94d0_49bb_1331_11eb;
const MODEL: u64 = 0xd6e8_feb8_6659_fd93;
const TUPLE: u64 = 0xa076_1d64_78bd_642f;
const FUNCTION: u64 = 0xe703_7ed1_a0b4_28db;
const SET: u64 = 0x8ebc_6af0_9c88_c6e3;
const INTERVAL: u64 = 0x5899_65cc_7537_4cc3;

/// A 64-bit finaliser: every bit of the input reaches every bit of the output.
#[inline]
const fn finish(mut x: u64) -> u64 {
    x ^= x >> 32;
    x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^= x >> 32;
    x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

/// The hash of two numbers in their order.
#[inline]
pub(crate) const fn pair(a: u64, b: u64) -> u64 {
    finish(a.rotate_left(23).wrapping_mul(0x9fb2_1c65_1e98_df25) ^ b)
}

/// The hash of a text.
pub(crate) fn hash_text(text: &str) -> u64 {
    let start = pair(STRING, text.len() as u64);
    text.as_bytes().chunks(8).fold(start, |hash, chunk| {
        let mut word = [0; 8];
        word.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
        pair(hash, u64::from_le_bytes(word))
    })
}

/// The hash of a value.
///
/// # Errors
/// Those of putting the value into its normal form: elements that cannot be compared or enumerated, sets that are known by name
/// alone (`Nat`, `STRING`, `Seq(S)`).
#[inline]
pub fn hash<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>) -> Result<u64> {
    hash_at(h, v, 0)
}

#[inline]
fn hash_at<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, depth: u32) -> Result<u64> {
    Ok(match v {
        Value::Bool(b) => pair(BOOL, u64::from(b)),
        Value::Int(i) => pair(INT, i as u64),
        Value::String(s) => h.symbols().hash_of(s),
        Value::Model(m) => pair(MODEL, h.symbols().hash_of(m.name)),
        Value::Interval((lo, hi)) => interval(*lo, *hi),
        Value::Tuple(t) => return cached(h, &t.hash, |h| tuple(h, t.elements, depth)),
        Value::Record(r) => {
            return cached(h, &r.hash, |h| {
                let mut sum = 0u64;
                let depth = deeper(h, depth)?;
                for (field, value) in r.fields.iter().zip(r.values) {
                    let key = h.symbols().hash_of(*field);
                    sum = sum.wrapping_add(pair(key, hash_at(h, *value, depth)?));
                }
                Ok(pair(pair(FUNCTION, r.fields.len() as u64), sum))
            });
        }
        Value::Function(f) => {
            return cached(h, &f.hash, |h| {
                let mut sum = 0u64;
                let depth = deeper(h, depth)?;
                for (key, value) in f.domain.iter().zip(f.values) {
                    let key = hash_at(h, *key, depth)?;
                    sum = sum.wrapping_add(pair(key, hash_at(h, *value, depth)?));
                }
                Ok(pair(pair(FUNCTION, f.domain.len() as u64), sum))
            });
        }
        Value::Set(s) => return cached(h, &s.hash, |h| set(h, s.elements, depth)),
        Value::Closure(_) | Value::Mixed(_) | Value::Lazy(_) => return normalised(h, v, depth),
    })
}

/// The cached hash of a composite.
#[inline]
fn cached<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    slot: &Cached,
    compute: impl FnOnce(&mut H) -> Result<u64>,
) -> Result<u64> {
    if let Some(hash) = slot.peek() {
        return Ok(hash);
    }
    let hash = compute(h)?.max(1);
    slot.set(hash);
    Ok(hash)
}

fn tuple<'a, H: Host<'a> + ?Sized>(h: &mut H, elements: &'a [Value<'a>], depth: u32) -> Result<u64> {
    let depth = deeper(h, depth)?;
    let mut hash = pair(TUPLE, elements.len() as u64);
    for element in elements {
        hash = pair(hash, hash_at(h, *element, depth)?);
    }
    Ok(hash)
}

fn set<'a, H: Host<'a> + ?Sized>(h: &mut H, elements: &'a [Value<'a>], depth: u32) -> Result<u64> {
    if let (Some(Value::Int(lo)), Some(Value::Int(hi))) = (elements.first(), elements.last())
        && hi.wrapping_sub(*lo) == elements.len() as i64 - 1
    {
        return Ok(interval(*lo, *hi));
    }
    let depth = deeper(h, depth)?;
    let mut sum = 0u64;
    for element in elements {
        sum = sum.wrapping_add(pair(SET, hash_at(h, *element, depth)?));
    }
    Ok(pair(pair(SET, elements.len() as u64), sum))
}

fn interval(lo: i64, hi: i64) -> u64 {
    pair(pair(INTERVAL, lo as u64), hi as u64).max(1)
}

/// What must be computed or enumerated first.
fn normalised<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, depth: u32) -> Result<u64> {
    let depth = deeper(h, depth)?;
    match v {
        Value::Closure(_) => {
            let explicit = force(h, v)?;
            hash_at(h, explicit, depth)
        }
        // TLC has no fingerprint for what is known by its name alone, whatever is in it.
        Value::Lazy(lazy) if is_named(lazy) => {
            let text = show(h, v);
            fail(format!("TLC has found a state in which the value of a variable contains {text}"))
        }
        _ => {
            let elements = elements_at(h, v, depth)?;
            let sorted = build::set_sorted(h, elements);
            hash_at(h, sorted, depth)
        }
    }
}
