//! The JSON of `primed windows`, as `docs/json.md` has it.

mod common;

use common::{data, file, primed, primed_with};
use serde_json::{Value, json};

fn judge(line: &str, more: &[&str]) -> Value {
    let arguments = [&["windows", "Counter.tla", "--windows", "-", "--json", "-"], more].concat();
    let mut objects = primed_with(&arguments, line).json();
    assert_eq!(objects.len(), 1);
    objects.remove(0)
}

#[test]
fn what_is_empty_is_left_out_and_ids_stay_what_they_were() {
    let line = r#"{"window_id":{"n":1.50},"trace_id":"t","action":"Inc","pre_state":{"x":0,"log":[]},"post_state":{"x":1,"log":[]}}"#;
    let expected = json!({"line": 1, "id": {"n": 1.5}, "trace": "t", "action": "Inc", "verdict": "conforms"});
    assert_eq!(judge(line, &[]), expected);
    let arguments = ["windows", "Counter.tla", "--windows", "-", "--json", "-"];
    assert!(primed_with(&arguments, line).out.contains(r#""id":{"n":1.50}"#));
}

#[test]
fn a_refusal_has_its_evidence() {
    let line = r#"{"id":7,"action":"Add","actor":"1","pre_state":{"x":0},"post_state":{"x":1,"log":[2]}}"#;
    let reason = json!({
        "file": "Counter.tla", "line": 15, "column": 14, "text": "log' = Append(log, n)",
        "bindings": {"n": "1"},
        "operands": [{"text": "log'", "value": "<<2>>"}, {"text": "Append(log, n)", "value": "<<1>>"}],
        "unobserved": {"log": "<<>>"},
    });
    let expected = json!({
        "line": 1, "id": 7, "action": "Add", "verdict": "refused", "unobserved": ["log"], "reasons": [reason],
        "assumed": {"from": "Init", "tried": 1, "variables": ["log"]},
        "nearest": [{"path": "log[1]", "specification": "1", "observed": "2"}],
    });
    assert_eq!(judge(line, &[]), expected);
    let brief = judge(line, &["--brief"]);
    assert!(brief.get("nearest").is_none() && brief.get("others").is_none(), "{brief}");
}

#[test]
fn other_actions_are_listed() {
    let line = r#"{"action":"Pop","pre_state":{"x":0,"log":[1]},"post_state":{"x":1,"log":[1]}}"#;
    assert_eq!(judge(line, &[])["others"], json!(["Inc", "Step"]));
}

#[test]
fn an_error_has_its_places() {
    let line = r#"{"action":"Pop","pre_state":{"x":0,"log":[]},"post_state":{"x":0,"log":[]}}"#;
    let object = judge(line, &[]);
    assert_eq!((&object["verdict"], object["message"].is_string()), (&json!("error"), true));
    assert_eq!(object["places"][0], json!({"file": "Counter.tla", "line": 19, "column": 18, "text": "Tail(log)"}));
}

#[test]
fn invariants_have_their_results() {
    let line = r#"{"action":"Inc","pre_state":{"x":2,"log":[]},"post_state":{"x":3,"log":[]}}"#;
    let object = judge(line, &["--invariant", "Small", "--invariant", "FirstIsPositive"]);
    let found: Vec<(&Value, &Value, &Value)> =
        object["invariants"].as_array().unwrap().iter().map(|f| (&f["invariant"], &f["state"], &f["result"])).collect();
    let small = (&json!("Small"), &json!("post"), &json!("violated"));
    let first = (&json!("FirstIsPositive"), &json!("pre"), &json!("not evaluated"));
    assert!(found.contains(&small) && found.contains(&first), "{object}");
    assert_eq!(object["invariants"].as_array().unwrap().len(), 3);
}

#[test]
fn a_file_gets_the_objects_and_people_their_report() {
    let windows = file("json-in.ndjson", "{}\n");
    let target = file("json-out.ndjson", "old");
    let ran = primed(&["windows", "Counter.tla", "--windows", &windows, "--json", &target]).code_is(75);
    ran.says("1 window in error");
    let written = std::fs::read_to_string(&target).unwrap();
    let object: Value = serde_json::from_str(&written).unwrap();
    assert_eq!((object["line"].as_u64(), object["verdict"].as_str()), (Some(1), Some("error")));
}

#[test]
fn the_windows_are_not_overwritten() {
    let windows = file("json-same.ndjson", "{}\n");
    primed(&["windows", "Counter.tla", "--windows", &windows, "--json", &windows]).code_is(64);
    assert_eq!(std::fs::read_to_string(&windows).unwrap(), "{}\n");
    let nowhere = data().join("no/such/folder.ndjson");
    primed(&["windows", "Counter.tla", "--windows", &windows, "--json", nowhere.to_str().unwrap()]).code_is(153);
}
