//! Sets: membership, inclusion, the Boolean operations, sizes and elements.
//!
//! TLC calls a set *reducible* when its elements are at hand (an enumerated set or an interval) and *enumerable* when it has a
//! way to list them (all but `Nat`, `Int`, `Real`, `STRING`, `Any` and `Seq(S)`; whether the listing succeeds shows on the way).
//! `\cup`, `\cap` and `\` compute at once if a side is reducible and stay symbolic otherwise; so does `UNION`, unless all
//! members are enumerated sets.

use std::cmp::Ordering;

use crate::build;
use crate::compare::{is_named, order};
use crate::fail::{fail, fail_code, show};
use crate::functions::{find, scan};
use crate::host::{Host, Result};
use crate::iterate::Elements;
use crate::limits::check_size;
use crate::symbol::Symbol;
use crate::value::{Lazy, Value};

pub(crate) use crate::membership::member_at;
pub use crate::membership::{member, undecided};
pub use crate::size::{countable, nth};
pub(crate) use crate::size::{is_empty, quiet_size, size_at, size_bound, size_hint};

/// Whether the value is a set of any form.
#[inline]
pub fn is_set(v: Value<'_>) -> bool {
    matches!(v, Value::Set(_) | Value::Mixed(_) | Value::Interval(_) | Value::Lazy(_))
}

/// Whether TLC can list the elements of the set (it may still fail on its way). False for values that are not sets.
#[inline]
pub fn is_enumerable(s: Value<'_>) -> bool {
    match s {
        Value::Set(_) | Value::Mixed(_) | Value::Interval(_) => true,
        Value::Lazy(lazy) => !is_named(lazy),
        _ => false,
    }
}

/// Whether the elements are at hand: TLC computes functions and filters over such sets at once, over others lazily.
#[inline]
pub fn is_reducible(s: Value<'_>) -> bool {
    matches!(s, Value::Set(_) | Value::Mixed(_) | Value::Interval(_))
}

/// The elements, sorted and without duplicates.
///
/// # Errors
/// TLC's when they cannot be listed or sorted, and when there are more than [`crate::host::Limits::set_size`].
#[inline]
pub fn elements<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<&'a [Value<'a>]> {
    elements_at(h, s, 0)
}

#[inline]
pub(crate) fn elements_at<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, depth: u32) -> Result<&'a [Value<'a>]> {
    match s {
        Value::Set(set) => Ok(set.elements),
        _ => listed(h, s, depth),
    }
}

fn listed<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>, depth: u32) -> Result<&'a [Value<'a>]> {
    match s {
        Value::Interval((lo, hi)) => {
            check_size(h, usize::try_from(hi.saturating_sub(*lo)).unwrap_or(usize::MAX).saturating_add(1))?;
            let values: Vec<Value<'a>> = (*lo..=*hi).map(Value::Int).collect();
            Ok(h.arena().alloc_slice_copy(&values))
        }
        Value::Mixed(items) => build::sorted(h, items, depth),
        _ => {
            if let Some(size) = size_hint(s) {
                check_size(h, usize::try_from(size).unwrap_or(usize::MAX))?;
            } else if countable_parts(s) {
                // More than can be counted. What fails in a part of it fails again where the part is gone through.
                match size_at(h, s, depth) {
                    Err(error) if error.around.is_empty() => return Err(error),
                    _ => {}
                }
            }
            let mut elements = Elements::new_at(h, s, depth)?;
            let mut values = Vec::new();
            while let Some(value) = elements.next(h)? {
                values.push(value);
                check_size(h, values.len())?;
            }
            if comes_sorted(s) { Ok(h.arena().alloc_slice_copy(&values)) } else { build::sorted(h, &values, depth) }
        }
    }
}

/// A set of subsets or functions whose size is a matter of arithmetic.
fn countable_parts(s: Value<'_>) -> bool {
    match s {
        Value::Lazy(Lazy::Subset(base)) => is_enumerable(*base),
        Value::Lazy(Lazy::Functions(domain, range)) => is_enumerable(*domain) && is_enumerable(*range),
        _ => false,
    }
}

/// Whether no more than `limit` elements have to be looked at to list the set, as far as its form tells.
pub fn is_small(s: Value<'_>, limit: usize) -> bool {
    match s {
        Value::Lazy(Lazy::Subset(_) | Lazy::Functions(..) | Lazy::Records(..) | Lazy::Product(_)) => {
            size_bound(s).is_some_and(|size| usize::try_from(size).is_ok_and(|size| size <= limit))
        }
        _ => is_enumerable(s),
    }
}

