//! SequencesExt. `text.rs` has what works on strings too.

use primed_value::host::Result;
use primed_value::value::Value;
use primed_value::{build, compare, functions, sequences as ops, sets};

use super::complaints::{argument, not_a_test, not_in_domain, only, too_few, wrong_value};
use super::{Entry, Native, functions_ext, pure, text};
use crate::env::Env;
use crate::nodes::calls::Operator;

/// Module SequencesExt.
pub(super) const SEQUENCES_EXT: &[Entry] = &[
    pure("ToSet", Native::One(to_set)),
    pure("SetToSeq", Native::One(from_set)),
    pure("SetToSeqs", Native::One(all_orders)),
    pure("Contains", Native::Two(contains)),
    pure("Reverse", Native::One(|e, s| ops::reverse(e, s))),
    pure("Front", Native::One(front)),
    pure("Last", Native::One(last)),
    pure("LongestCommonPrefix", Native::One(text::longest_common_prefix)),
    pure("IsPrefix", Native::Two(text::is_prefix)),
    pure("ReplaceFirstSubSeq", Native::Three(|e, r, s, t| text::replace(e, [r, s, t], false))),
    pure("ReplaceAllSubSeqs", Native::Three(|e, r, s, t| text::replace(e, [r, s, t], true))),
    pure("RemoveFirst", Native::Two(remove_first)),
    pure("RemoveFirstMatch", Native::With(remove_first_match)),
    pure("Suffixes", Native::One(suffixes)),
    pure("AllSubSeqs", Native::One(all_parts)),
    pure("FoldSeq", Native::With(|e, o, a| functions_ext::fold(e, o, a, "FoldSeq"))),
    pure("FoldLeft", Native::With(|e, o, a| fold_left(e, o, a, false))),
    pure("FoldLeftDomain", Native::With(|e, o, a| fold_left(e, o, a, true))),
    pure("FoldRight", Native::With(|e, o, a| fold_right(e, o, a, false))),
    pure("FoldRightDomain", Native::With(|e, o, a| fold_right(e, o, a, true))),
    pure("SelectInSeq", Native::With(|e, o, a| select(e, o, a, false))),
    pure("SelectLastInSeq", Native::With(|e, o, a| select(e, o, a, true))),
    pure("SelectInSubSeq", Native::With(|e, o, a| select_part(e, o, a, false))),
    pure("SelectLastInSubSeq", Native::With(|e, o, a| select_part(e, o, a, true))),
];

/// The elements of the only argument.
fn elements<'a>(env: &mut Env<'a>, operator: &str, value: Value<'a>) -> Result<&'a [Value<'a>]> {
    match functions::sequence(env, value)? {
        Some(elements) => Ok(elements),
        None => Err(only(env, operator, "sequence", value)),
    }
}

/// The elements of the first, second, ... argument.
fn elements_of<'a>(env: &mut Env<'a>, which: &str, operator: &str, value: Value<'a>) -> Result<&'a [Value<'a>]> {
    match functions::sequence(env, value)? {
        Some(elements) => Ok(elements),
        None => Err(argument(env, which, operator, "sequence", value)),
    }
}

/// The values of a sequence or any other function.
fn to_set<'a>(env: &mut Env<'a>, value: Value<'a>) -> Result<Value<'a>> {
    match functions::pairs(env, value)? {
        Some(pairs) => build::set(env, pairs.into_iter().map(|p| p.1).collect()),
        None => functions::domain(env, value),
    }
}

fn from_set<'a>(env: &mut Env<'a>, set: Value<'a>) -> Result<Value<'a>> {
    let elements = sets::elements(env, set)?;
    Ok(build::tuple_of(env, elements))
}

/// All sequences of the elements, each once; the orders of sorted elements come sorted.
fn all_orders<'a>(env: &mut Env<'a>, set: Value<'a>) -> Result<Value<'a>> {
    if !sets::is_enumerable(set) {
        return Err(wrong_value(env, "SetToSeqs", "a finite set", set));
    }
    let elements = sets::elements(env, set)?;
    let factorial = (1..=elements.len()).try_fold(1usize, |n, k| n.checked_mul(k));
    primed_value::limits::check_size(env, factorial.unwrap_or(usize::MAX))?;
    let mut all = Vec::new();
    let mut order = Vec::with_capacity(elements.len());
    arrange(elements, &mut vec![false; elements.len()], &mut order, &mut |order| all.push(build::tuple(env, order)));
    let all = env.copied(&all);
    Ok(build::set_sorted(env, all))
}

