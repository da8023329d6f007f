//! Lines that cannot be judged are reported with their number, and the others are judged all the same.

use std::io::Cursor;

use primed::{OpenError, Spec, Verdict};

use crate::{BEHAVIOUR, builder, error, judge, open, opened, window, word};

const COUNTER: &str = r#"
EXTENDS Naturals, Sequences
VARIABLES x, log
Init == x = 0 /\ log = <<>>
Inc == x < 3 /\ x' = x + 1 /\ UNCHANGED log
First == x' = Head(log) /\ log' = Tail(log)
Next == Inc \/ First
NoAction == x = 3
"#;

fn all(spec: &Spec, text: &str) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let mut report = |verdict| {
        verdicts.push(verdict);
        true
    };
    spec.judge_all(Cursor::new(text.to_owned()), &mut report, &mut |_| {}).unwrap();
    verdicts
}

fn words(verdicts: &[Verdict]) -> Vec<(usize, &'static str)> {
    verdicts.iter().map(|v| (v.line, v.outcome.word())).collect()
}

#[test]
fn a_malformed_line_does_not_keep_the_others_from_being_judged() {
    let good = window("Inc", r#"{"x": 0, "log": []}"#, r#"{"x": 1, "log": []}"#);
    let bad = window("Inc", r#"{"x": 0, "log": []}"#, r#"{"x": 2, "log": []}"#);
    let text = format!("{good}\n{{\"action\": \"Inc\", \"pre\n\n{bad}\r\n[1, 2]\n\"text\"\n{good} x\n{good}");
    let verdicts = all(&open(COUNTER, BEHAVIOUR), &text);
    let expected =
        [(1, "conforms"), (2, "error"), (4, "refused"), (5, "error"), (6, "error"), (7, "error"), (8, "conforms")];
    assert_eq!(words(&verdicts), expected);
    assert!(error(verdicts[1].clone()).starts_with("not a JSON object"));
}

#[test]
fn a_line_that_is_not_utf_8_is_an_error_of_that_line() {
    let good = window("Inc", r#"{"x": 0, "log": []}"#, r#"{"x": 1, "log": []}"#);
    let mut bytes = good.clone().into_bytes();
    bytes.extend(b"\n{\"action\": \"\xff\"}\n");
    bytes.extend(good.bytes());
    let mut found = Vec::new();
    let mut report = |v: Verdict| {
        found.push((v.line, v.outcome.word()));
        true
    };
    open(COUNTER, BEHAVIOUR).judge_all(Cursor::new(bytes), &mut report, &mut |_| {}).unwrap();
    assert_eq!(found, [(1, "conforms"), (2, "error"), (3, "conforms")]);
}

#[test]
fn an_evaluation_error_is_the_verdict_of_its_window_alone() {
    let from = |pre: &str| window("First", pre, r#"{"x": 7, "log": []}"#);
    let text = [from(r#"{"x": 0, "log": [7]}"#), from(r#"{"x": 0, "log": []}"#), from(r#"{"x": 0, "log": [8]}"#)];
    let verdicts = all(&open(COUNTER, BEHAVIOUR), &text.join("\n"));
    assert_eq!(words(&verdicts), [(1, "conforms"), (2, "error"), (3, "refused")]);
    let primed::Outcome::Error(trouble) = &verdicts[1].outcome else { panic!() };
    assert!(trouble.message.contains("Head"), "{}", trouble.message);
    assert!(trouble.places.iter().any(|place| place.text == "Head(log)" && place.line > 1), "{:?}", trouble.places);
}

#[test]
fn what_a_window_names_wrongly_is_said_with_what_there_is() {
    let spec = open(COUNTER, BEHAVIOUR);
    let message = error(judge(&spec, &window("Dec", "{}", "{}")));
    assert!(message.contains("no action `Dec`") && message.contains("`Inc`, `First`"), "{message}");
    let message = error(judge(&spec, &window("NoAction", "{}", "{}")));
    assert!(message.contains("`NoAction` is defined") && message.contains("no action"), "{message}");
    let message = error(judge(&spec, &window("Inc", r#"{"x": 0, "z": 1}"#, "{}")));
    assert!(message.contains("`z` in `pre_state` is no variable") && message.contains("`x`, `log`"), "{message}");
    let message = error(judge(&spec, &window("Inc", "[0]", "{}")));
    assert!(message.contains("`pre_state` is no object of variables"), "{message}");
    let message = error(judge(&spec, r#"{"action": "Inc", "pre": {"x": 0}}"#));
    assert!(message.contains("no `post_state`"), "{message}");
    let message = error(judge(&spec, r#"{"pre": {"x": 0}, "post": {}}"#));
    assert!(message.contains("names no action"), "{message}");
}

#[test]
fn a_value_that_the_variable_cannot_have_is_said_with_its_variable() {
    let spec = open(COUNTER, BEHAVIOUR);
    let message = error(judge(&spec, &window("Inc", r#"{"x": 0, "log": "text"}"#, "{}")));
    assert!(message.starts_with("`log` in `pre_state` cannot be what it is in the specification"), "{message}");
    for (x, why) in [("[1]", "an array"), ("{\"a\": 1}", "an object"), ("1.5", "not an integer"), ("null", "null")] {
        let message = error(judge(&spec, &window("Inc", "{}", &format!(r#"{{"x": {x}}}"#))));
        assert!(message.starts_with("`x` in `post_state`") && message.contains(why), "{x}: {message}");
    }
    let message = error(judge(&spec, &window("Inc", r#"{"x": 99999999999999999999}"#, "{}")));
    assert!(message.contains("`x` in `pre_state`"), "{message}");
}

#[test]
fn a_variable_that_occurs_twice_is_an_error() {
    let message = error(judge(&open(COUNTER, BEHAVIOUR), &window("Inc", r#"{"x": 0, "x": 1}"#, "{}")));
    assert!(message.contains("`x` twice"), "{message}");
}

#[test]
fn unknown_keys_are_kept_and_shown() {
    let spec = open(COUNTER, BEHAVIOUR);
    let line = r#"{"window_id": "w7", "trace_id": 3, "seq": 4, "action": "Inc", "pre_state": {"x": 0, "log": []},
        "post_state": {"x": 1, "log": []}, "host": {"name": "a"}}"#;
    let verdict = judge(&spec, line);
    assert_eq!(verdict.outcome.word(), "conforms");
    assert_eq!((verdict.id.as_deref(), verdict.trace.as_deref()), (Some("\"w7\""), Some("3")));
}

#[test]
fn asking_for_an_action_leaves_out_the_others_and_names_the_nameless() {
    let spec = opened(COUNTER, BEHAVIOUR, |b| b.action("Inc"));
    assert!(spec.judge(1, &window("First", "{}", "{}")).is_none());
    assert_eq!(word(&spec, r#"{"pre": {"x": 0, "log": []}, "post": {"x": 1, "log": []}}"#), "conforms");
    let folder = tempfile::tempdir().unwrap();
    let missing = builder(&folder, COUNTER, BEHAVIOUR).action("Dec").open().unwrap_err();
    assert!(matches!(&missing, OpenError::Missing(text) if text.contains("`Dec`")), "{missing}");
}

#[test]
fn missing_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Nothing.tla");
    let missing = Spec::open(&path).unwrap_err();
    assert!(matches!(&missing, OpenError::File(text) if text.contains("Nothing.tla")), "{missing}");
    std::fs::write(&path, "---- MODULE Nothing ----\n====\n").unwrap();
    let missing = Spec::open(&path).unwrap_err();
    assert!(matches!(&missing, OpenError::Configuration(text) if text.contains("Nothing.cfg")), "{missing}");
    let missing = builder(&folder, "EXTENDS Elsewhere", "").open().unwrap_err();
    assert!(matches!(missing, OpenError::Specification(_)) && missing.to_string().contains("Elsewhere"), "{missing}");
    assert_eq!(missing.exit_code(), 150);
}

#[test]
fn a_configuration_that_does_not_fit_is_an_error_before_any_window() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = builder(&folder, COUNTER, "INIT Start\nNEXT Next\n").open().unwrap_err();
    assert!(wrong.to_string().contains("Start"), "{wrong}");
    assert_eq!(wrong.exit_code(), 151);
}
