//! `primed windows`: verdicts and exit codes.

mod common;

use std::process::{Command, Stdio};

use common::{Ran, data, file, primed, primed_with, repository};

const CONFORMS: &str = r#"{"window_id":1,"action":"Inc","pre_state":{"x":0,"log":[]},"post_state":{"x":1,"log":[]}}"#;
const REFUSED: &str = r#"{"window_id":2,"action":"Inc","pre_state":{"x":0,"log":[]},"post_state":{"x":5,"log":[]}}"#;
const FAILS: &str = r#"{"window_id":3,"action":"Pop","pre_state":{"x":0,"log":[]},"post_state":{"x":0,"log":[]}}"#;
const UNSUPPORTED: &str =
    r#"{"window_id":4,"action":"Twice","pre_state":{"x":0,"log":[]},"post_state":{"x":2,"log":[]}}"#;

/// Judges these lines with more arguments.
fn judge(lines: &[&str], more: &[&str]) -> Ran {
    let arguments = [&["windows", "Counter.tla", "--windows", "-"], more].concat();
    primed_with(&arguments, &lines.join("\n"))
}

fn verdicts(lines: &[&str], more: &[&str]) -> Vec<String> {
    judge(lines, &[more, &["--json", "-"]].concat()).field("verdict")
}

#[test]
fn a_conforming_file_ends_with_0() {
    judge(&[CONFORMS, CONFORMS], &[]).code_is(0).says("Inc").says("100.0 %").says("Add").says("no evidence");
}

#[test]
fn refused_comes_before_failed_and_failed_before_unsupported() {
    judge(&[UNSUPPORTED, FAILS, CONFORMS, REFUSED], &[]).code_is(12);
    judge(&[UNSUPPORTED, FAILS, CONFORMS], &[]).code_is(75);
    judge(&[UNSUPPORTED, CONFORMS], &[]).code_is(72);
}

#[test]
fn every_window_is_judged_whatever_another_does() {
    let lines = [CONFORMS, FAILS, "no json", "", REFUSED, UNSUPPORTED, CONFORMS];
    let expected = ["conforms", "error", "error", "refused", "unsupported", "conforms"];
    assert_eq!(verdicts(&lines, &[]), expected);
}

#[test]
fn a_refusal_is_explained_for_people() {
    let ran = judge(&[REFUSED, REFUSED, CONFORMS], &[]).code_is(12);
    let ran = ran.says("2 windows refused").says(" 1. Inc  2 times, first in line 1 (window 2)");
    let ran = ran.says("Counter.tla:11:8  x' = x + 1").says("      x'    is 5\n      x + 1 is 1");
    ran.says("      x  specification 1  observed 5").says("allowed by: no other action").says("33.3 %");
}

#[test]
fn other_actions_that_allow_the_step_are_named() {
    let line = r#"{"action":"Pop","pre_state":{"x":0,"log":[1]},"post_state":{"x":1,"log":[1]}}"#;
    judge(&[line], &[]).code_is(12).says("allowed by: Inc, Step");
    let brief = judge(&[line], &["--brief"]).code_is(12);
    assert!(!brief.out.contains("allowed by") && !brief.out.contains("nearest"), "{}", brief.out);
}

#[test]
fn errors_say_what_is_wrong() {
    let unknown = r#"{"action":"Inc","pre_state":{"y":0,"x":0},"post_state":{"x":1}}"#;
    let stranger = r#"{"action":"Dec","pre_state":{"x":0},"post_state":{"x":1}}"#;
    let fraction = r#"{"action":"Inc","pre_state":{"x":1.5},"post_state":{"x":1}}"#;
    let nameless = r#"{"pre_state":{"x":0},"post_state":{"x":1}}"#;
    let ran = judge(&[unknown, stranger, fraction, nameless, "{", FAILS], &[]).code_is(75).says("6 windows in error");
    let ran = ran.says("`y` in `pre_state` is no variable of `Counter`; its variables are `x`, `log`");
    let ran = ran.says("`Counter` has no action `Dec`; its actions are `Inc`, `Add`, `Pop`, `Step`, `Twice`");
    let ran =
        ran.says("`x` in `pre_state` cannot be what it is in the specification: the number 1.5 is not an integer");
    ran.says("the window names no action").says("not a JSON object").says("Counter.tla:19:18  Tail(log)");
}

