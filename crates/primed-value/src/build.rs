//! Making values in their one form.
//!
//! Everything here keeps the two INVARIANTs of [`crate::value`]: functions over `1..n` become tuples, functions over non-empty
//! sets of strings records; sets are sorted and free of duplicates, or [`Value::Mixed`] when TLC could not sort them.

use std::cmp::Ordering;

use crate::compare::order;
use crate::error::{EvalError, EvalErrorKind};
use crate::fail::{fail, show};
use crate::host::{Host, Result};
use crate::limits::check_size;
use crate::symbol::Symbol;
use crate::value::{Cached, Closure, Function, Lazy, Record, Set, Tuple, Value};

/// Sets of at most this size are sorted by TLC's own insertions, comparison by comparison, so that errors are the same.
const INSERTION: usize = 16;

/// The sequence of the items.
#[inline]
pub fn tuple<'a, H: Host<'a> + ?Sized>(h: &mut H, items: &[Value<'a>]) -> Value<'a> {
    let items = h.arena().alloc_slice_copy(items);
    tuple_of(h, items)
}

/// The sequence of the items.
#[inline]
pub fn tuple_vec<'a, H: Host<'a> + ?Sized>(h: &mut H, items: Vec<Value<'a>>) -> Value<'a> {
    tuple(h, &items)
}

/// The sequence of items that are in the arena already.
#[inline]
pub fn tuple_of<'a, H: Host<'a> + ?Sized>(h: &mut H, items: &'a [Value<'a>]) -> Value<'a> {
    Value::Tuple(h.arena().alloc(Tuple { hash: Cached::new(), elements: items }))
}

/// The set `{items}`: sorted, without duplicates; [`Value::Mixed`] in the order written if the items cannot be sorted.
///
/// # Errors
/// Only when the set is too large, or the items are nested too deep.
pub fn set<'a, H: Host<'a> + ?Sized>(h: &mut H, mut items: Vec<Value<'a>>) -> Result<Value<'a>> {
    check_size(h, items.len())?;
    if sort_scalars(&mut items) {
        let items = h.arena().alloc_slice_copy(&items);
        return Ok(set_sorted(h, items));
    }
    match sorted(h, &items, 0) {
        Ok(items) => Ok(set_sorted(h, items)),
        Err(error) if !matches!(error.kind, EvalErrorKind::Evaluation | EvalErrorKind::Assert) => Err(error),
        // TLC sorts the set when it is used.
        Err(_) => {
            let items: &[Value<'a>] = h.arena().alloc_slice_copy(&items);
            Ok(Value::Mixed(h.arena().alloc(items)))
        }
    }
}

/// Sorts items that are all integers, all strings or all Booleans, and removes duplicates; false if they are not.
fn sort_scalars(items: &mut Vec<Value<'_>>) -> bool {
    match items.first() {
        None => true,
        Some(Value::Int(_)) => sort_by_key(items, |v| if let Value::Int(i) = v { Some(*i) } else { None }),
        Some(Value::String(_)) => sort_by_key(items, |v| if let Value::String(s) = v { Some(*s) } else { None }),
        Some(Value::Bool(_)) => sort_by_key(items, |v| if let Value::Bool(b) = v { Some(*b) } else { None }),
        _ => false,
    }
}

fn sort_by_key<'a, K: Ord>(items: &mut Vec<Value<'a>>, key: impl Fn(&Value<'a>) -> Option<K>) -> bool {
    let (mut all, mut ordered) = (true, true);
    let mut last = None;
    for item in items.iter() {
        let now = key(item);
        all = all && now.is_some();
        ordered = ordered && last < now;
        last = now;
    }
    if all && !ordered {
        items.sort_unstable_by_key(&key);
        items.dedup_by(|a, b| key(a) == key(b));
    }
    all
}

/// The items sorted, without duplicates, in the arena.
///
/// # Errors
/// TLC's when it cannot compare two of them.
pub(crate) fn sorted<'a, H: Host<'a> + ?Sized>(h: &mut H, items: &[Value<'a>], depth: u32) -> Result<&'a [Value<'a>]> {
    if items.len() > INSERTION
        && let Ok(sorted) = merge_sort(h, items.to_vec(), depth)
    {
        return Ok(h.arena().alloc_slice_copy(&sorted));
    }
    let sorted = insertion_sort(h, items, depth).map_err(EvalError::in_made)?;
    Ok(h.arena().alloc_slice_copy(&sorted))
}

/// TLC's binary insertion, which says which two elements meet first.
fn insertion_sort<'a, H: Host<'a> + ?Sized>(h: &mut H, items: &[Value<'a>], depth: u32) -> Result<Vec<Value<'a>>> {
    let mut sorted: Vec<Value<'a>> = Vec::with_capacity(items.len());
    for item in items {
        let (mut low, mut high) = (0, sorted.len());
        while low < high {
            let middle = (low + high) / 2;
            match order::<false, H>(h, *item, sorted[middle], depth)? {
                Ordering::Equal => break,
                Ordering::Less => high = middle,
                Ordering::Greater => low = middle + 1,
            }
        }
        if low == high {
            sorted.insert(low, *item);
        }
    }
    Ok(sorted)
}

/// A bottom-up merge sort that drops duplicates on its way.
fn merge_sort<'a, H: Host<'a> + ?Sized>(h: &mut H, items: Vec<Value<'a>>, depth: u32) -> Result<Vec<Value<'a>>> {
    let mut runs: Vec<Vec<Value<'a>>> = Vec::new();
    for item in items {
        // Runs that are in order already are taken as they are.
        match runs.last_mut() {
            Some(run) if let Some(last) = run.last().copied() => match order::<false, H>(h, last, item, depth)? {
                Ordering::Less => run.push(item),
                Ordering::Equal => {}
                Ordering::Greater => runs.push(vec![item]),
            },
            _ => runs.push(vec![item]),
        }
    }
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len().div_ceil(2));
        let mut halves = runs.into_iter();
        while let Some(left) = halves.next() {
            merged.push(match halves.next() {
                Some(right) => merge(h, &left, &right, depth)?,
                None => left,
            });
        }
        runs = merged;
    }
    Ok(runs.pop().unwrap_or_default())
}

/// The union of two sorted slices.
pub(crate) fn merge<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    a: &[Value<'a>],
    b: &[Value<'a>],
    depth: u32,
) -> Result<Vec<Value<'a>>> {
    let mut result = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a, b);
    while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
        match order::<false, H>(h, *x, *y, depth)? {
            Ordering::Less => {
                result.push(*x);
                a = rest_a;
            }
            Ordering::Greater => {
                result.push(*y);
                b = rest_b;
            }
            Ordering::Equal => {
                result.push(*x);
                (a, b) = (rest_a, rest_b);
            }
        }
    }
    result.extend_from_slice(a);
    result.extend_from_slice(b);
    Ok(result)
}

/// The set of elements that are sorted and free of duplicates already.
#[inline]
pub fn set_sorted<'a, H: Host<'a> + ?Sized>(h: &mut H, elements: &'a [Value<'a>]) -> Value<'a> {
    if elements.is_empty() {
        return empty_set();
    }
    Value::Set(h.arena().alloc(Set { hash: Cached::new(), elements }))
}

/// `{}`.
#[inline]
pub fn empty_set<'a>() -> Value<'a> {
    static EMPTY: Set<'static> = Set { hash: Cached::new(), elements: &[] };
    Value::Set(&EMPTY)
}

/// `<<>>`.
#[inline]
pub fn empty_tuple<'a>() -> Value<'a> {
    static EMPTY: Tuple<'static> = Tuple { hash: Cached::new(), elements: &[] };
    Value::Tuple(&EMPTY)
}

/// `lo..hi`.
#[inline]
pub fn interval<'a, H: Host<'a> + ?Sized>(h: &mut H, lo: i64, hi: i64) -> Value<'a> {
    if lo > hi { empty_set() } else { Value::Interval(h.arena().alloc((lo, hi))) }
}

/// `BOOLEAN`.
pub fn booleans<'a, H: Host<'a> + ?Sized>(h: &mut H) -> Value<'a> {
    let elements = h.arena().alloc_slice_copy(&[Value::Bool(false), Value::Bool(true)]);
    set_sorted(h, elements)
}

