//! How many elements a set has, by arithmetic where its form allows, and whether it is finite.

use crate::build;
use crate::error::EvalError;
use crate::fail::{deeper, fail, fail_code, show};
use crate::functions::force;
use crate::host::{Host, Result};
use crate::iterate::Elements;
use crate::sets::{elements_at, is_enumerable};
use crate::value::{Lazy, Value};

/// The number of elements.
pub(crate) fn size_at<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, depth: u32) -> Result<i64> {
    match s {
        Value::Set(set) => Ok(set.elements.len() as i64),
        Value::Mixed(_) => Ok(elements_at(h, s, depth)?.len() as i64),
        Value::Interval((lo, hi)) => match hi.checked_sub(*lo).and_then(|n| i32::try_from(n).ok()?.checked_add(1)) {
            Some(size) => Ok(i64::from(size)),
            None => {
                fail(format!("Size of interval value exceeds the maximum representable size (32bits): {lo}..{hi}."))
            }
        },
        Value::Lazy(lazy) => {
            let depth = deeper(h, depth)?;
            match (size_lazy(h, s, lazy, depth), lazy) {
                (Err(error), Lazy::Filter(..)) => Err(error),
                (size, _) => size.map_err(EvalError::in_made),
            }
        }
        // In TLC functions have a size, though they are no sets.
        Value::Tuple(tuple) => Ok(tuple.elements.len() as i64),
        Value::Record(record) => Ok(record.values.len() as i64),
        Value::Function(function) => Ok(function.values.len() as i64),
        Value::Closure(_) => match force(h, s)? {
            Value::Closure(_) => without_size(h, s),
            function => size_at(h, function, deeper(h, depth)?),
        },
        _ => without_size(h, s),
    }
}

fn size_lazy<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, lazy: &'a Lazy<'a>, depth: u32) -> Result<i64> {
    match lazy {
        Lazy::Subset(base) => match size_at(h, *base, depth)? {
            size if size < 31 => Ok(1 << size),
            _ => Err(overflow(h, s, "", 2178)),
        },
        Lazy::Functions(domain, range) => {
            let (n, size) = (size_at(h, *domain, depth)?, size_at(h, *range, depth)?);
            let mut result = 1;
            // 0 and 1 are the same from the first power on, and all else overflows before the 32nd.
            for _ in 0..n.min(32) {
                match product(result, size) {
                    Some(next) => result = next,
                    None => return Err(overflow(h, s, "", 1000)),
                }
            }
            Ok(result)
        }
        Lazy::Records(_, sets) | Lazy::Product(sets) => {
            let mut result = 1;
            for set in *sets {
                match product(result, size_at(h, *set, depth)?) {
                    Some(next) => result = next,
                    None if matches!(lazy, Lazy::Product(_)) => {
                        return Err(overflow(h, s, " in", 1000));
                    }
                    None => return Err(overflow(h, s, "", 2178)),
                }
            }
            Ok(result)
        }
        Lazy::Union(..) | Lazy::Intersection(..) | Lazy::Difference(..) | Lazy::BigUnion(_) | Lazy::Filter(..) => {
            Ok(elements_at(h, s, depth)?.len() as i64)
        }
        _ => without_size(h, s),
    }
}

fn product(a: i64, b: i64) -> Option<i64> {
    a.checked_mul(b).filter(|n| i32::try_from(*n).is_ok())
}

#[cold]
fn overflow<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, in_: &str, code: u32) -> Box<EvalError> {
    let s = show(h, s);
    let of = if in_.is_empty() { " in:\n" } else { " in " };
    EvalError::new(code, format!("Overflow when computing the number of elements{of}{s}"))
}

#[cold]
fn without_size<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<i64> {
    let what = what(s);
    let s = show(h, s);
    fail_code(1000, format!("Attempted to compute the number of elements in the {what} {s}."))
}

