//! `primed eval`: values as TLC prints them.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use common::{primed, primed_with};

#[test]
fn arguments_are_expressions() {
    let ran = primed(&["eval", "1 + 1", r"{x \in 1..5 : x % 2 = 1}", "-3", r#"<<"a", TRUE>>"#]).code_is(0);
    assert_eq!(ran.out, "2\n{1, 3, 5}\n-3\n<<\"a\", TRUE>>\n");
}

#[test]
fn lines_are_expressions() {
    let ran = primed_with(&["eval"], "1 + 1\n2 + 2").code_is(0);
    assert_eq!(ran.out, "2\n4\n");
}

#[test]
fn every_line_has_one_answer_in_order() {
    let ran = primed_with(&["eval", "--json", "-"], "1\n\n1 +\nHead(<<>>)\n{2, 1}\n").code_is(150);
    let kinds: Vec<&str> =
        ran.json().iter().map(|o| if o.get("value").is_some() { "value" } else { "error" }).collect();
    assert_eq!(kinds, ["value", "error", "error", "error", "value"]);
    assert_eq!(ran.json()[4]["value"], "{1, 2}");
}

#[test]
fn an_answer_does_not_wait_for_the_next_question() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_primed"))
        .args(["eval", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for (question, answer) in [("1 + 1\n", "{\"value\":\"2\"}\n"), ("3 * 3\n", "{\"value\":\"9\"}\n")] {
        stdin.write_all(question.as_bytes()).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, answer);
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_has_no_value_has_its_exit_code() {
    primed(&["eval", "Head(<<>>)"]).code_is(75).complains("error:");
    primed(&["eval", "1 + zero"]).code_is(150).complains("Unknown operator: `zero'.").complains("1 | 1 + zero");
    primed(&["eval", "Head(<<>>)", "1 + zero", "7"]).code_is(150).says("7\n");
}

#[test]
fn an_expression_may_begin_with_a_minus() {
    primed(&["eval", "-1 % 3", "-7 \\div 2", "-5"]).code_is(0).says("2\n-3\n-5\n");
    primed(&["eval", "2", "-(1 + 2)", "-Len(<<1>>)", "--json", "-"])
        .code_is(0)
        .says("{\"value\":\"-3\"}\n{\"value\":\"-1\"}\n");
    primed(&["eval", "--", "-1..1", "--"]).code_is(150).says("-1..1");
    // Places are those of what was written.
    primed(&["eval", "-nothing"]).code_is(150).complains("1:2");
    primed(&["eval", "-h"]).code_is(0).says("Exit codes:");
    primed(&["eval", "--nothing"]).code_is(64);
}

#[test]
fn modules_and_model_values_are_in_scope() {
    primed(&["eval", "--model-values", "a,b", "SUBSET {b, a}"]).code_is(0).says("{{}, {a}, {b}, {a, b}}");
    primed(&["eval", "Len(<<1, 2>>)", "--extends", "Integers"]).code_is(150);
    primed(&["eval", "Small", "--extends", "Counter"]).code_is(75);
    primed(&["eval", "1", "--extends", "Missing"]).code_is(150).complains("source file for module Missing");
}

#[test]
fn what_is_wrong_twice_is_told_twice() {
    let ran = primed_with(&["eval", "--json", "-"], "1 + zero\n1 + zero\n").code_is(150);
    let answers = ran.json();
    assert!(answers[0]["error"].as_str().is_some_and(|e| e.contains("Unknown operator")), "{answers:?}");
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn files_are_written_and_commands_run_only_where_that_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let write = format!("CSVWrite(\"%s\", <<1>>, \"{folder}/one.csv\")");
    let count = format!("CSVRecords(\"{folder}/one.csv\")");
    let modules = ["--extends", "CSV,IOUtils"];
    primed(&[&["eval"], &modules[..], &[&write]].concat()).code_is(75).complains("--allow-write");
    let allowed = [&["eval", "--allow-write", folder], &modules[..], &[&write, &write, &count]].concat();
    primed(&allowed).code_is(0).says("TRUE\nTRUE\n2\n");
    let outside =
        [&["eval", "--allow-write", folder], &modules[..], &["CSVWrite(\"%s\", <<1>>, \"../one.csv\")"]].concat();
    primed(&outside).code_is(75).complains("not allowed");
    let run = r#"IOExec(<<"echo", "ran">>).stdout"#;
    primed(&[&["eval"], &modules[..], &[run]].concat()).code_is(75).complains("--allow-commands");
    primed(&[&["eval", "--allow-commands"], &modules[..], &[run]].concat()).code_is(0).says("ran");
}

#[test]
fn a_limit_that_is_reached_is_no_failed_evaluation() {
    let deep = "LET f[n \\in Nat] == 1 + f[n + 1] IN f[0]";
    primed(&["eval", deep]).code_is(73).complains("nested more than");
    primed(&["eval", deep, "7"]).code_is(73).says("7\n");
    // A failed evaluation comes first.
    primed(&["eval", deep, "Head(<<>>)"]).code_is(75);
}

#[test]
fn an_evaluation_takes_so_many_steps_and_no_more() {
    let limited = |expression: &str| primed(&["eval", "--max-steps", "20000", expression]);
    for long in [
        r"\A i \in 1..1000 : \A j \in 1..1000 : i + j > 0",
        r"{S \in SUBSET (1..60) : S = {}}",
        r"CHOOSE S \in SUBSET (1..60) : Cardinality(S) = 30",
        r"\E f \in [1..20 -> 1..20] : f[1] = 21",
        r"Cardinality({0 : S \in SUBSET (1..60)})",
        r"SUBSET (1..60) \subseteq SUBSET (2..61) \cup SUBSET (1..60)",
        r"CHOOSE i \in 1..2000000000 : i < 0",
        r"\E i \in {j \in 1..900000 : j < 0} : TRUE",
        r"LET f[n \in 0..40] == IF n < 2 THEN n ELSE f[n - 1] + f[n - 2] IN f[40]",
    ] {
        limited(long).code_is(73).complains("The limit of 20000 steps").complains("--max-steps");
    }
    // What is counted is what is gone through, and each expression begins anew.
    let short = r"\A i \in 1..100 : \A j \in 1..100 : i + j > 0";
    primed(&["eval", "--max-steps", "20000", short, short, short]).code_is(0).says("TRUE\nTRUE\nTRUE\n");
}
