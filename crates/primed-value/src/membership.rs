//! `e \in S` without ever listing a symbolic set.

use crate::build;
use crate::compare::equal_at;
use crate::error::EvalError;
use crate::fail::{deeper, fail, fail_code, show};
use crate::functions::{find, force, scan, sequence};
use crate::host::{Host, Result};
use crate::iterate::Elements;
use crate::sets::{is_enumerable, subset_eq_at};
use crate::symbol::Symbol;
use crate::value::{Closure, Lazy, ModelValue, Value};

/// `v \in s`.
///
/// # Errors
/// TLC's when the value is of a kind that cannot be in the set, or `s` is not a set.
#[inline]
pub fn member<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, s: Value<'a>) -> Result<bool> {
    member_at(h, v, s, 0)
}

#[inline]
pub(crate) fn member_at<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, s: Value<'a>, depth: u32) -> Result<bool> {
    match (s, v) {
        (Value::Set(set), _) => Ok(find(h, set.elements, v, depth)?.is_some()),
        (Value::Interval((lo, hi)), Value::Int(i)) => Ok(*lo <= i && i <= *hi),
        (Value::Lazy(Lazy::Nat), Value::Int(i)) => Ok(i >= 0),
        (Value::Lazy(Lazy::Int), Value::Int(_)) => Ok(true),
        (Value::Lazy(Lazy::String), Value::String(_)) => Ok(true),
        _ => member_in(h, v, s, depth),
    }
}

fn member_in<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, s: Value<'a>, depth: u32) -> Result<bool> {
    match (s, v) {
        (Value::Mixed(items), _) => Ok(scan(h, items, v, depth)?.is_some()),
        (Value::Interval(_), Value::Model(m)) if m.kind == 0 => Ok(false),
        (Value::Interval(_), _) => {
            let (v, s) = (show(h, v), show(h, s));
            fail(format!("Attempted to check if the value:\n{v}\nis in the integer interval {s}"))
        }
        (Value::Lazy(lazy), _) => {
            let depth = deeper(h, depth)?;
            member_lazy(h, v, s, lazy, depth)
        }
        _ => not_a_set(h, v, s),
    }
}

fn member_lazy<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    v: Value<'a>,
    s: Value<'a>,
    lazy: &'a Lazy<'a>,
    depth: u32,
) -> Result<bool> {
    match lazy {
        Lazy::Any => Ok(true),
        Lazy::Nat | Lazy::Int | Lazy::Real | Lazy::String => match v {
            Value::Model(m) => model(h, m, s),
            _ => not_an_element(h, v, s),
        },
        Lazy::Sequences(set) => match (sequence(h, v)?, v) {
            (Some(elements), _) => all_members(h, elements, *set, depth),
            (None, Value::Model(m)) => model(h, m, s),
            _ => not_an_element(h, v, s),
        },
        Lazy::Subset(set) if is_enumerable(v) => subset_eq_at(h, v, *set, depth),
        Lazy::Subset(_) => {
            let (v, s) = (show(h, v), show(h, s));
            fail(format!("Attempted to check if the non-enumerable value\n{v}\nis element of\n{s}"))
        }
        Lazy::Functions(domain, range) => member_functions(h, v, s, *domain, *range, depth),
        Lazy::Records(fields, sets) => member_records(h, v, s, fields, sets, depth),
        Lazy::Product(sets) => member_product(h, v, s, sets, depth),
        Lazy::Union(a, b) => Ok(member_at(h, v, *a, depth)? || member_at(h, v, *b, depth)?),
        Lazy::Intersection(a, b) => Ok(member_at(h, v, *a, depth)? && member_at(h, v, *b, depth)?),
        Lazy::Difference(a, b) => Ok(member_at(h, v, *a, depth)? && !member_at(h, v, *b, depth)?),
        Lazy::BigUnion(sets) => member_union(h, v, s, *sets, depth),
        Lazy::Filter(set, closure) => Ok(member_at(h, v, *set, depth)? && holds(h, closure, v, *set)?),
    }
}

fn holds<'a, H: Host<'a> + ?Sized>(h: &mut H, closure: &'a Closure<'a>, v: Value<'a>, set: Value<'a>) -> Result<bool> {
    match h.call(closure, v) {
        Ok(Value::Bool(result)) => Ok(result),
        Ok(_) => fail(format!("The evaluation of predicate {} yielded non-Boolean value.", h.described(closure))),
        Err(error) => Err(undecided(h, v, set, error)),
    }
}

/// The error of a predicate that was to tell whether a value is in a filtered set. What the operators of TLC's modules, and its
/// Assert, complain of is not told any more.
#[cold]
pub fn undecided<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    v: Value<'a>,
    set: Value<'a>,
    error: Box<EvalError>,
) -> Box<EvalError> {
    if !error.is_of_module() {
        return error;
    }
    let (v, set) = (show(h, v), show(h, set));
    let message = format!("Cannot decide if element:\n{v}\n is element of:\n{set}\nand satisfies the predicate");
    EvalError::new(crate::fail::GENERAL, message)
}