fn what(s: Value<'_>) -> &'static str {
    match s {
        Value::Bool(_) => "boolean",
        Value::Int(_) => "integer",
        Value::String(_) => "string",
        Value::Model(_) => "model value",
        Value::Lazy(_) => "overridden value",
        _ => "function",
    }
}

/// The number of elements if nothing must be listed to know it and it is not too large. It asks nothing and fails nowhere: the
/// printer rests on it while an error about a size is made.
pub(crate) fn size_hint(s: Value<'_>) -> Option<i64> {
    arithmetic(s, 0, &mut |_| None)
}

/// No fewer than the elements, if the form of the set tells a bound.
pub(crate) fn size_bound(s: Value<'_>) -> Option<i64> {
    bound(s, 0)
}

fn bound(s: Value<'_>, level: u32) -> Option<i64> {
    if level > 6 {
        return None;
    }
    arithmetic(s, level, &mut |part| match part {
        Value::Lazy(Lazy::Union(a, b)) => bound(*a, level + 1)?.checked_add(bound(*b, level + 1)?),
        Value::Lazy(Lazy::Intersection(a, b)) => match (bound(*a, level + 1), bound(*b, level + 1)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        },
        Value::Lazy(Lazy::Difference(of, _) | Lazy::Filter(of, _)) => bound(*of, level + 1),
        Value::Lazy(Lazy::BigUnion(Value::Set(members))) => {
            members.elements.iter().try_fold(0i64, |sum, member| sum.checked_add(bound(*member, level + 1)?))
        }
        _ => None,
    })
}

/// As [`size_hint`], but what is no product of other sets is listed to know its size.
pub(crate) fn quiet_size<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, depth: u32) -> Option<i64> {
    arithmetic(s, 0, &mut |part| elements_at(h, part, depth).ok().map(|e| e.len() as i64))
}

fn arithmetic<'a>(s: Value<'a>, level: u32, other: &mut dyn FnMut(Value<'a>) -> Option<i64>) -> Option<i64> {
    match s {
        Value::Set(set) => Some(set.elements.len() as i64),
        Value::Interval((low, high)) => high.checked_sub(*low)?.checked_add(1),
        _ if level > 6 => None,
        Value::Lazy(lazy) => match lazy {
            Lazy::Subset(base) => arithmetic(*base, level + 1, other).filter(|n| *n < 31).map(|n| 1 << n),
            Lazy::Functions(domain, range) => {
                let (n, size) = (arithmetic(*domain, level + 1, other)?, arithmetic(*range, level + 1, other)?);
                (0..n.min(32)).try_fold(1, |result, _| product(result, size))
            }
            Lazy::Records(_, sets) | Lazy::Product(sets) => {
                sets.iter().try_fold(1, |result, set| product(result, arithmetic(*set, level + 1, other)?))
            }
            Lazy::Union(..) | Lazy::Intersection(..) | Lazy::Difference(..) | Lazy::BigUnion(_) | Lazy::Filter(..) => {
                other(s)
            }
            _ => None,
        },
        Value::Mixed(_) => other(s),
        _ => None,
    }
}

/// How many elements [`nth`] tells apart: the size of a set whose form is the product of others, up to 2^64.
pub fn countable<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Option<u64> {
    count_at(h, s, 0)
}

fn count_at<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, level: u32) -> Option<u64> {
    if level > 6 {
        return None;
    }
    match s {
        Value::Set(_) | Value::Mixed(_) | Value::Interval(_) => size_at(h, s, 0).ok()?.try_into().ok(),
        Value::Lazy(Lazy::Subset(base)) => 1u64.checked_shl(count_at(h, *base, level + 1)?.try_into().ok()?),
        Value::Lazy(Lazy::Functions(domain, range)) => {
            let (n, size) = (count_at(h, *domain, level + 1)?, count_at(h, *range, level + 1)?);
            size.checked_pow(n.try_into().ok()?)
        }
        Value::Lazy(Lazy::Records(_, sets) | Lazy::Product(sets)) => {
            sets.iter().try_fold(1u64, |n, set| n.checked_mul(count_at(h, *set, level + 1)?))
        }
        _ => None,
    }
}