/// Whether more than `limit` elements have to be looked at to list the set, or more than can be counted, as far as its form tells.
pub fn is_large(s: Value<'_>, limit: usize) -> bool {
    let mut rest = vec![s];
    while let Some(s) = rest.pop() {
        match s {
            Value::Interval((low, high)) if high.saturating_sub(*low) >= limit as i64 => return true,
            Value::Lazy(lazy) => match lazy {
                Lazy::Filter(a, _) | Lazy::Difference(a, _) => rest.push(*a),
                Lazy::Intersection(a, b) => rest.push(if is_enumerable(*a) { *a } else { *b }),
                Lazy::Union(a, b) => rest.extend([*a, *b]),
                Lazy::Subset(_) | Lazy::Functions(..) | Lazy::Records(..) | Lazy::Product(_) if !is_small(s, limit) => {
                    return true;
                }
                _ => {}
            },
            _ => {}
        }
    }
    false
}

/// Whether [`Elements`] lists this set ascending and without duplicates.
pub fn comes_sorted(s: Value<'_>) -> bool {
    match s {
        Value::Lazy(lazy) => match lazy {
            Lazy::Functions(_, range) => comes_sorted(*range),
            Lazy::Records(_, sets) | Lazy::Product(sets) => sets.iter().all(|s| comes_sorted(*s)),
            Lazy::Intersection(a, b) => comes_sorted(if is_enumerable(*a) { *a } else { *b }),
            Lazy::Difference(a, _) | Lazy::Filter(a, _) => comes_sorted(*a),
            Lazy::Union(..) | Lazy::BigUnion(_) => false,
            _ => true,
        },
        _ => true,
    }
}

/// The set in enumerated form.
///
/// # Errors
/// Those of [`elements`].
pub fn to_enumerated<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    if let Value::Set(_) = s {
        return Ok(s);
    }
    let elements = elements(h, s)?;
    Ok(build::set_sorted(h, elements))
}

/// `a \subseteq b`.
///
/// # Errors
/// TLC's when `a` is not enumerable, or membership in `b` cannot be decided.
pub fn subset_eq<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<bool> {
    subset_eq_at(h, a, b, 0)
}

pub(crate) fn subset_eq_at<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: Value<'a>,
    b: Value<'a>,
    depth: u32,
) -> Result<bool> {
    match (a, b) {
        (Value::Set(x), Value::Set(y)) if std::ptr::eq(x, y) => return Ok(true),
        (Value::Set(x), Value::Set(y)) if x.elements.len() * 8 > y.elements.len() => {
            if let Ok(result) = included(h, x.elements, y.elements, depth) {
                return Ok(result);
            }
        }
        (Value::Interval(x), Value::Interval(y)) => return Ok(y.0 <= x.0 && x.1 <= y.1),
        (Value::Lazy(Lazy::Subset(x)), Value::Lazy(Lazy::Subset(y))) if is_enumerable(*x) => {
            let depth = crate::fail::deeper(h, depth)?;
            return subset_eq_at(h, *x, *y, depth);
        }
        _ => {}
    }
    if !is_enumerable(a) {
        return fail("Attempted to evaluate an expression of form S \\subseteq T, but S was not enumerable.");
    }
    let mut elements = Elements::new_at(h, a, depth)?;
    while let Some(element) = elements.next(h)? {
        if !member_at(h, element, b, depth)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether all of the sorted `a` are in the sorted `b`.
fn included<'a, H: Host<'a> + ?Sized>(h: &mut H, a: &[Value<'a>], b: &[Value<'a>], depth: u32) -> Result<bool> {
    let mut b = b.iter();
    for x in a {
        loop {
            let Some(y) = b.next() else { return Ok(false) };
            match order::<false, H>(h, *x, *y, depth)? {
                Ordering::Equal => break,
                Ordering::Less => return Ok(false),
                Ordering::Greater => {}
            }
        }
    }
    Ok(true)
}

/// The elements of a reducible set as TLC has them: those of a mixed one unsorted.
fn at_hand<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<&'a [Value<'a>]> {
    match s {
        Value::Mixed(items) => Ok(items),
        _ => elements(h, s),
    }
}

/// `a \cup b`.
///
/// # Errors
/// TLC's when elements of two enumerated sets cannot be compared.
pub fn union<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    let (a, b) = if !is_reducible(a) && is_reducible(b) { (b, a) } else { (a, b) };
    if !is_reducible(a) {
        return Ok(build::lazy(h, Lazy::Union(a, b)));
    }
    if matches!(a, Value::Set(s) if s.elements.is_empty()) {
        return Ok(b);
    }
    if !is_reducible(b) {
        return Ok(build::lazy(h, Lazy::Union(a, b)));
    }
    if matches!(b, Value::Set(s) if s.elements.is_empty()) && !matches!(a, Value::Interval(_)) {
        return Ok(a);
    }
    if let (Value::Set(x), Value::Set(y)) = (a, b)
        && let [element] = y.elements
        && let Ok(place) = locate(h, x.elements, *element)
    {
        return Ok(match place {
            Ok(_) => a,
            Err(i) => with_inserted(h, x.elements, i, *element),
        });
    }
    let (x, y) = (at_hand(h, a)?, elements(h, b)?);
    check_size(h, x.len() + y.len())?;
    if !matches!(a, Value::Mixed(_))
        && let Ok(merged) = build::merge(h, x, y, 0)
    {
        if merged.len() == x.len() && matches!(a, Value::Set(_)) {
            return Ok(a);
        }
        let merged = h.arena().alloc_slice_copy(&merged);
        return Ok(build::set_sorted(h, merged));
    }
    let mut all = x.to_vec();
    for element in y {
        if scan(h, x, *element, 0)?.is_none() {
            all.push(*element);
        }
    }
    build::set(h, all)
}

