//! Bags and BagsExt.

use primed_value::error::EvalError;
use primed_value::host::Result;
use primed_value::value::Value;
use primed_value::{arithmetic, build, compare, functions, print, sets};

use super::complaints::{argument, in_java, too_few, wrong_value};
use super::{Entry, Native, pure};
use crate::env::Env;
use crate::nodes::calls::Operator;

/// Module Bags.
pub(super) const BAGS: &[Entry] = &[
    pure("EmptyBag", Native::Zero(|_| Ok(build::empty_tuple()))),
    pure("IsABag", Native::One(|e, b| is_a_bag(e, b).map(Value::Bool))),
    pure("BagToSet", Native::One(to_set)),
    pure("SetToBag", Native::One(from_set)),
    pure("BagIn", Native::Two(|e, x, b| Ok(Value::Bool(copies(e, x, b, "BagIn")? > 0)))),
    pure("CopiesIn", Native::Two(|e, x, b| copies(e, x, b, "CopiesIn").map(Value::Int))),
    pure("BagCardinality", Native::One(cardinality)),
    pure("\\oplus", Native::Two(sum)),
    pure("\\ominus", Native::Two(difference)),
    pure("\\sqsubseteq", Native::Relation(included)),
    pure("BagUnion", Native::One(union)),
    pure("BagOfAll", Native::With(map)),
];

/// Module BagsExt.
pub(super) const BAGS_EXT: &[Entry] = &[pure("FoldBag", Native::With(fold))];

type Pairs<'a> = Vec<(Value<'a>, Value<'a>)>;

/// The signature of a method of TLC's that takes two bags.
const TWO: &str = "(tlc2.value.impl.Value,tlc2.value.impl.Value)";

/// The keys and values of a function, or TLC's complaint.
fn pairs<'a>(env: &mut Env<'a>, bag: Value<'a>, operator: &str) -> Result<Pairs<'a>> {
    match functions::pairs(env, bag)? {
        Some(pairs) => Ok(pairs),
        None => Err(wrong_value(env, operator, "a function with a finite domain", bag)),
    }
}

/// A number of copies where TLC takes for granted that it is one.
fn count(value: Value<'_>, method: &str) -> Result<i64> {
    match value {
        Value::Int(n) => Ok(n),
        other => {
            let class = print::java_class(other);
            let module = "are in unnamed module of loader 'app'";
            let class = format!("tlc2.value.impl.{class}");
            let int = "tlc2.value.impl.IntValue";
            Err(in_java(method, &format!("class {class} cannot be cast to class {int} ({class} and {int} {module})")))
        }
    }
}

/// The position of an element among keys that are compared one by one, as in TLC.
fn position<'a>(env: &mut Env<'a>, bag: &Pairs<'a>, element: Value<'a>) -> Result<Option<usize>> {
    for (i, (key, _)) in bag.iter().enumerate() {
        if compare::equal(env, element, *key)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

fn are_counts(pairs: &Pairs<'_>) -> bool {
    pairs.iter().all(|(_, copies)| matches!(copies, Value::Int(n) if *n > 0))
}

fn is_a_bag<'a>(env: &mut Env<'a>, bag: Value<'a>) -> Result<bool> {
    Ok(functions::pairs(env, bag)?.is_some_and(|pairs| are_counts(&pairs)))
}

fn to_set<'a>(env: &mut Env<'a>, bag: Value<'a>) -> Result<Value<'a>> {
    pairs(env, bag, "BagToSet")?;
    let explicit = functions::force(env, bag)?;
    functions::domain(env, explicit)
}

/// One copy of each; TLC's complaint speaks of `BagToSet`.
fn from_set<'a>(env: &mut Env<'a>, set: Value<'a>) -> Result<Value<'a>> {
    if !sets::is_enumerable(set) {
        return Err(wrong_value(env, "BagToSet", "a function with a finite domain", set));
    }
    let ones = sets::elements(env, set)?.iter().map(|e| (*e, Value::Int(1))).collect();
    build::function_from_pairs(env, ones)
}

/// The copies of an element.
fn copies<'a>(env: &mut Env<'a>, element: Value<'a>, bag: Value<'a>, operator: &str) -> Result<i64> {
    let Some(pairs) = functions::pairs(env, bag)? else {
        let result = if operator == "BagIn" { "IBoolValue" } else { "impl.IntValue" };
        let method = format!("tlc2.value.{result} tlc2.module.Bags.{operator}{TWO}");
        return Err(in_java(&method, "Cannot read field \"values\" because \"fcn\" is null"));
    };
    match position(env, &pairs, element)?.and_then(|i| pairs.get(i)) {
        Some((_, Value::Int(n))) => Ok(*n),
        Some(_) => Err(argument(env, "second", operator, "bag", bag)),
        None => Ok(0),
    }
}

fn cardinality<'a>(env: &mut Env<'a>, bag: Value<'a>) -> Result<Value<'a>> {
    let pairs = pairs(env, bag, "BagCardinality")?;
    if !are_counts(&pairs) {
        return Err(wrong_value(env, "BagCardinality", "a bag", bag));
    }
    let mut sum = Value::Int(0);
    for (_, copies) in pairs {
        sum = arithmetic::add(env, sum, copies)?;
    }
    Ok(sum)
}

/// A bag that is an operand of (+).
fn operand<'a>(env: &mut Env<'a>, which: &str, bag: Value<'a>) -> Result<Pairs<'a>> {
    let Some(pairs) = functions::pairs(env, bag)? else {
        let method = format!("tlc2.value.impl.Value tlc2.module.Bags.BagCup{TWO}");
        return Err(in_java(&method, "Cannot invoke \"tlc2.value.impl.Value.toFcnRcd()\" because \"b\" is null"));
    };
    match are_counts(&pairs) {
        true => Ok(pairs),
        false => Err(argument(env, which, "(+)", "bag", bag)),
    }
}