#[test]
fn a_name_that_looks_like_another_is_told() {
    let windows = |line: &str, more: &[&str]| judge(&[line], more);
    let line = |action: &str, variable: &str| {
        format!(r#"{{"action":"{action}","pre_state":{{"{variable}":0,"log":[]}},"post_state":{{"x":1,"log":[]}}}}"#)
    };
    windows(&line("Popp", "x"), &[]).says("`Counter` has no action `Popp`").says("(did you mean `Pop`?)");
    windows(&line("Step", "logg"), &[]).says("(did you mean `log`?)");
    judge(&[CONFORMS], &["--action", "inc"]).code_is(151).complains("did you mean `Inc`?");
    judge(&[CONFORMS], &["--invariant", "Smal"]).code_is(151).complains("did you mean `Small`?");
    judge(&[CONFORMS], &["--unobserved", "Filed"]).code_is(151).complains("did you mean `Filled`?");
}

#[test]
fn so_is_a_name_in_a_configuration() {
    let spec = file(
        "near/Near.tla",
        "---- MODULE Near ----\nEXTENDS Naturals\nCONSTANT Limit\nVARIABLE x\nInit == x = 0\nNext == x' = 1\nSmall == x < Limit\n\
         Spec == Init /\\ [][Next]_x\nOther == 3\n====\n",
    );
    for (name, text, help) in [
        ("invariant", "INIT Init\nNEXT Next\nCONSTANT Limit = 2\nINVARIANT Smal\n", "did you mean `Small`?"),
        (
            "keyword",
            "INIT Init\nNEXT Next\nCONSTANT Limit = 2\nINVARIANT Small\nPROPERTYS Small\n",
            "did you mean `PROPERTY`?",
        ),
        ("next", "INIT Init\nNEXT next\nCONSTANT Limit = 2\n", "did you mean `Next`?"),
        ("specification", "SPECIFICATION Spek\nCONSTANT Limit = 2\n", "did you mean `Spec`?"),
        ("value", "INIT Init\nNEXT Next\nCONSTANT Limits = 2\n", "did you mean `Limit`?"),
        ("target", "INIT Init\nNEXT Next\nCONSTANT Limit = 2\nLimt <- Other\n", "did you mean `Limit`?"),
        ("source", "INIT Init\nNEXT Next\nCONSTANT Limit <- Othr\n", "did you mean `Other`?"),
    ] {
        let config = file(&format!("near/{name}.cfg"), text);
        primed(&["check", &spec, "--config", &config]).code_is(151).complains(help);
    }
}

#[test]
fn unobserved_variables_are_listed() {
    let line = r#"{"action":"Inc","pre_state":{"x":0},"post_state":{"x":1}}"#;
    judge(&[line], &[]).code_is(0).says("Unobserved: log (always)");
    judge(&[line, CONFORMS], &[]).code_is(0).says("Unobserved: log (in 1 window)");
}

#[test]
fn a_predicate_says_what_unobserved_variables_may_be() {
    let line = r#"{"action":"Pop","pre_state":{"x":0},"post_state":{"x":0,"log":[]}}"#;
    // Initially the log is empty, and Pop fails; by the predicate it has an entry.
    judge(&[line], &[]).code_is(75);
    judge(&[line], &["--unobserved", "Filled"]).code_is(0).says("Unobserved: log (always)");
    judge(&[line], &["--unobserved", "Nothing"]).code_is(151).complains("Nothing");
}

#[test]
fn an_action_can_be_asked_for() {
    let nameless = r#"{"pre_state":{"x":0,"log":[]},"post_state":{"x":1,"log":[]}}"#;
    let ran = judge(&[CONFORMS, FAILS, nameless], &["--action", "Inc"]).code_is(0).says("total         2");
    assert!(!ran.out.contains("no evidence"), "{}", ran.out);
    judge(&[CONFORMS], &["--action", "Dec"]).code_is(151).complains("`Counter` has no action `Dec`");
    judge(&[CONFORMS], &["--action", "Pop"]).code_is(153).complains("there are no windows of the action `Pop`");
}

#[test]
fn invariants_are_evaluated_on_both_states() {
    let line = r#"{"action":"Inc","pre_state":{"x":2,"log":[1]},"post_state":{"x":3,"log":[1]}}"#;
    let ran = judge(&[line], &["--invariant", "Small"]).code_is(12).says("100.0 %").says("1 violation of an invariant");
    ran.says(" 1. Small after Inc  line 1").says("Counter.tla:30:10  x < 3\n      x is 3");
    judge(&[line], &["--invariant", "FirstIsPositive"]).code_is(0);
    judge(&[CONFORMS], &["--invariant", "FirstIsPositive"]).code_is(75).says("FirstIsPositive before Inc");
    judge(&[CONFORMS], &["--invariant", "Missing"]).code_is(151).complains("Missing");
}

#[test]
fn few_kinds_are_shown_and_the_others_counted() {
    let ran = judge(&[REFUSED, FAILS, "x", REFUSED], &["--max-refusals", "1"]).code_is(12);
    ran.says("... and 1 more, of 1 other kind; --max-refusals N shows more");
}

#[test]
fn what_cannot_be_read_has_its_exit_code() {
    primed(&["windows", "Counter.tla", "--windows", "missing.ndjson"]).code_is(153).complains("`missing.ndjson`");
    primed(&["windows", "Counter.tla", "--windows", "."]).code_is(153);
    primed(&["windows", "Missing.tla", "--windows", "-"]).code_is(150).complains("`Missing.tla`");
    let missing = ["windows", "Counter.tla", "--config", "Missing.cfg", "--windows", "-"];
    primed(&missing).code_is(255).complains("`Missing.cfg`");
    judge(&[], &[]).code_is(153).complains("there are no windows in standard input");
    judge(&[""], &[]).code_is(153);
}

#[test]
fn without_a_configuration_it_says_where_one_is_looked_for() {
    let alone = file("Alone.tla", "---- MODULE Alone ----\nVARIABLE x\n====\n");
    primed(&["windows", &alone, "--windows", "-"]).code_is(255).complains("named with --config");
}

#[test]
fn all_complaints_about_a_specification_are_shown_with_their_lines() {
    let text = "---- MODULE Bad ----\nVARIABLE x\nInit == x = zero\nNext == x' = x + 1\n====\n";
    let bad = file("Bad.tla", text);
    file("Bad.cfg", "INIT Init\nNEXT Next\n");
    let ran = primed(&["windows", &bad, "--windows", "-"]).code_is(150);
    let ran = ran.complains("Unknown operator: `zero'.").complains("Bad.tla:3:13");
    let ran = ran.complains("3 | Init == x = zero\n  |             ^^^^");
    ran.complains("4 | Next == x' = x + 1").complains("add it to EXTENDS");
    file("Bad.cfg", "INIT Init\nNEXT\n");
    primed(&["windows", &bad, "--windows", "-"]).code_is(255).complains("Bad.cfg:2:5");
}

#[test]
fn a_configuration_that_does_not_fit_is_one() {
    let config = file("Unfit.cfg", "INIT Init\nNEXT Next\nINVARIANT Nope\n");
    let ran = judge(&[CONFORMS], &["--config", &config]).code_is(151);
    ran.complains("Unfit.cfg:3:11").complains("3 | INVARIANT Nope");
}

#[test]
fn colours_come_only_when_asked_for() {
    assert!(!judge(&[REFUSED], &[]).out.contains('\x1b'));
    assert!(judge(&[REFUSED], &["--color", "always"]).out.contains("\x1b[1;31mInc\x1b[0m"));
}

#[test]
fn windows_cannot_command_the_terminal() {
    let line = r#"{"window_id":"\u001b[2J","action":"\u001b]0;x\u0007","pre_state":{},"post_state":{}}"#;
    let ran = judge(&[line], &[]).code_is(75);
    assert!(!ran.out.contains(['\x1b', '\x07']), "{:?}", ran.out);
}

#[test]
fn one_worker_gives_the_same() {
    let lines = [CONFORMS, REFUSED, FAILS, UNSUPPORTED];
    assert_eq!(judge(&lines, &["--threads", "1"]).out, judge(&lines, &["--threads", "7"]).out);
    judge(&lines, &["--threads", "0"]).code_is(64);
}

#[test]
fn the_end_of_the_reader_is_the_end() {
    let windows = file("many.ndjson", &format!("{REFUSED}\n").repeat(20_000));
    let mut child = Command::new(env!("CARGO_BIN_EXE_primed"))
        .args(["windows", "Counter.tla", "--windows", &windows, "--json", "-"])
        .current_dir(data())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(12), &b""[..]));
}