/// Where the value is in sorted elements, or where it belongs.
fn locate<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    sorted: &[Value<'a>],
    v: Value<'a>,
) -> Result<std::result::Result<usize, usize>> {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = (low + high) / 2;
        match order::<false, H>(h, v, sorted[middle], 0)? {
            Ordering::Equal => return Ok(Ok(middle)),
            Ordering::Less => high = middle,
            Ordering::Greater => low = middle + 1,
        }
    }
    Ok(Err(low))
}

fn with_inserted<'a, H: Host<'a> + ?Sized>(h: &mut H, sorted: &[Value<'a>], i: usize, v: Value<'a>) -> Value<'a> {
    let all = h.arena().alloc_slice_fill_with(sorted.len() + 1, |k| match k.cmp(&i) {
        Ordering::Less => sorted[k],
        Ordering::Equal => v,
        Ordering::Greater => sorted[k - 1],
    });
    build::set_sorted(h, all)
}

fn with_removed<'a, H: Host<'a> + ?Sized>(h: &mut H, sorted: &[Value<'a>], i: usize) -> Value<'a> {
    let all = h.arena().alloc_slice_fill_with(sorted.len() - 1, |k| sorted[if k < i { k } else { k + 1 }]);
    build::set_sorted(h, all)
}

/// `a \cap b`.
///
/// # Errors
/// TLC's when membership cannot be decided.
pub fn intersection<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    let (a, b) = if !is_reducible(a) && is_reducible(b) { (b, a) } else { (a, b) };
    if !is_reducible(a) {
        return Ok(build::lazy(h, Lazy::Intersection(a, b)));
    }
    selected(h, a, b, true)
}

/// `a \ b`.
///
/// # Errors
/// TLC's when membership cannot be decided.
pub fn difference<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>) -> Result<Value<'a>> {
    if !is_reducible(a) {
        return Ok(build::lazy(h, Lazy::Difference(a, b)));
    }
    if let (Value::Set(x), Value::Set(y)) = (a, b)
        && let [element] = y.elements
        && let Ok(place) = locate(h, x.elements, *element)
    {
        return Ok(match place {
            Ok(i) => with_removed(h, x.elements, i),
            Err(_) => a,
        });
    }
    selected(h, a, b, false)
}

/// The elements of the reducible `a` whose membership in `b` is as the flag says.
fn selected<'a, H: Host<'a> + ?Sized>(h: &mut H, a: Value<'a>, b: Value<'a>, flag: bool) -> Result<Value<'a>> {
    let all = at_hand(h, a)?;
    let mut kept = Vec::new();
    let merged = match (a, b) {
        (Value::Set(x), Value::Set(y)) if x.elements.len() > 4 && y.elements.len() > 4 => {
            split(h, x.elements, y.elements, flag, &mut kept).is_ok()
        }
        _ => false,
    };
    if !merged {
        kept.clear();
        for element in all {
            if member(h, *element, b)? == flag {
                kept.push(*element);
            }
        }
    }
    if let Value::Mixed(_) = a {
        return build::set(h, kept);
    }
    if kept.len() == all.len() && matches!(a, Value::Set(_)) {
        return Ok(a);
    }
    let kept = h.arena().alloc_slice_copy(&kept);
    Ok(build::set_sorted(h, kept))
}

