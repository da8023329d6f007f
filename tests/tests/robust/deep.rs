//! What is nested 100,000 deep is refused, and the refusal names the limit.

use primed_tests::robust;

const MANY: usize = 100_000;

fn module(body: &str) -> String {
    format!("---- MODULE M ----\nEXTENDS Integers\nVARIABLES x, y\nF(a) == a\nG == 1\n{body}\n====\n")
}

/// The text is refused, by an error about a limit.
fn limited(name: &str, text: &str) {
    let said = robust::analyse(text.as_bytes());
    let limits = ["limit of", "nested more than"];
    let named = said.iter().any(|d| limits.iter().any(|l| d.message.contains(l)));
    assert!(named, "{name}: {:?}", said.first());
}

fn around(open: &str, inside: &str, close: &str) -> String {
    module(&format!("P == {}{inside}{}", open.repeat(MANY), close.repeat(MANY)))
}

#[test]
fn brackets_and_operators() {
    for (open, inside, close) in [
        ("(", "1", ")"),
        ("{", "1", "}"),
        ("<<", "1", ">>"),
        ("[x \\in Nat |-> ", "1", "]"),
        ("[a |-> ", "1", "]"),
        ("[a : ", "1", "]"),
        ("[", "1", "]_x"),
        ("[", "1", "]"),
        ("F(", "1", ")"),
        ("~ ", "1", ""),
        ("SUBSET ", "1", ""),
        ("- ", "1", ""),
        ("[] ", "1", ""),
        ("", "x", "'"),
        ("", "x", "[1]"),
        ("", "x", ".a"),
        ("", "1", " + 1"),
        ("", "1", " \\cup 1"),
        ("1 + ", "1", ""),
        ("[x EXCEPT ![1] = ", "1", "]"),
        ("WF_x(", "1", ")"),
    ] {
        limited(&format!("{open}{inside}{close}"), &around(open, inside, close));
    }
}

#[test]
fn words_that_reach_far_to_the_right() {
    for (open, inside, close) in [
        ("IF 1 THEN 1 ELSE ", "1", ""),
        ("IF ", "1", " THEN 1 ELSE 1"),
        ("LET a == 1 IN ", "1", ""),
        ("LET a == ", "1", " IN 1"),
        ("CASE 1 -> ", "1", ""),
        ("\\A x \\in 1 : ", "1", ""),
        ("CHOOSE x : ", "1", ""),
        ("l :: ", "1", ""),
        ("/\\ ", "1", ""),
        ("/\\ \\/ ", "1", ""),
        ("{x \\in ", "1", " : TRUE}"),
        ("{x : x \\in ", "1", "}"),
        ("F(LAMBDA x : ", "1", ")"),
    ] {
        limited(&format!("{open}{inside}{close}"), &around(open, inside, close));
    }
}

#[test]
fn junction_lists_that_move_to_the_right() {
    let lines: String = (0..4000).map(|i| format!("{}/\\\n", " ".repeat(i))).collect();
    limited("staircase", &module(&format!("P ==\n{lines}{}1", " ".repeat(4000))));
}

#[test]
fn lets_proofs_assumptions_and_modules() {
    let lets: String = (0..MANY).map(|i| format!("LET a{i} == 1 IN ")).collect();
    limited("LETs", &module(&format!("P == {lets}1")));
    let steps: String = (1..=MANY).map(|n| format!("<{n}>1. TRUE\n")).collect();
    limited("proofs", &module(&format!("THEOREM TRUE\n{steps}<1> QED")));
    let assumes = format!("THEOREM {}1{}", "ASSUME ".repeat(MANY), " PROVE 1".repeat(MANY));
    limited("ASSUME", &module(&assumes));
    let modules = format!("{}{}", "---- MODULE M ----\n".repeat(MANY), "====\n".repeat(MANY));
    limited("modules", &modules);
}

#[test]
fn comments_nest_without_limit_and_must_end() {
    let comment = module(&format!("{}{}", "(*".repeat(MANY), "*)".repeat(MANY)));
    assert_eq!(robust::analyse(comment.as_bytes()), []);
    assert!(!robust::analyse(module(&"(*".repeat(MANY)).as_bytes()).is_empty());
}

/// As deep as allowed: all floors of the front end walk it.
#[test]
fn the_limit_itself_is_analysed() {
    let deep = primed_syntax::MAX_NESTING - 2;
    for (open, close) in [("(", ")"), ("F(", ")"), ("{", "}"), ("- ", ""), ("<<", ">>"), ("IF TRUE THEN 1 ELSE ", "")] {
        let text = module(&format!("P == {}1{}", open.repeat(deep), close.repeat(deep)));
        assert_eq!(robust::analyse(text.as_bytes()), [], "{open}");
    }
}

/// Instances of modules full of instances would double the names at each level.
#[test]
fn instances_of_instances_have_a_limit() {
    let mut body = String::from("---- MODULE A0 ----\na == 1\n====\n");
    for i in 1..40 {
        body += &format!("---- MODULE A{i} ----\nI == INSTANCE A{0}\nJ == INSTANCE A{0}\n====\n", i - 1);
    }
    limited("instances", &module(&body));
}

/// Extending what is extended on two ways brings it once.
#[test]
fn modules_extended_on_many_ways() {
    let mut body = String::from("---- MODULE A0 ----\nASSUME TRUE\n====\n---- MODULE A1 ----\nEXTENDS A0\n====\n");
    for i in 2..60 {
        body += &format!("---- MODULE A{i} ----\nEXTENDS A{}, A{}\n====\n", i - 1, i - 2);
    }
    assert_eq!(robust::analyse(module(&body).as_bytes()), []);
}