/// Adds the copies of `more` to a bag; what is not a number of copies is a failure of the method.
fn add_all<'a>(env: &mut Env<'a>, bag: &mut Pairs<'a>, more: Pairs<'a>, method: &str) -> Result<()> {
    let own = bag.clone();
    for (key, copies) in more {
        match position(env, &own, key)?.and_then(|i| bag.get_mut(i)) {
            Some((_, sum)) => {
                let (a, b) = (count(*sum, method)?, count(copies, method)?);
                *sum = arithmetic::add(env, Value::Int(a), Value::Int(b))?;
            }
            None => bag.push((key, copies)),
        }
    }
    Ok(())
}

fn sum<'a>(env: &mut Env<'a>, left: Value<'a>, right: Value<'a>) -> Result<Value<'a>> {
    let mut result = operand(env, "first", left)?;
    let right = operand(env, "second", right)?;
    add_all(env, &mut result, right, "tlc2.value.impl.Value tlc2.module.Bags.BagCup")?;
    build::function_from_pairs(env, result)
}

fn difference<'a>(env: &mut Env<'a>, left: Value<'a>, right: Value<'a>) -> Result<Value<'a>> {
    let method = format!("tlc2.value.impl.Value tlc2.module.Bags.BagDiff{TWO}");
    let Some(own) = functions::pairs(env, left)? else { return Err(argument(env, "first", "(-)", "bag", left)) };
    let Some(other) = functions::pairs(env, right)? else { return Err(argument(env, "second", "(-)", "bag", right)) };
    let mut result = Vec::with_capacity(own.len());
    for (key, copies) in own {
        let mut rest = count(copies, &method)?;
        if let Some((_, taken)) = position(env, &other, key)?.and_then(|i| other.get(i)) {
            rest -= count(*taken, &method)?;
        }
        if rest > 0 {
            result.push((key, Value::Int(rest)));
        }
    }
    build::function_from_pairs(env, result)
}

fn included<'a>(env: &mut Env<'a>, left: Value<'a>, right: Value<'a>) -> Result<bool> {
    let method = format!("tlc2.value.IBoolValue tlc2.module.Bags.SqSubseteq{TWO}");
    let own = pairs(env, left, "\\sqsubseteq")?;
    let other = pairs(env, right, "\\sqsubseteq")?;
    for (key, copies) in own {
        let mut rest = count(copies, &method)?;
        if let Some((_, there)) = position(env, &other, key)?.and_then(|i| other.get(i)) {
            rest -= count(*there, &method)?;
        }
        if rest > 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

fn union<'a>(env: &mut Env<'a>, set: Value<'a>) -> Result<Value<'a>> {
    if !sets::is_enumerable(set) {
        return Err(wrong_value(env, "BagUnion", "a finite enumerable set", set));
    }
    let bags = match sets::elements(env, set)? {
        [] => return Ok(build::empty_tuple()),
        [only] => return Ok(*only),
        many => many,
    };
    let mut result = Vec::new();
    for bag in bags {
        let Some(pairs) = functions::pairs(env, *bag)? else {
            let set = print::print_short(env, set, 4_000);
            let message =
                format!("Attempted to apply BagUnion to the following set, whose\nelement is not a bag:\n{set}");
            return Err(EvalError::new(2177, message));
        };
        let method = "tlc2.value.impl.Value tlc2.module.Bags.BagUnion(tlc2.value.impl.Value)";
        add_all(env, &mut result, pairs, method)?;
    }
    build::function_from_pairs(env, result)
}

/// `BagOfAll(F, B)`: copies of elements with the same image are added.
fn map<'a>(env: &mut Env<'a>, operators: &'a [Operator], arguments: &[Value<'a>]) -> Result<Value<'a>> {
    let (Some(image), Some(bag)) = (operators.first(), arguments.first()) else { return Err(too_few("BagOfAll")) };
    let Some(pairs) = functions::pairs(env, *bag)? else {
        return Err(argument(env, "second", "BagOfAll", "function with a finite domain", *bag));
    };
    let mut result: Pairs<'a> = Vec::new();
    for (element, copies) in pairs {
        let key = image.apply(env, &[element])?;
        let method = format!("tlc2.value.impl.Value tlc2.module.Bags.BagOfAll{TWO}");
        add_all(env, &mut result, vec![(key, copies)], &method)?;
    }
    build::function_from_pairs(env, result)
}

/// `FoldBag(op, base, B)`: each element as often as there are copies, the operator's second argument the element.
fn fold<'a>(env: &mut Env<'a>, operators: &'a [Operator], arguments: &[Value<'a>]) -> Result<Value<'a>> {
    let (Some(op), [base, bag]) = (operators.first(), arguments) else { return Err(too_few("FoldBag")) };
    let Some(pairs) = functions::pairs(env, *bag)? else {
        return Err(argument(env, "third", "FoldBag", "bag", *bag));
    };
    let mut result = *base;
    for (element, copies) in pairs {
        let Value::Int(copies @ 1..) = copies else {
            let (element, copies) = (print::print_short(env, element, 1_000), print::print_short(env, copies, 1_000));
            let found = format!("{copies} (in: {element}:>{copies})");
            let message = format!("Applying FoldBag to the following value,\nwhich is not an element of Nat:\n{found}");
            return Err(EvalError::new(2176, message));
        };
        for _ in 0..copies {
            result = op.apply(env, &[result, element])?;
        }
    }
    Ok(result)
}