fn all_members<'a, H: Host<'a> + ?Sized>(h: &mut H, values: &[Value<'a>], set: Value<'a>, depth: u32) -> Result<bool> {
    for value in values {
        if !member_at(h, *value, set, depth)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn member_functions<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    v: Value<'a>,
    s: Value<'a>,
    domain: Value<'a>,
    range: Value<'a>,
    depth: u32,
) -> Result<bool> {
    let v = force(h, v)?;
    let (same, values) = match v {
        Value::Tuple(t) => (is_positions(h, t.elements.len(), domain, depth)?, t.elements),
        Value::Record(r) => (is_fields(h, r.fields, domain, depth)?, r.values),
        Value::Function(f) => match domain {
            Value::Set(set) if std::ptr::eq(set.elements, f.domain) => (true, f.values),
            _ => {
                let own = build::set_sorted(h, f.domain);
                (equal_at(h, domain, own, depth)?, f.values)
            }
        },
        Value::Model(m) => return model(h, m, s),
        _ => {
            let (v, s) = (show(h, v), show(h, s));
            let text = "which is not a TLC function value, is in the set of functions:";
            return fail(format!("Attempted to check if \n{v}\n{text}\n{s}"));
        }
    };
    Ok(same && all_members(h, values, range, depth)?)
}

/// Whether the domain is `1..n`.
fn is_positions<'a, H: Host<'a> + ?Sized>(h: &mut H, n: usize, domain: Value<'a>, depth: u32) -> Result<bool> {
    if let Value::Interval((lo, hi)) = domain {
        return Ok(*lo == 1 && usize::try_from(*hi) == Ok(n));
    }
    let own = build::interval(h, 1, n as i64);
    equal_at(h, own, domain, depth)
}

/// Whether the domain is the set of these names.
fn is_fields<'a, H: Host<'a> + ?Sized>(h: &mut H, fields: &[Symbol], domain: Value<'a>, depth: u32) -> Result<bool> {
    if let Value::Set(set) = domain
        && set.elements.len() == fields.len()
        && set.elements.iter().zip(fields).all(|(e, f)| matches!(e, Value::String(s) if s == f))
    {
        return Ok(true);
    }
    let own = h.arena().alloc_slice_fill_iter(fields.iter().map(|f| Value::String(*f)));
    let own = build::set_sorted(h, own);
    equal_at(h, domain, own, depth)
}

fn member_records<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    v: Value<'a>,
    s: Value<'a>,
    fields: &[Symbol],
    sets: &[Value<'a>],
    depth: u32,
) -> Result<bool> {
    match force(h, v)? {
        Value::Record(r) => {
            if r.fields.len() != fields.len() {
                return Ok(false);
            }
            for (((own, value), field), set) in r.fields.iter().zip(r.values).zip(fields).zip(sets) {
                if own != field || !member_at(h, *value, *set, depth)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Value::Tuple(t) if t.elements.is_empty() => Ok(fields.is_empty()),
        Value::Model(m) => model(h, m, s),
        v => {
            let (v, s) = (show(h, v), show(h, s));
            fail(format!("Attempted to check if non-record\n{v}\nis in the set of records:\n{s}"))
        }
    }
}

fn member_product<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    v: Value<'a>,
    s: Value<'a>,
    sets: &[Value<'a>],
    depth: u32,
) -> Result<bool> {
    match force(h, v)? {
        Value::Tuple(t) => {
            if t.elements.len() != sets.len() {
                return Ok(false);
            }
            for (value, set) in t.elements.iter().zip(sets) {
                if !member_at(h, *value, *set, depth)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Value::Function(f) if f.domain.iter().all(|key| matches!(key, Value::Int(_))) => Ok(false),
        Value::Model(m) => model(h, m, s),
        v => {
            let (v, s) = (show(h, v), show(h, s));
            fail(format!("Attempted to check if non-tuple\n{v}\nis in the set of tuples:\n{s}"))
        }
    }
}

fn member_union<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    v: Value<'a>,
    s: Value<'a>,
    sets: Value<'a>,
    depth: u32,
) -> Result<bool> {
    if !is_enumerable(sets) {
        let (v, sets) = (show(h, v), show(h, sets));
        let _ = s;
        return fail(format!("Attempted to check if:\n {v}\nis an element of the non-enumerable set:\n UNION({sets})"));
    }
    let mut sets = Elements::new_at(h, sets, depth)?;
    while let Some(set) = sets.next(h)? {
        if member_at(h, v, set, depth)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A model value in a set of other values: an untyped one never is, a typed one may not be asked for.
fn model<'a, H: Host<'a> + ?Sized>(h: &mut H, m: ModelValue, s: Value<'a>) -> Result<bool> {
    if m.kind == 0 {
        return Ok(false);
    }
    let (v, s) = (show(h, Value::Model(m)), show(h, s));
    fail(format!("Attempted to check if the typed model value {v} is an element of\n{s}"))
}

#[cold]
fn not_an_element<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, s: Value<'a>) -> Result<bool> {
    let (v, s) = (show(h, v), show(h, s));
    fail_code(2158, format!("Attempted to check if the value:\n{v}\nis an element of {s}."))
}

#[cold]
fn not_a_set<'a, H: Host<'a> + ?Sized>(h: &mut H, v: Value<'a>, s: Value<'a>) -> Result<bool> {
    let what = match s {
        Value::Bool(_) => "boolean",
        Value::Int(_) => "integer",
        Value::String(_) => "string",
        Value::Model(_) => "model value",
        Value::Tuple(_) => return fail("Attempted to check set membership in a tuple value."),
        Value::Record(_) => {
            let (v, s) = (show(h, v), show(h, s));
            return fail(format!("Attempted to check if element:\n{v}\nis in the record:\n{s}"));
        }
        _ => "function",
    };
    let (v, s) = (show(h, v), show(h, s));
    fail(format!("Attempted to check if the value:\n{v}\nis an element of the {what} {s}"))
}