fn arrange<'a>(
    elements: &[Value<'a>],
    used: &mut [bool],
    order: &mut Vec<Value<'a>>,
    each: &mut dyn FnMut(&[Value<'a>]),
) {
    if order.len() == elements.len() {
        return each(order);
    }
    for (i, element) in elements.iter().enumerate() {
        if used.get(i).is_none_or(|used| *used) {
            continue;
        }
        used.iter_mut().skip(i).take(1).for_each(|u| *u = true);
        order.push(*element);
        arrange(elements, used, order, each);
        order.pop();
        used.iter_mut().skip(i).take(1).for_each(|u| *u = false);
    }
}

fn contains<'a>(env: &mut Env<'a>, sequence: Value<'a>, element: Value<'a>) -> Result<Value<'a>> {
    for other in elements(env, "Contains", sequence)? {
        if compare::equal(env, *other, element)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

/// All but the last element; TLC has this as it is defined, by `SubSeq`, also on strings.
fn front<'a>(env: &mut Env<'a>, sequence: Value<'a>) -> Result<Value<'a>> {
    let Value::Int(length) = ops::len(env, sequence)? else { return Err(too_few("Front")) };
    ops::subseq(env, sequence, Value::Int(1), Value::Int(length - 1))
}

fn last<'a>(env: &mut Env<'a>, sequence: Value<'a>) -> Result<Value<'a>> {
    let length = ops::len(env, sequence)?;
    functions::apply(env, sequence, length)
}

fn without<'a>(env: &mut Env<'a>, elements: &'a [Value<'a>], at: usize) -> Value<'a> {
    let (before, from) = elements.split_at(at);
    let rest: Vec<_> = before.iter().chain(from.iter().skip(1)).copied().collect();
    build::tuple_vec(env, rest)
}

fn remove_first<'a>(env: &mut Env<'a>, sequence: Value<'a>, element: Value<'a>) -> Result<Value<'a>> {
    let elements = elements_of(env, "first", "RemoveFirst", sequence)?;
    for (i, other) in elements.iter().enumerate() {
        if compare::equal(env, *other, element)? {
            return Ok(without(env, elements, i));
        }
    }
    Ok(build::tuple_of(env, elements))
}

/// Applies a test that must give a Boolean.
fn test<'a>(env: &mut Env<'a>, test: &'a Operator, element: Value<'a>) -> Result<Option<bool>> {
    match test.apply(env, &[element])? {
        Value::Bool(holds) => Ok(Some(holds)),
        _ => Ok(None),
    }
}

fn remove_first_match<'a>(env: &mut Env<'a>, operators: &'a [Operator], arguments: &[Value<'a>]) -> Result<Value<'a>> {
    const NAME: &str = "RemoveFirstMatch";
    let (Some(condition), Some(sequence)) = (operators.first(), arguments.first()) else { return Err(too_few(NAME)) };
    let elements = elements_of(env, "first", NAME, *sequence)?;
    for (i, element) in elements.iter().enumerate() {
        match test(env, condition, *element)? {
            Some(true) => return Ok(without(env, elements, i)),
            Some(false) => {}
            None => return Err(not_a_test("second", NAME, "boolean-valued function")),
        }
    }
    Ok(build::tuple_of(env, elements))
}

/// The suffixes from the shortest to the longest, which is their order as a set.
fn suffixes<'a>(env: &mut Env<'a>, sequence: Value<'a>) -> Result<Value<'a>> {
    let elements = elements(env, "Suffixes", sequence)?;
    let mut all = Vec::with_capacity(elements.len() + 1);
    for from in (0..=elements.len()).rev() {
        all.push(build::tuple_of(env, elements.get(from..).unwrap_or_default()));
    }
    build::set(env, all)
}

/// What is left of the sequence when any elements are dropped.
fn all_parts<'a>(env: &mut Env<'a>, sequence: Value<'a>) -> Result<Value<'a>> {
    let elements = elements(env, "AllSubSeqs", sequence)?;
    let count = u32::try_from(elements.len()).ok().and_then(|n| 1usize.checked_shl(n)).filter(|n| *n > 0);
    primed_value::limits::check_size(env, count.unwrap_or(usize::MAX))?;
    let mut all = vec![build::empty_tuple()];
    for (i, element) in elements.iter().enumerate() {
        for known in 0..(1usize << i) {
            let part = all.get(known).copied().unwrap_or(build::empty_tuple());
            all.push(ops::append(env, part, *element)?);
        }
    }
    build::set(env, all)
}

