//! The image of points under a relation: what `{y \in S : <<x, y>> \in R}` is where R is a set of pairs.

use std::cmp::Ordering;

use crate::build;
use crate::compare::order;
use crate::functions::find;
use crate::host::{Host, Result};
use crate::value::{Set, Value};

/// The elements of `within` that the relation pairs with one of the points, the points being first. Pairs stand in the order of
/// their first components, so that only those of the points are looked at.
///
/// # Errors
/// TLC's for values that cannot be compared. `None` if not all that is looked at are pairs.
pub fn image<'a, H: Host<'a> + ?Sized>(
    h: &mut H,
    points: &[Value<'a>],
    relation: &'a Set<'a>,
    within: &'a Set<'a>,
) -> Result<Option<Value<'a>>> {
    let pairs = relation.elements;
    let mut kept = Vec::new();
    for point in points {
        let Some(mut at) = first_of(h, pairs, *point)? else { return Ok(None) };
        while let Some(pair) = pairs.get(at) {
            let Some([x, y]) = as_pair(*pair) else { return Ok(None) };
            if order::<false, H>(h, x, *point, 0)? != Ordering::Equal {
                break;
            }
            kept.extend(find(h, within.elements, y, 0)?);
            at += 1;
        }
    }
    kept.sort_unstable();
    kept.dedup();
    if kept.len() == within.elements.len() {
        return Ok(Some(Value::Set(within)));
    }
    let elements = h.arena().alloc_slice_fill_iter(kept.iter().map(|at| within.elements[*at]));
    Ok(Some(build::set_sorted(h, elements)))
}

/// Where the pairs begin whose first component is not less than the point.
fn first_of<'a, H: Host<'a> + ?Sized>(h: &mut H, pairs: &[Value<'a>], point: Value<'a>) -> Result<Option<usize>> {
    let (mut low, mut high) = (0, pairs.len());
    while low < high {
        let middle = (low + high) / 2;
        let Some([x, _]) = as_pair(pairs[middle]) else { return Ok(None) };
        match order::<false, H>(h, x, point, 0)? {
            Ordering::Less => low = middle + 1,
            _ => high = middle,
        }
    }
    Ok(Some(low))
}

fn as_pair(value: Value<'_>) -> Option<[Value<'_>; 2]> {
    match value {
        Value::Tuple(tuple) => tuple.elements.try_into().ok(),
        _ => None,
    }
}