/// Walks two sorted slices and keeps those of the first that are in the second, or those that are not.
fn split<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: &[Value<'a>],
    b: &[Value<'a>],
    flag: bool,
    kept: &mut Vec<Value<'a>>,
) -> Result<()> {
    let mut b = b.iter().peekable();
    for x in a {
        let mut found = false;
        while let Some(y) = b.peek() {
            match order::<false, H>(h, *x, **y, 0)? {
                Ordering::Less => break,
                Ordering::Greater => {
                    b.next();
                }
                Ordering::Equal => {
                    found = true;
                    break;
                }
            }
        }
        if found == flag {
            kept.push(*x);
        }
    }
    Ok(())
}

/// `UNION s`: computed at once if `s` and all its members are enumerated sets.
///
/// # Errors
/// TLC's when elements cannot be compared.
pub fn big_union<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<Value<'a>> {
    let members = match s {
        Value::Set(set) => set.elements,
        Value::Mixed(items) => items,
        _ => return Ok(build::lazy(h, Lazy::BigUnion(s))),
    };
    let mut all = Vec::new();
    for member in members {
        match member {
            Value::Set(set) => all.extend_from_slice(set.elements),
            Value::Mixed(items) => all.extend_from_slice(items),
            _ => return Ok(build::lazy(h, Lazy::BigUnion(s))),
        }
        check_size(h, all.len())?;
    }
    if members.len() == 1 && matches!(members.first(), Some(Value::Set(_))) {
        return Ok(members.first().copied().unwrap_or_else(build::empty_set));
    }
    let result = build::set(h, all.clone())?;
    let Value::Mixed(_) = result else {
        return Ok(result);
    };
    let mut distinct = Vec::new();
    for element in all {
        if scan(h, &distinct, element, 0)?.is_none() {
            distinct.push(element);
        }
    }
    build::set(h, distinct)
}

/// `Cardinality(s)`; sets of subsets, functions, records and tuples are counted by arithmetic.
///
/// # Errors
/// TLC's: not enumerable (2181), or more than 32 bits can count.
pub fn cardinality<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<i64> {
    if let Value::Set(set) = s {
        return Ok(set.elements.len() as i64);
    }
    if !is_enumerable(s) {
        let s = show(h, s);
        return fail_code(2181, format!("Attempted to compute cardinality of the value\n{s}"));
    }
    let method = "tlc2.value.impl.IntValue tlc2.module.FiniteSets.Cardinality(tlc2.value.impl.Value)";
    size_at(h, s, 0).map_err(|error| error.in_override(method))
}

/// `IsFiniteSet(s)`.
///
/// # Errors
/// TLC's for values that are not sets, and for sets that it cannot decide.
pub fn is_finite_set<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Result<bool> {
    let method = "tlc2.value.IBoolValue tlc2.module.FiniteSets.IsFiniteSet(tlc2.value.impl.Value)";
    crate::size::is_finite_at(h, s, 0).map_err(|error| error.in_override(method))
}

/// `SUBSET s`.
#[inline]
pub fn subset<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Value<'a> {
    build::lazy(h, Lazy::Subset(s))
}

/// `[domain -> range]`.
#[inline]
pub fn function_set<'a, H: Host<'a> + ?Sized>(h: &mut H, domain: Value<'a>, range: Value<'a>) -> Value<'a> {
    build::lazy(h, Lazy::Functions(domain, range))
}

/// `[f : S, g : T]`, the fields in any order; of two with the same name the first counts.
pub fn record_set<'a, H: Host<'a> + ?Sized>(h: &mut H, mut fields: Vec<(Symbol, Value<'a>)>) -> Value<'a> {
    fields.sort_by_key(|f| f.0);
    fields.dedup_by_key(|f| f.0);
    let names = h.arena().alloc_slice_fill_iter(fields.iter().map(|f| f.0));
    let sets = h.arena().alloc_slice_fill_iter(fields.iter().map(|f| f.1));
    build::lazy(h, Lazy::Records(names, sets))
}

/// `S \X T \X ...`.
#[inline]
pub fn product<'a, H: Host<'a> + ?Sized>(h: &mut H, sets: &[Value<'a>]) -> Value<'a> {
    let sets = h.arena().alloc_slice_copy(sets);
    build::lazy(h, Lazy::Product(sets))
}

/// `Seq(s)`.
#[inline]
pub fn sequences<'a, H: Host<'a> + ?Sized>(h: &mut H, s: Value<'a>) -> Value<'a> {
    build::lazy(h, Lazy::Sequences(s))
}

/// The position of a value in the elements of an enumerated set, for those who index by it.
///
/// # Errors
/// TLC's when the value cannot be compared with the elements.
pub fn position<'a, H: Host<'a> + ?Sized>(h: &mut H, sorted: &'a [Value<'a>], v: Value<'a>) -> Result<Option<usize>> {
    find(h, sorted, v, 0)
}