/// What a fold runs over: the elements or their positions.
fn folded<'a>(elements: &'a [Value<'a>], positions: bool) -> impl DoubleEndedIterator<Item = Value<'a>> {
    let numbered = elements.iter().enumerate();
    numbered.map(move |(i, element)| if positions { Value::Int(i as i64 + 1) } else { *element })
}

/// `FoldLeft(op, base, s)`.
fn fold_left<'a>(
    env: &mut Env<'a>,
    operators: &'a [Operator],
    arguments: &[Value<'a>],
    positions: bool,
) -> Result<Value<'a>> {
    let name = if positions { "FoldLeftDomain" } else { "FoldLeft" };
    let (Some(op), [base, sequence]) = (operators.first(), arguments) else { return Err(too_few(name)) };
    let mut result = *base;
    for element in folded(elements_of(env, "third", name, *sequence)?, positions) {
        result = op.apply(env, &[result, element])?;
    }
    Ok(result)
}

/// `FoldRight(op, s, base)`.
fn fold_right<'a>(
    env: &mut Env<'a>,
    operators: &'a [Operator],
    arguments: &[Value<'a>],
    positions: bool,
) -> Result<Value<'a>> {
    let name = if positions { "FoldRightDomain" } else { "FoldRight" };
    let (Some(op), [sequence, base]) = (operators.first(), arguments) else { return Err(too_few(name)) };
    let mut result = *base;
    for element in folded(elements_of(env, "second", name, *sequence)?, positions).rev() {
        result = op.apply(env, &[element, result])?;
    }
    Ok(result)
}

/// The first or last position in `from..to` whose element passes the test, or 0. The positions are in the sequence.
fn search<'a>(
    env: &mut Env<'a>,
    condition: &'a Operator,
    part: &[Value<'a>],
    (from, backwards): (i64, bool),
    complaint: [&str; 3],
) -> Result<Value<'a>> {
    for step in 0..part.len() {
        let i = if backwards { part.len() - 1 - step } else { step };
        let Some(element) = part.get(i) else { break };
        match test(env, condition, *element)? {
            Some(true) => return Ok(Value::Int(from + i as i64)),
            Some(false) => {}
            None => {
                let [which, operator, kind] = complaint;
                return Err(not_a_test(which, operator, kind));
            }
        }
    }
    Ok(Value::Int(0))
}

fn select<'a>(env: &mut Env<'a>, operators: &'a [Operator], arguments: &[Value<'a>], last: bool) -> Result<Value<'a>> {
    let name = if last { "SelectLastInSeq" } else { "SelectInSeq" };
    let (Some(condition), Some(sequence)) = (operators.first(), arguments.first()) else { return Err(too_few(name)) };
    let elements = elements_of(env, "first", name, *sequence)?;
    let kind = if last { "boolean-valued function" } else { "boolean-valued operator" };
    search(env, condition, elements, (1, last), ["third", name, kind])
}

fn select_part<'a>(
    env: &mut Env<'a>,
    operators: &'a [Operator],
    arguments: &[Value<'a>],
    last: bool,
) -> Result<Value<'a>> {
    let name = if last { "SelectLastInSubSeq" } else { "SelectInSubSeq" };
    let (Some(condition), [sequence, from, to]) = (operators.first(), arguments) else { return Err(too_few(name)) };
    let elements = elements_of(env, "first", name, *sequence)?;
    let Value::Int(first) = *from else { return Err(argument(env, "second", name, "natural", *from)) };
    let Value::Int(end) = *to else { return Err(argument(env, "third", name, "natural", *to)) };
    if first > end {
        return Ok(Value::Int(0));
    }
    for (which, bound) in [("second", first), ("third", end)] {
        if bound < 1 || bound > elements.len() as i64 {
            return Err(not_in_domain(env, which, name, *sequence, bound));
        }
    }
    let part = elements.get(first as usize - 1..end as usize).unwrap_or_default();
    let kind = if last { "boolean-valued function" } else { "boolean-valued operator" };
    search(env, condition, part, (first, last), ["fourth", name, kind])
}