/// The record with these fields; of two with the same name the first counts. Without fields it is the empty function.
pub fn record<'a, H: Host<'a> + ?Sized>(h: &mut H, mut fields: Vec<(Symbol, Value<'a>)>) -> Value<'a> {
    if !fields.windows(2).all(|w| w[0].0 < w[1].0) {
        fields.sort_by_key(|f| f.0);
        fields.dedup_by_key(|f| f.0);
    }
    let names = h.arena().alloc_slice_fill_iter(fields.iter().map(|f| f.0));
    let values = h.arena().alloc_slice_fill_iter(fields.iter().map(|f| f.1));
    record_with_shape(h, names, values)
}

/// The record with sorted names and one value for each.
#[inline]
pub fn record_with_shape<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    fields: &'a [Symbol],
    values: &'a [Value<'a>],
) -> Value<'a> {
    if fields.is_empty() {
        return empty_tuple();
    }
    Value::Record(h.arena().alloc(Record { hash: Cached::new(), fields, values }))
}

/// The function with a sorted domain and one value for each element of it.
pub fn function<'a, H: Host<'a> + ?Sized>(h: &mut H, domain: &'a [Value<'a>], values: &'a [Value<'a>]) -> Value<'a> {
    let positions = (1..).zip(domain).all(|(i, key)| matches!(key, Value::Int(k) if *k == i));
    if positions {
        return tuple_of(h, values);
    }
    if domain.iter().all(|key| matches!(key, Value::String(_))) {
        let symbols = domain.iter().filter_map(|key| if let Value::String(s) = key { Some(*s) } else { None });
        let fields: Vec<Symbol> = symbols.collect();
        let fields = h.arena().alloc_slice_copy(&fields);
        return record_with_shape(h, fields, values);
    }
    Value::Function(h.arena().alloc(Function { hash: Cached::new(), domain, values }))
}

