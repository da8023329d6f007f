//! Randomization. Everything comes from the environment's own stream of random numbers.

use primed_value::host::Result;
use primed_value::value::Value;
use primed_value::{build, sets};

use super::complaints::{argument, in_java};
use super::tlc::random;
use super::{Entry, Native, momentary};
use crate::env::Env;

/// Module Randomization.
pub(super) const RANDOMIZATION: &[Entry] = &[
    momentary("RandomSubset", Native::Two(subset)),
    momentary("RandomSetOfSubsets", Native::Three(set_of_subsets)),
    momentary("TestRandomSetOfSubsets", Native::Three(test)),
];

/// A number below `bound`, which is not 0.
fn below(env: &mut Env<'_>, bound: usize) -> usize {
    (random(env) % bound.max(1) as u64) as usize
}

/// `RandomSubset(k, S)`: k elements, or all if there are fewer.
fn subset<'a>(env: &mut Env<'a>, size: Value<'a>, set: Value<'a>) -> Result<Value<'a>> {
    let Value::Int(wanted) = size else {
        return Err(argument(env, "first", "RandomSubset", "nonnegative integer", size));
    };
    if !sets::is_enumerable(set) {
        return Err(argument(env, "second", "RandomSubset", "a finite set", set));
    }
    let Ok(wanted) = usize::try_from(wanted) else {
        let values = "(tlc2.value.impl.Value,tlc2.value.impl.Value)";
        let method = format!("tlc2.value.impl.Value tlc2.module.Randomization.RandomSubset{values}");
        return Err(in_java(&method, &wanted.to_string()));
    };
    if let Some(size) = sets::countable(env, set).filter(|n| *n > env.limits.set_size as u64) {
        return of_many(env, wanted, set, size);
    }
    let mut elements = sets::elements(env, set)?.to_vec();
    let count = wanted.min(elements.len());
    for i in 0..count {
        let other = i + below(env, elements.len() - i);
        elements.swap(i, other);
    }
    elements.truncate(count);
    build::set(env, elements)
}

/// Some elements of a set that is too large to be listed: their numbers are drawn until there are enough different ones.
fn of_many<'a>(env: &mut Env<'a>, wanted: usize, set: Value<'a>, size: u64) -> Result<Value<'a>> {
    primed_value::limits::check_size(env, wanted)?;
    let mut drawn = std::collections::BTreeSet::new();
    while drawn.len() < wanted {
        let number = random(env) % size;
        drawn.insert(number);
    }
    let mut elements = Vec::with_capacity(wanted);
    for number in drawn {
        elements.push(sets::nth(env, set, number)?);
    }
    build::set(env, elements)
}

/// `RandomSetOfSubsets(k, n, S)`: k times a subset in which each element is with probability n / Cardinality(S).
fn set_of_subsets<'a>(env: &mut Env<'a>, picks: Value<'a>, mean: Value<'a>, set: Value<'a>) -> Result<Value<'a>> {
    const NAME: &str = "RandomSetOfSubsets";
    const NATURAL: &str = "nonnegative integer";
    let Value::Int(wanted @ 0..) = picks else { return Err(argument(env, "first", NAME, NATURAL, picks)) };
    let Value::Int(average @ 0..) = mean else { return Err(argument(env, "second", NAME, NATURAL, mean)) };
    if !sets::is_enumerable(set) {
        return Err(argument(env, "third", NAME, "finite set", set));
    }
    let elements = sets::elements(env, set)?;
    let size = elements.len() as i64;
    if size < 31 && wanted > 1 << size {
        let kind = format!("{NATURAL} that is smaller than the subset's size of 2^{size}");
        return Err(argument(env, "first", NAME, &kind, picks));
    }
    // Of an empty set, 0/0 is no probability in Java but passes both comparisons.
    if size < average {
        let kind = format!("{NATURAL} in range 0..Cardinality(S)");
        return Err(argument(env, "second", NAME, &kind, mean));
    }
    let mut subsets = Vec::new();
    for _ in 0..wanted {
        let mut picked = Vec::new();
        for element in elements {
            if (below(env, elements.len()) as i64) < average {
                picked.push(*element);
            }
        }
        let picked = env.copied(&picked);
        subsets.push(build::set_sorted(env, picked));
        primed_value::limits::check_memory(env)?;
    }
    build::set(env, subsets)
}

/// The sizes of five such sets.
fn test<'a>(env: &mut Env<'a>, picks: Value<'a>, mean: Value<'a>, set: Value<'a>) -> Result<Value<'a>> {
    let mut sizes = Vec::with_capacity(5);
    for _ in 0..5 {
        let subsets = set_of_subsets(env, picks, mean, set)?;
        sizes.push(Value::Int(sets::cardinality(env, subsets)?));
    }
    Ok(build::tuple_vec(env, sizes))
}