/// An element by its number, which is below [`countable`]; different numbers give different elements.
///
/// # Errors
/// If a part of the set cannot be listed.
pub fn nth<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, mut number: u64) -> Result<Value<'a>> {
    // The next component, drawn from a set of which the number says the rest.
    let mut part = |h: &mut H, set: Value<'a>| {
        let size = countable(h, set).unwrap_or(1).max(1);
        let element = nth(h, set, number % size);
        number /= size;
        element
    };
    match s {
        Value::Lazy(Lazy::Subset(base)) => {
            let elements = elements_at(h, *base, 0)?;
            let chosen: Vec<Value<'a>> =
                elements.iter().enumerate().filter(|(i, _)| number >> i & 1 == 1).map(|(_, e)| *e).collect();
            let chosen = h.arena().alloc_slice_copy(&chosen);
            Ok(build::set_sorted(h, chosen))
        }
        Value::Lazy(Lazy::Functions(domain, range)) => {
            let domain = elements_at(h, *domain, 0)?;
            let values = domain.iter().map(|_| part(h, *range)).collect::<Result<Vec<_>>>()?;
            let values = h.arena().alloc_slice_copy(&values);
            Ok(build::function(h, domain, values))
        }
        Value::Lazy(Lazy::Records(fields, sets)) => {
            let values = sets.iter().map(|set| part(h, *set)).collect::<Result<Vec<_>>>()?;
            let values = h.arena().alloc_slice_copy(&values);
            Ok(build::record_with_shape(h, fields, values))
        }
        Value::Lazy(Lazy::Product(sets)) => {
            let values = sets.iter().map(|set| part(h, *set)).collect::<Result<Vec<_>>>()?;
            Ok(build::tuple_vec(h, values))
        }
        Value::Interval((low, _)) => Ok(Value::Int(low.saturating_add_unsigned(number))),
        _ => {
            let elements = elements_at(h, s, 0)?;
            match elements.get(usize::try_from(number).unwrap_or(usize::MAX)) {
                Some(element) => Ok(*element),
                None => without_size(h, s).map(|_| Value::Bool(false)),
            }
        }
    }
}

/// Whether the set has no element.
pub(crate) fn is_empty<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, depth: u32) -> Result<bool> {
    let mut elements = Elements::new_at(h, s, depth)?;
    Ok(elements.next(h)?.is_none())
}

/// Whether the set is finite, as far as TLC decides it.
pub(crate) fn is_finite_at<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, depth: u32) -> Result<bool> {
    let depth = deeper(h, depth)?;
    let Value::Lazy(lazy) = s else {
        return match s {
            Value::Set(_) | Value::Mixed(_) | Value::Interval(_) => Ok(true),
            Value::Tuple(_) | Value::Record(_) | Value::Function(_) => Ok(true),
            Value::Closure(_) => {
                let s = show(h, s);
                fail(format!("Attempted to check if the function:\n{s}\nis a finite set."))
            }
            _ => {
                let (what, s) = (what(s), show(h, s));
                fail(format!("Attempted to check if the {what} {s} is a finite set."))
            }
        };
    };
    match lazy {
        Lazy::Nat | Lazy::Int | Lazy::Real | Lazy::String | Lazy::Any | Lazy::Sequences(_) => Ok(false),
        Lazy::Subset(base) => is_finite_at(h, *base, depth),
        Lazy::Functions(a, b) | Lazy::Union(a, b) => Ok(is_finite_at(h, *a, depth)? && is_finite_at(h, *b, depth)?),
        Lazy::Records(_, sets) | Lazy::Product(sets) => {
            for set in *sets {
                if !is_finite_at(h, *set, depth)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Lazy::Intersection(a, b) if is_finite_at(h, *a, depth)? || is_finite_at(h, *b, depth)? => Ok(true),
        Lazy::Difference(a, _) if is_finite_at(h, *a, depth)? => Ok(true),
        Lazy::Difference(_, b) if is_finite_at(h, *b, depth)? => Ok(false),
        Lazy::Intersection(..) | Lazy::Difference(..) => {
            let s = show(h, s);
            fail(format!("Attempted to check if the set {s}is finite."))
        }
        Lazy::Filter(set, _) if is_finite_at(h, *set, depth)? => Ok(true),
        Lazy::Filter(set, _) => {
            let set = show(h, *set);
            let form =
                "Attempted to check if expression of form {x \\in S : p(x)} is a finite set, but cannot check if S:";
            fail(format!("{form}\n{set}\nis finite."))
        }
        Lazy::BigUnion(sets) if is_enumerable(*sets) => {
            let mut sets = Elements::new_at(h, *sets, depth)?;
            while let Some(set) = sets.next(h)? {
                if !is_finite_at(h, set, depth)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Lazy::BigUnion(sets) => {
            let sets = show(h, *sets);
            fail(format!("Attempted to check if the nonenumerable set:\nUNION({sets})\nis a finite set."))
        }
    }
}