/// The function that maps each key to its value; for equal keys the first counts.
///
/// # Errors
/// TLC's when two keys cannot be compared.
pub fn function_from_pairs<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    pairs: Vec<(Value<'a>, Value<'a>)>,
) -> Result<Value<'a>> {
    let mut sorted: Vec<(Value<'a>, Value<'a>)> = Vec::with_capacity(pairs.len());
    for (key, value) in pairs {
        let (mut low, mut high) = (0, sorted.len());
        // Keys mostly come in order.
        if let Some((last, _)) = sorted.last()
            && order::<false, H>(h, key, *last, 0)?.is_gt()
        {
            low = high;
        }
        while low < high {
            let middle = (low + high) / 2;
            match order::<false, H>(h, key, sorted[middle].0, 0)? {
                Ordering::Equal => break,
                Ordering::Less => high = middle,
                Ordering::Greater => low = middle + 1,
            }
        }
        if low == high {
            sorted.insert(low, (key, value));
        }
    }
    let domain = h.arena().alloc_slice_fill_iter(sorted.iter().map(|p| p.0));
    let values = h.arena().alloc_slice_fill_iter(sorted.iter().map(|p| p.1));
    Ok(function(h, domain, values))
}

/// A set known by a rule.
#[inline]
pub fn lazy<'a, H: Host<'a> + ?Sized>(h: &mut H, lazy: Lazy<'a>) -> Value<'a> {
    Value::Lazy(h.arena().alloc(lazy))
}

/// A function not yet computed.
#[inline]
pub fn closure<'a, H: Host<'a> + ?Sized>(h: &mut H, closure: Closure<'a>) -> Value<'a> {
    Value::Closure(h.arena().alloc(closure))
}

/// The string with this text.
#[inline]
pub fn string<'a, H: Host<'a> + ?Sized>(h: &mut H, text: &str) -> Value<'a> {
    Value::String(h.symbols().intern(text))
}

/// The field names of a record constructor: an error if one occurs twice.
///
/// # Errors
/// TLC's, naming the field.
pub fn check_fields<'a, H: Host<'a> + ?Sized>(h: &mut H, sorted: &[Symbol]) -> Result<()> {
    match sorted.windows(2).find(|w| w[0] == w[1]) {
        None => Ok(()),
        Some(twice) => {
            let name = show(h, Value::String(twice[0]));
            fail(format!("Field name {} occurs multiple times in record.", name.trim_matches('"')))
        }
    }
}
