//! The library as a program uses it: states of its own types, held steps, threads.

use std::collections::BTreeMap;

use primed::{Outcome, Spec};
use serde::Serialize;

use crate::{BEHAVIOUR, open, window};

const BANK: &str = r#"
EXTENDS Integers
VARIABLES balance, last
Init == balance = [a \in {"ann", "bob"} |-> 0] /\ last = [kind |-> "none", amount |-> 0]
Pay(a) == \E n \in 1..10 : /\ balance' = [balance EXCEPT ![a] = @ + n]
                           /\ last' = [kind |-> "pay", amount |-> n]
Next == \E a \in {"ann", "bob"} : Pay(a)
"#;

#[derive(Serialize)]
struct Bank {
    balance: BTreeMap<String, i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<Last>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Last {
    Pay { amount: i64 },
    None { amount: i64 },
}

fn bank(ann: i64, bob: i64, last: Option<Last>) -> Bank {
    Bank { balance: [("ann".into(), ann), ("bob".into(), bob)].into(), last }
}

#[test]
fn steps_are_checked_from_the_types_of_the_program() {
    let spec = open(BANK, BEHAVIOUR);
    let pre = bank(3, -1, Some(Last::None { amount: 0 }));
    let post = bank(3, 4, Some(Last::Pay { amount: 5 }));
    assert_eq!(spec.check_step("Pay", &pre, &post), Outcome::Conforms);
    assert_eq!(spec.check_step_by("Pay", Some(&"bob"), &pre, &post), Outcome::Conforms);
    assert_eq!(spec.check_step_by("Pay", Some(&"ann"), &pre, &post).word(), "refused");
    assert_eq!(spec.check_step("Pay", &pre, &bank(3, 4, None)), Outcome::Conforms);
    assert_eq!(spec.check_step("Pay", &pre, &bank(3, 4, Some(Last::Pay { amount: 6 }))).word(), "refused");
    assert_eq!(spec.check_step("Pay", &pre, &"no state").word(), "error");
}

#[test]
fn a_state_that_json_cannot_write_is_an_error_and_no_panic() {
    let spec = open(BANK, BEHAVIOUR);
    let odd: BTreeMap<Vec<u8>, u8> = [(vec![1], 1)].into();
    assert_eq!(spec.check_step("Pay", &odd, &odd).word(), "error");
}

#[test]
fn a_specification_is_shared_by_threads() {
    let spec = open(BANK, BEHAVIOUR);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let spec = &spec;
            scope.spawn(move || {
                for i in 1..200 {
                    let n = i % 12;
                    let said = spec.check_step("Pay", &bank(thread, 0, None), &bank(thread + n, 0, None));
                    assert_eq!(said == Outcome::Conforms, (1..=10).contains(&n), "{n}");
                }
            });
        }
    });
}

#[test]
fn a_held_step_is_judged_again_and_again() {
    let spec = open(BANK, BEHAVIOUR);
    let state = |ann: i64, n: i64| {
        format!(r#"{{"balance": {{"ann": {ann}, "bob": 0}}, "last": {{"kind": "pay", "amount": {n}}}}}"#)
    };
    let good = spec.hold(&window("Pay", &state(1, 1), &state(3, 2))).unwrap();
    let bad = spec.hold(&window("Pay", &state(1, 1), &state(3, 3))).unwrap();
    let mut scratch = bumpalo::Bump::new();
    for _ in 0..100 {
        assert_eq!(spec.judge_held(&good, &scratch), Outcome::Conforms);
        assert_eq!(spec.judge_held(&bad, &scratch).word(), "refused");
        scratch.reset();
    }
    assert!(spec.hold(&window("Gone", "{}", "{}")).unwrap_err().contains("`Gone`"));
}

#[test]
fn what_a_specification_consists_of_can_be_asked() {
    let spec = open(BANK, BEHAVIOUR);
    assert_eq!(spec.name(), "Spec");
    assert_eq!(spec.actions(), ["Pay"]);
    assert_eq!(spec.variables(), ["balance", "last"]);
}

#[test]
fn illegal_specifications_are_errors_with_places() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Spec.tla");
    std::fs::write(folder.path().join("Spec.cfg"), BEHAVIOUR).unwrap();
    for (body, line) in
        [("VARIABLE x\nInit == x = \nNext == x' = x", 4), ("VARIABLE x\nInit == y = 1\nNext == x' = x", 3)]
    {
        std::fs::write(&path, format!("---- MODULE Spec ----\n{body}\n====\n")).unwrap();
        let error = Spec::open(&path).unwrap_err();
        assert_eq!(error.exit_code(), 150);
        assert!(error.to_string().contains(&format!("Spec.tla:{line}:")), "{error}");
    }
}
