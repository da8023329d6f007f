//! Pairs of values of all kinds: the same value or the same error as TLC, from `data/matrix.tsv`.

mod common;

use common::{TestHost, fold, with_host};
use primed_value::compare::equal;
use primed_value::host::Result;
use primed_value::print::print;
use primed_value::sets::{member, subset_eq};
use primed_value::value::{Lazy, Value};

/// The values of the matrix by how they are written.
fn value<'a>(h: &mut TestHost<'a>, text: &str) -> Value<'a> {
    let one = |h: &mut TestHost<'a>| h.ints(&[1]);
    match text {
        "TRUE" => Value::Bool(true),
        "1" => Value::Int(1),
        "\"a\"" => h.s("a"),
        "m1" | "A_1" | "B_1" => h.model(text),
        "<<1,2>>" => h.tup(&[Value::Int(1), Value::Int(2)]),
        "<<>>" => h.tup(&[]),
        "[i \\in {3,4} |-> i]" => h.fun(&[(Value::Int(3), Value::Int(3)), (Value::Int(4), Value::Int(4))]),
        "[a |-> 1]" => h.rec(&[("a", Value::Int(1))]),
        "{1,2}" => h.ints(&[1, 2]),
        "{}" => h.ints(&[]),
        "1..2" => h.iv(1, 2),
        "{\"a\"}" => {
            let a = h.s("a");
            h.set(&[a])
        }
        "SUBSET {1}" => {
            let one = one(h);
            h.lazy(Lazy::Subset(one))
        }
        "[{1} -> {1}]" => {
            let (s, t) = (one(h), one(h));
            h.lazy(Lazy::Functions(s, t))
        }
        "[a : {1}]" => {
            let (a, one) = (h.sym("a"), one(h));
            primed_value::sets::record_set(h, vec![(a, one)])
        }
        "{1} \\X {1}" => {
            let (s, t) = (one(h), one(h));
            primed_value::sets::product(h, &[s, t])
        }
        "Nat" => h.lazy(Lazy::Nat),
        "STRING" => h.lazy(Lazy::String),
        "Seq({1})" => {
            let one = one(h);
            h.lazy(Lazy::Sequences(one))
        }
        _ => panic!("no value {text}"),
    }
}

const WRITTEN: &[&str] = &[
    "TRUE",
    "1",
    "\"a\"",
    "m1",
    "A_1",
    "B_1",
    "<<1,2>>",
    "<<>>",
    "[i \\in {3,4} |-> i]",
    "[a |-> 1]",
    "{1,2}",
    "{}",
    "1..2",
    "{\"a\"}",
    "SUBSET {1}",
    "[{1} -> {1}]",
    "[a : {1}]",
    "{1} \\X {1}",
    "Nat",
    "STRING",
    "Seq({1})",
];

/// The two operands of `{X, Y}`.
fn elements(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let both = |x: &&&str| inner.strip_prefix(**x).and_then(|rest| rest.strip_prefix(", "));
    let first = WRITTEN.iter().find(|x| both(x).is_some_and(|y| WRITTEN.contains(&y)))?;
    Some((first, both(&first)?))
}

fn answer<'a>(h: &mut TestHost<'a>, group: &str, expression: &str) -> Result<String> {
    let truth = |b: bool| if b { "TRUE" } else { "FALSE" }.to_owned();
    if group == "mixset" {
        let (x, y) = elements(expression).unwrap_or_else(|| panic!("cannot read {expression}"));
        let (x, y) = (value(h, x), value(h, y));
        let set = h.set(&[x, y]);
        return print(h, set);
    }
    let operator = match group {
        "eq" => ") = (",
        "in" => ") \\in (",
        _ => ") \\subseteq (",
    };
    let (x, y) = expression.split_once(operator).unwrap();
    let (x, y) = (value(h, x.strip_prefix('(').unwrap()), value(h, y.strip_suffix(')').unwrap()));
    match group {
        "eq" => equal(h, x, y).map(truth),
        "in" => member(h, x, y).map(truth),
        _ => subset_eq(h, x, y).map(truth),
    }
}

#[test]
fn every_pair_gives_the_answer_of_tlc() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for line in include_str!("data/matrix.tsv").lines().filter(|l| !l.starts_with('#')) {
        let mut columns = line.split('\t');
        count += 1;
        let mut column = || columns.next().unwrap();
        let (group, expression, kind, expected) = (column(), column(), column(), column());
        with_host(|h| {
            let (got_kind, got) = match answer(h, group, expression) {
                Ok(text) => ("value", text),
                Err(error) => ("error", fold(&error.message)),
            };
            if (got_kind, got.as_str()) != (kind, expected) {
                wrong.push(format!("{expression}\n  TLC:  {kind} {expected}\n  here: {got_kind} {got}"));
            }
        });
    }
    assert_eq!(count, 739);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