#[test]
fn the_real_spin_lock_refutes_the_mistaken_model() {
    let folder = repository().join("conformance-suite/systems/spin");
    let windows = folder.join("windows.ndjson");
    let judge = |spec: &str, more: &[&str]| {
        let spec = folder.join(spec);
        let arguments = ["windows", spec.to_str().unwrap(), "--windows", windows.to_str().unwrap()];
        primed(&[&arguments, more].concat())
    };
    let invariants = ["--invariant", "TypeOK", "--invariant", "MutualExclusion", "--invariant", "HeldWhenLocked"];
    judge("SpinLock.tla", &invariants).code_is(0);
    let ran = judge("SpinLockMistaken.tla", &[]).code_is(12).says("87 windows refused");
    ran.says(" 1. AcquireSuccess  87 times").says("SpinLockMistaken.tla:28:25  pc[t] = \"acquiring\"");
}

#[test]
#[allow(clippy::print_stderr, reason = "a test that does nothing says so")]
fn recorded_windows_are_all_judged() {
    let windows = repository().join("../shared/windows/spin_canonical.ndjson");
    if !windows.is_file() {
        eprintln!("SKIPPED recorded_windows_are_all_judged: there is no ../shared/windows/spin_canonical.ndjson");
        return;
    }
    let spec = repository().join("conformance-suite/systems/spin/SpinLockMistaken.tla");
    let arguments = ["windows", spec.to_str().unwrap(), "--windows", windows.to_str().unwrap(), "--json", "-"];
    let verdicts = primed(&arguments).code_is(12).field("verdict");
    let count = |word: &str| verdicts.iter().filter(|v| *v == word).count();
    assert_eq!((verdicts.len(), count("conforms"), count("refused")), (543, 456, 87));
}
