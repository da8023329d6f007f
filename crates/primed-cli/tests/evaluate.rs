//! `primed evaluate`: four results that are kept apart.
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

mod common;

use std::fs;
use std::path::Path;

use common::{Ran, file, primed, primed_in, repository};
use serde_json::{Value, json};

/// The spin lock of the suite.
fn spin(name: &str) -> String {
    fs::read_to_string(repository().join("conformance-suite/systems/spin").join(name)).unwrap()
}

/// The spin lock with something else in it, in a folder of its own; the path of the module.
fn changed(test: &str, changes: &[(&str, &str)]) -> String {
    let mut text = spin("SpinLock.tla");
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replacen(old, new, 1);
    }
    file(&format!("evaluate/{test}/SpinLock.cfg"), &spin("SpinLock.cfg"));
    file(&format!("evaluate/{test}/SpinLock.tla"), &text)
}

fn windows() -> String {
    repository().join("conformance-suite/systems/spin/windows.ndjson").to_str().unwrap().to_owned()
}

/// Evaluates with more arguments; the document.
fn evaluate(spec: &str, more: &[&str], code: i32) -> Value {
    let ran = primed(&[&["evaluate", spec, "--json", "-"], more].concat()).code_is(code);
    let lines = ran.json();
    assert_eq!(lines.len(), 1, "one document");
    lines[0].clone()
}

fn results(document: &Value) -> [&str; 4] {
    ["syntax", "runtime", "conformance", "invariants"].map(|phase| document[phase]["result"].as_str().unwrap())
}

/// The object of an action or a property in a list.
fn of<'d>(list: &'d Value, key: &str, name: &str) -> &'d Value {
    let all = list.as_array().unwrap();
    all.iter().find(|o| o[key] == name).unwrap_or_else(|| panic!("no {name} in {list}"))
}

#[test]
fn what_is_right_is_final() {
    let spec = changed("right", &[]);
    let found = evaluate(&spec, &["--windows", &windows()], 0);
    assert_eq!(results(&found), ["passed"; 4]);
    assert_eq!(
        (&found["status"], &found["exit_code"], &found["module"]),
        (&json!("final"), &json!(0), &json!("SpinLock"))
    );
    assert!(found.get("draft_because").is_none());
    let accepted: Vec<&Value> = found["syntax"]["actions"].as_array().unwrap().iter().map(|a| &a["accepted"]).collect();
    assert_eq!(accepted, [&json!(true); 3]);
    let runtime = &found["runtime"];
    let counts = ["generated", "distinct", "depth"].map(|key| runtime[key].as_u64().unwrap());
    let checked = primed(&["check", &spec, "--json", "-"]).code_is(0).json();
    assert_eq!(counts, ["generated", "distinct", "depth"].map(|key| checked[0][key].as_u64().unwrap()));
    assert!(
        runtime.get("never_reached").is_none()
            && of(&runtime["actions"], "action", "Release")["generated"].as_u64() > Some(0)
    );
    let conformance = &found["conformance"];
    assert_eq!(of(&conformance["actions"], "action", "AcquireSuccess")["conforming"], json!(210));
    assert_eq!(of(&conformance["actions"], "action", "AcquireSuccess")["rate"], json!(1.0));
    assert_eq!((&conformance["windows"], &conformance["conforming"]), (&json!(543), &json!(543)));
    let properties = &found["invariants"]["properties"];
    for name in ["TypeOK", "MutualExclusion", "HeldWhenLocked"] {
        let property = of(properties, "property", name);
        assert_eq!((&property["result"], &property["source"]), (&json!("holds"), &json!("configuration")));
    }
    let page = primed(&["evaluate", &spec, "--windows", &windows()]).code_is(0);
    page.says("syntax       passed")
        .says("3 of 3 actions accepted")
        .says("543 of 543 windows conform (100.0 %)")
        .says("status       final");
}

#[test]
fn refused_windows_fail_conformance_alone() {
    let spec = repository().join("conformance-suite/systems/spin/SpinLockMistaken.tla");
    let spec = spec.to_str().unwrap();
    let found = evaluate(spec, &["--windows", &windows()], 12);
    assert_eq!(results(&found), ["passed", "passed", "failed", "passed"]);
    assert_eq!((&found["status"], &found["draft_because"]), (&json!("draft"), &json!(["conformance: failed"])));
    let row = of(&found["conformance"]["actions"], "action", "AcquireSuccess");
    assert_eq!((&row["refused"], &row["conforming"], &row["windows"]), (&json!(87), &json!(123), &json!(210)));
    let refusal = &found["conformance"]["refusals"][0];
    assert_eq!((&refusal["count"], &refusal["line"], &refusal["id"]), (&json!(87), &json!(10), &json!(9)));
    assert_eq!(refusal["reasons"][0]["text"], json!("pc[t] = \"acquiring\""));
    let page = primed(&["evaluate", spec, "--windows", &windows()]).code_is(12);
    page.says("conformance  failed")
        .says("456 of 543 windows conform (84.0 %)")
        .says("87 windows refused")
        .says("draft       conformance: failed");
}

#[test]
fn one_broken_action_hides_no_other_and_the_rest_is_not_run() {
    let broken = ("Release(t) == /\\ lockState = \"locked\"", "Release(t) == /\\ lockState = = \"locked\"");
    let found = evaluate(&changed("broken", &[broken]), &["--windows", &windows()], 150);
    assert_eq!(results(&found), ["failed", "not run", "not run", "not run"]);
    assert_eq!(found["runtime"]["why"], json!("the specification is not legal"));
    let actions = &found["syntax"]["actions"];
    assert_eq!(of(actions, "action", "TryAcquireBlocking")["accepted"], json!(true));
    assert_eq!(of(actions, "action", "AcquireSuccess")["accepted"], json!(true));
    let release = of(actions, "action", "Release");
    assert_eq!((&release["accepted"], release["errors"].as_array().map(Vec::len)), (&json!(false), Some(1)));
    let (error, text) = (&release["errors"][0], changed("broken", &[broken]));
    assert_eq!((&error["line"], &error["file"]), (&json!(34), &json!(text)));
    assert!(error["column"].as_u64() > Some(1) && error["message"].as_str().is_some_and(|m| !m.is_empty()));
    let page = primed(&["evaluate", &text]).code_is(150).says("2 of 3 actions accepted").says("SpinLock.tla:34:");
    page.says("Release             refused")
        .says("AcquireSuccess      accepted")
        .says("not run     the specification is not legal");
}

#[test]
fn a_name_that_nothing_defines_is_an_error_of_the_action_that_uses_it() {
    let spec = changed("unknown", &[("/\\ UNCHANGED lockState", "/\\ UNCHANGED lockStat")]);
    let found = evaluate(&spec, &[], 150);
    let actions = &found["syntax"]["actions"];
    let wrong = of(actions, "action", "TryAcquireBlocking");
    assert_eq!(wrong["accepted"], json!(false));
    assert!(wrong["errors"][0]["message"].as_str().unwrap().contains("lockStat"), "{wrong}");
    assert_eq!(of(actions, "action", "Release")["accepted"], json!(true));
}

#[test]
fn a_deadlock_fails_runtime_and_invariants_are_judged_all_the_same() {
    let next = ("           \\/ Release(t)", "");
    let spec = changed("deadlock", &[next]);
    let found = evaluate(&spec, &[], 11);
    assert_eq!(results(&found), ["passed", "failed", "not run", "passed"]);
    let runtime = &found["runtime"];
    assert_eq!((&runtime["verdict"], &runtime["exit_code"]), (&json!("deadlock"), &json!(11)));
    assert!(runtime["trace"].as_array().unwrap().len() > 1);
    assert_eq!(found["status"], json!("draft"));
    let found = evaluate(&spec, &["--no-deadlock"], 0);
    assert_eq!(results(&found), ["passed", "passed", "not run", "passed"]);
    // Nothing was given, so that nothing is known: it is no more than a draft.
    assert_eq!(found["draft_because"], json!(["conformance: not run"]));
}

#[test]
fn an_action_without_windows_has_no_evidence() {
    let lines: Vec<String> =
        spin("windows.ndjson").lines().filter(|l| !l.contains("Release")).map(str::to_owned).collect();
    let windows = file("evaluate/no_release.ndjson", &lines.join("\n"));
    let found = evaluate(&changed("evidence", &[]), &["--windows", &windows], 0);
    assert_eq!(results(&found), ["passed", "passed", "incomplete", "passed"]);
    assert_eq!(
        (&found["status"], &found["draft_because"]),
        (&json!("draft"), &json!(["conformance: no evidence of Release"]))
    );
    assert_eq!(found["conformance"]["no_evidence"], json!(["Release"]));
    let row = of(&found["conformance"]["actions"], "action", "Release");
    assert!(row.get("rate").is_none() && row["evidence"] == json!("none"), "{row}");
    assert_eq!((&found["conformance"]["windows"], &found["conformance"]["conforming"]), (&json!(333), &json!(333)));
}

#[test]
fn a_violated_invariant_has_its_behaviour_and_hides_no_other() {
    let given = "\\* of experts\nNeverHeld ==\n  lockState = \"unlocked\"\nOften == []<>(lockState = \"unlocked\")\n\nTypeOK == DOMAIN pc = Threads\n\
                 NoSuch == pc[t]\nBeyond == pc[\"9\"] = \"idle\"\nHelp(x) == x\nFirst == lockState = Help(\"unlocked\")\n";
    let (spec, given) = (changed("violated", &[]), file("evaluate/given.tla", given));
    let found = evaluate(&spec, &["--invariants", &given, "--windows", &windows()], 12);
    assert_eq!(results(&found), ["passed", "passed", "passed", "failed"]);
    let properties = &found["invariants"]["properties"];
    let result = |name: &str| of(properties, "property", name)["result"].as_str().unwrap().to_owned();
    assert_eq!([result("MutualExclusion"), result("NeverHeld"), result("First")], ["holds", "violated", "violated"]);
    let trace = of(properties, "property", "NeverHeld")["search"]["trace"].as_array().unwrap().clone();
    assert_eq!((trace.len(), &trace[1]["state"]["lockState"]), (2, &json!("\"locked\"")));
    // Without fairness nothing has to happen.
    let often = of(properties, "property", "Often");
    assert_eq!(
        (&often["kind"], &often["result"], &often["exit_code"]),
        (&json!("property"), &json!("violated"), &json!(13))
    );
    // The specification has one of this name: both are checked.
    let both: Vec<&Value> = properties.as_array().unwrap().iter().filter(|p| p["property"] == "TypeOK").collect();
    assert_eq!(both.iter().map(|p| p["result"].as_str().unwrap()).collect::<Vec<_>>(), ["holds"; 2]);
    let broken = of(properties, "property", "NoSuch");
    assert_eq!(
        (&broken["result"], &broken["exit_code"], &broken["errors"][0]["line"]),
        (&json!("not evaluated"), &json!(150), &json!(7))
    );
    assert_eq!(
        (result("Beyond"), &of(properties, "property", "Beyond")["exit_code"]),
        ("not evaluated".into(), &json!(75))
    );
    let page = primed(&["evaluate", &spec, "--invariants", &given]).code_is(12);
    page.says("NeverHeld")
        .says("violated")
        .says("the invariant NeverHeld is violated in the last state")
        .says("lockState = \"locked\"");
}

#[test]
fn invariants_that_are_named_are_held_against_observed_states_too() {
    let spec = changed("observed", &[("TypeOK ==", "Free == lockState = \"unlocked\"\nTypeOK ==")]);
    let found = evaluate(&spec, &["--invariants", "MutualExclusion,Free,Nothing", "--windows", &windows()], 12);
    let properties = &found["invariants"]["properties"];
    assert_eq!(of(properties, "property", "MutualExclusion")["observed"], json!({"violated": 0, "not_evaluated": 0}));
    assert!(of(properties, "property", "Free")["observed"]["violated"].as_u64() > Some(100));
    assert!(of(properties, "property", "TypeOK").get("observed").is_none());
    let missing = of(properties, "property", "Nothing");
    assert_eq!((&missing["result"], &missing["exit_code"]), (&json!("not evaluated"), &json!(151)));
    assert!(missing["message"].as_str().unwrap().contains("does not define `Nothing`"));
}

#[test]
fn a_list_of_definitions_may_be_json() {
    let spec = changed("json", &[]);
    let listed = file(
        "evaluate/given.json",
        r#"{"invariants": ["Held == lockState \\in {\"locked\"}", "Known == DOMAIN pc = Threads"]}"#,
    );
    let found = evaluate(&spec, &["--invariants", &listed], 12);
    let properties = &found["invariants"]["properties"];
    assert_eq!(of(properties, "property", "Held")["result"], json!("violated"));
    assert_eq!(of(properties, "property", "Known")["result"], json!("holds"));
    // Places are those of the characters in the file, whatever is escaped before them.
    let wrong = file("evaluate/wrong.json", "[\n\n  \"Wrong == pc = \\\"\\u00e9\\\" /\\\\ nothing\"]");
    let found = evaluate(&spec, &["--invariants", &wrong], 150);
    let error = &of(&found["invariants"]["properties"], "property", "Wrong")["errors"][0];
    assert_eq!(
        (&error["line"], &error["column"], &error["end_column"]),
        (&json!(3), &json!(33), &json!(39)),
        "{error}"
    );
    let other = file("evaluate/no.json", "[\"é\",\n\"é\" x]");
    primed(&["evaluate", &spec, "--invariants", &other]).code_is(153).complains("at line 2, column 5");
    let other = file("evaluate/other.json", "{}");
    primed(&["evaluate", &spec, "--invariants", &other]).code_is(153).complains("is no list of properties");
}

#[test]
fn lines_that_cannot_be_judged_and_strange_actions_are_errors_of_these_windows() {
    let all = spin("windows.ndjson");
    let stranger =
        r#"{"action": "Steal", "pre_state": {"lockState": "locked"}, "post_state": {"lockState": "locked"}}"#;
    let windows = file("evaluate/odd.ndjson", &format!("{{no json\n{stranger}\n{all}"));
    let found = evaluate(&changed("odd", &[]), &["--windows", &windows], 75);
    let conformance = &found["conformance"];
    assert_eq!(
        (&conformance["windows"], &conformance["conforming"], &conformance["errors"]),
        (&json!(545), &json!(543), &json!(2))
    );
    let row = of(&conformance["actions"], "action", "Steal");
    assert_eq!((&row["errors"], &row["in_next"]), (&json!(1), &json!(false)));
    let messages: Vec<&str> =
        conformance["problems"].as_array().unwrap().iter().map(|p| p["message"].as_str().unwrap()).collect();
    assert!(
        messages.iter().any(|m| m.contains("has no action `Steal`"))
            && messages.iter().any(|m| m.contains("not a JSON object")),
        "{messages:?}"
    );
    // The same with the action before the file.
    let nameless =
        file("evaluate/nameless.ndjson", r#"{"pre": {"lockState": "locked"}, "post": {"lockState": "locked"}}"#);
    let found = evaluate(&changed("odd", &[]), &["--windows", &format!("Steal={nameless}")], 75);
    assert_eq!(of(&found["conformance"]["actions"], "action", "Steal")["errors"], json!(1));
    let released = file(
        "evaluate/released.ndjson",
        &all.lines()
            .filter(|l| l.contains("Release"))
            .map(|l| l.replace("\"action\": \"Release\", ", ""))
            .collect::<Vec<_>>()
            .join("\n"),
    );
    let found = evaluate(&changed("odd", &[]), &["--windows", &format!("Release={released}")], 0);
    assert_eq!(of(&found["conformance"]["actions"], "action", "Release")["conforming"], json!(210));
}

#[test]
fn what_is_missing_is_said_before_anything_is_run() {
    let spec = changed("missing", &[]);
    let run = |more: &[&str]| primed(&[&["evaluate", &spec][..], more].concat());
    run(&["--windows", "nowhere.ndjson"]).code_is(153).complains("cannot read `nowhere.ndjson`: there is no such file");
    run(&["--invariants", "nowhere.tla"]).code_is(153).complains("nowhere.tla");
    run(&["--tv", "TV_Nothing.tla"]).code_is(153).complains("TV_Nothing.tla");
    run(&["--windows"]).code_is(64);
    let empty = file("evaluate/empty.ndjson", "\n\n");
    run(&["--windows", &empty]).code_is(153).says("there are no windows in");
    // The specification and its configuration are what is evaluated: that they are not there is a result.
    let found = evaluate("Nowhere.tla", &[], 150);
    assert!(found["syntax"]["message"].as_str().unwrap().contains("Nowhere.tla"), "{found}");
    let found = evaluate(&spec, &["--config", "nowhere.cfg"], 255);
    assert_eq!(results(&found), ["passed", "failed", "not run", "not run"]);
    assert!(found["runtime"]["message"].as_str().unwrap().contains("nowhere.cfg"));
    let odd = file("evaluate/odd.cfg", "SPECIFICATION Spec\nCONSTANT Thread = {1}\n");
    let found = evaluate(&spec, &["--config", &odd], 151);
    assert_eq!(results(&found), ["passed", "failed", "not run", "not run"]);
    assert_eq!(found["conformance"]["why"], json!("no windows were given"));
    assert_eq!(found["invariants"]["why"], json!("the model cannot be opened"));
    // That windows cannot be judged either has its reason.
    let found = evaluate(&spec, &["--config", &odd, "--windows", &windows()], 151);
    assert!(found["conformance"]["why"].as_str().unwrap().starts_with("the specification cannot judge windows: "));
}

#[test]
fn a_search_that_ends_at_a_limit_is_incomplete_and_says_how_far_it_was() {
    let found = evaluate(&changed("limit", &[]), &["--max-states", "3", "--windows", &windows()], 73);
    assert_eq!(results(&found), ["passed", "incomplete", "passed", "incomplete"]);
    assert_eq!((&found["runtime"]["verdict"], &found["runtime"]["exit_code"]), (&json!("limit"), &json!(73)));
    let property = of(&found["invariants"]["properties"], "property", "MutualExclusion");
    assert_eq!(property["result"], json!("not reached"));
    assert!(property["message"].as_str().unwrap().contains("states that were found until then"), "{property}");
    let endless = "---- MODULE Endless ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1\nSpec == Init /\\ [][Next]_x\nSmall == x < 100\n====\n";
    let spec = file("evaluate/endless/Endless.tla", endless);
    file("evaluate/endless/Endless.cfg", "SPECIFICATION Spec\nINVARIANT Small\n");
    let found = evaluate(&spec, &["--seconds", "0.2"], 71);
    assert!(found["runtime"]["message"].as_str().unwrap().contains("the time of 0.2 s is over"), "{found}");
    assert_eq!(of(&found["invariants"]["properties"], "property", "Small")["result"], json!("violated"));
}

#[test]
fn actions_in_other_modules_are_judged_too() {
    let model = "---- MODULE MC ----\nEXTENDS SpinLock\nMCThreads == {\"0\", \"1\", \"2\"}\n====\n";
    let spec = changed("extended", &[("pc[t] = \"idle\"", "pc[t] = \"idle")]);
    let model = file("evaluate/extended/MC.tla", model);
    file("evaluate/extended/MC.cfg", "SPECIFICATION Spec\nCONSTANT Threads <- MCThreads\n");
    let found = evaluate(&model, &[], 150);
    let broken = of(&found["syntax"]["actions"], "action", "TryAcquireBlocking");
    assert_eq!((&broken["accepted"], &broken["file"]), (&json!(false), &json!(spec)));
    changed("extended", &[]);
    let found = evaluate(&model, &["--windows", &windows(), "--invariants", "MutualExclusion"], 0);
    assert_eq!((results(&found), &found["status"]), (["passed"; 4], &json!("final")));
}

#[test]
fn a_tv_module_judges_the_windows_of_its_action() {
    let ran = primed(&["tv", "--windows", "windows_Add.ndjson", "TV_Add.tla", "--json", "-"]);
    let conforming = ran.field("verdict").iter().filter(|v| *v == "conforms").count();
    let found = primed(&["evaluate", "Counter.tla", "--tv", "TV_Add.tla", "--seconds", "0.1", "--json", "-"]).json();
    let row = of(&found[0]["conformance"]["actions"], "action", "Add");
    assert_eq!((&row["windows"], &row["conforming"]), (&json!(ran.json().len()), &json!(conforming)));
    assert_eq!(found[0]["conformance"]["no_evidence"].as_array().map(Vec::len), Some(4));
}

#[test]
fn actions_that_tlc_does_not_tell_apart_are_counted_together() {
    let text = "---- MODULE Mail ----\nEXTENDS Naturals\nVARIABLE msgs\nInit == msgs = {1}\nGet(m) == msgs' = msgs \\ {m}\n\
                Put == msgs = {} /\\ msgs' = {1, 2}\nNext == Put \\/ \\E m \\in msgs : Get(m)\nSpec == Init /\\ [][Next]_msgs\n====\n";
    let spec = file("evaluate/mail/Mail.tla", text);
    file("evaluate/mail/Mail.cfg", "SPECIFICATION Spec\n");
    let runtime = evaluate(&spec, &[], 0)["runtime"].clone();
    assert!(runtime.get("counted_together").is_none(), "{runtime}");
    assert_eq!(of(&runtime["actions"], "action", "Put")["generated"], json!(1));
    let (get, next) = (of(&runtime["actions"], "action", "Get"), of(&runtime["actions"], "action", "Next"));
    assert_eq!((&get["generated"], &get["within"]), (&json!(4), &json!("Next")));
    assert_eq!((&next["generated"], &next["divided"]), (&json!(4), &json!(true)));
}

/// TLC counts all of them as `Next`, whose set depends on the state.
#[test]
fn of_actions_that_are_counted_together_those_that_were_never_taken_are_named() {
    let text = "---- MODULE Post ----\nEXTENDS Naturals, Sequences\nVARIABLES msgs, x\nInit == msgs = {1, 2} /\\ x = 0\n\
                One(m) == m = 1 /\\ x' = m /\\ UNCHANGED msgs\nThree(m) == m = 3 /\\ x' = m /\\ UNCHANGED msgs\n\
                Drop(m) == m > 5 /\\ msgs' = msgs \\ {m} /\\ UNCHANGED x\nNever == x > 9 /\\ UNCHANGED <<msgs, x>>\n\
                Inner(m) == One(m) \\/ Three(m)\nNext == \\E m \\in msgs : Inner(m) \\/ Drop(m) \\/ (ENABLED Drop(m) /\\ Never)\n\
                Spec == Init /\\ [][Next]_<<msgs, x>>\n====\n";
    let spec = file("evaluate/post/Post.tla", text);
    file("evaluate/post/Post.cfg", "SPECIFICATION Spec\n");
    let runtime = evaluate(&spec, &[], 0)["runtime"].clone();
    assert_eq!(of(&runtime["actions"], "action", "One")["generated"], json!(2), "{runtime}");
    assert_eq!(runtime["never_reached"], json!(["Three", "Drop", "Never"]), "{runtime}");
    primed(&["evaluate", &spec]).says("1 of 4 actions reached").says("consists of others");
    // The counts of `check` are TLC's.
    let checked = primed(&["check", &spec, "--coverage", "--json", "-"]).code_is(0).json();
    assert_eq!(checked[0]["coverage"].as_array().map(Vec::len), Some(2), "{}", checked[0]);
}

#[test]
fn places_of_properties_are_those_of_the_users_file() {
    let given = "Fine == TRUE\n  Wrong ==\n    pc[nobody] = 1\nFails == lockState = \"unlocked\" \\/ pc[\"no\"] = 1\n";
    let (spec, given) = (changed("places", &[]), file("evaluate/places.tla", given));
    let found = evaluate(&spec, &["--invariants", &given], 150);
    let properties = &found["invariants"]["properties"];
    let error = &of(properties, "property", "Wrong")["errors"][0];
    assert_eq!((&error["file"], &error["line"], &error["column"]), (&json!(given), &json!(3), &json!(8)), "{error}");
    let fails = of(properties, "property", "Fails");
    let place = format!("line 4, col 36 to line 4, col 43 of {given}");
    assert!(fails["places"].as_array().unwrap().contains(&json!(place)), "{fails}");
    assert!(!found.to_string().contains("SpinLock_properties"), "{found}");
    primed(&["evaluate", &spec, "--invariants", &given]).says("places.tla:3:8").says_not("_properties");
    let json = "{\"invariants\": [\n  \"Fine == TRUE\",\n  {\"name\": \"Wrong\", \"definition\": \"Wrong == pc[nobody] = 1\"}]}";
    let given = file("evaluate/places.json", json);
    let found = evaluate(&spec, &["--invariants", &given], 150);
    let error = &of(&found["invariants"]["properties"], "property", "Wrong")["errors"][0];
    assert_eq!((&error["file"], &error["line"], &error["column"]), (&json!(given), &json!(3), &json!(48)), "{error}");
}

#[test]
fn what_is_wrong_with_a_configuration_is_said_as_check_says_it() {
    let spec = changed("cfg", &[]);
    let base = "SPECIFICATION Spec\nCONSTANT Threads = {\"0\", \"1\", \"2\", \"3\"}\n";
    for (name, more, code) in [
        ("invariant", "INVARIANTS\n  TypeOK\n  TypOK\n", 151),
        ("property", "PROPERTY Nope\nINVARIANT TypeOK\n", 151),
        ("constraint", "CONSTRAINT Nope\n", 151),
        ("constant", "CONSTANT Threads <- Treads\n", 151),
        ("word", "NEXT\n", 255),
    ] {
        let config = file(&format!("evaluate/cfg/{name}.cfg"), &format!("{base}{more}"));
        let checked = primed(&["check", &spec, "--config", &config]).code_is(code);
        let first = checked.err.lines().next().unwrap().to_owned();
        let place = checked.err.lines().find_map(|line| line.trim().strip_prefix("--> ")).unwrap().to_owned();
        let found = primed(&["evaluate", &spec, "--config", &config, "--windows", &windows()]).code_is(code);
        assert!(place.contains(&format!("{name}.cfg:")) || place.contains("SpinLock.tla:"), "{place}");
        let all = format!("{}{}", found.out, found.err);
        let words = first.split_once(": ").map_or(first.as_str(), |(_, words)| words);
        assert!(all.contains(&place) && all.contains(words), "{name}: {first} {place}\n{all}");
        // What is to be checked is nothing that windows need.
        if ["invariant", "property"].contains(&name) {
            found.says("543 of 543 windows conform").says("runtime      passed");
        }
    }
}

#[test]
fn a_configuration_that_does_not_fit_silences_no_tv_module() {
    let odd = file("evaluate/tv/odd.cfg", "INIT Init\nNEXT Nothing\n");
    let more = ["--config", &odd, "--tv", "TV_Add.tla"];
    let found = evaluate("Counter.tla", &more, 151);
    assert_eq!(results(&found), ["passed", "failed", "failed", "not run"], "{found}");
    let row = of(&found["conformance"]["actions"], "action", "Add");
    assert!(row["conforming"].as_u64() > Some(0), "{row}");
}

#[test]
fn of_a_file_with_windows_of_several_actions_a_tv_module_judges_its_own() {
    let own = fs::read_to_string("tests/data/windows_Add.ndjson").unwrap();
    let count = own.lines().filter(|line| !line.trim().is_empty()).count();
    let strange = r#"{"window_id": "s", "action": "Inc", "pre_state": {"x": 0}, "post_state": {"x": 7}}"#;
    let mixed: String = own.lines().map(|line| format!("{strange}\n{line}\n")).collect();
    for name in ["TV_Add.tla", "TV_Add.cfg", "Counter.tla"] {
        file(&format!("evaluate/mixed/{name}"), &fs::read_to_string(format!("tests/data/{name}")).unwrap());
    }
    file("evaluate/mixed/windows.ndjson", &mixed);
    file("evaluate/mixed/windows_Add.ndjson", &mixed);
    let spec = file("evaluate/mixed/Counter.cfg", &fs::read_to_string("tests/data/Counter.cfg").unwrap());
    let spec = spec.replace(".cfg", ".tla");
    let tv = spec.replace("Counter", "TV_Add");
    let found = primed(&["evaluate", &spec, "--tv", &tv, "--seconds", "0.1", "--json", "-"]).json();
    let actions = &found[0]["conformance"]["actions"];
    assert_eq!(of(actions, "action", "Add")["windows"], json!(count), "{actions}");
    assert_eq!(of(actions, "action", "Inc")["windows"], json!(0), "{actions}");
}

#[test]
fn the_document_goes_to_a_file_and_the_page_to_people() {
    let (spec, target) = (changed("file", &[]), file("evaluate/file/out.json", ""));
    let ran = primed(&["evaluate", &spec, "--json", &target]).code_is(0).says("runtime      passed");
    assert!(!ran.out.contains('\u{1b}'), "{}", ran.out);
    let written: Value = serde_json::from_str(&fs::read_to_string(&target).unwrap()).unwrap();
    assert_eq!(written["status"], json!("draft"));
    primed(&["evaluate", &spec, "--color", "always"]).code_is(0).says("\u{1b}[32mpassed");
    let windows = file("evaluate/file/windows.ndjson", &spin("windows.ndjson"));
    primed(&["evaluate", &spec, "--windows", &windows, "--json", &windows])
        .code_is(64)
        .complains("is the file that is read");
}

/// The example of the README.
#[test]
fn the_example_of_the_readme_works() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let from = readme.find("primed evaluate ").expect("an example");
    let command = readme[from..].split("```").next().unwrap().replace('\\', " ");
    let words: Vec<&str> = command.lines().take(2).flat_map(str::split_whitespace).skip(1).collect();
    let ran: Ran = primed_in(Path::new(&repository()), &words).code_is(12);
    ran.says("conformance  failed").says("invariants   passed");
}

#[test]
fn recorded_windows_of_the_spin_lock() {
    let windows = repository().join("../shared/windows/spin_canonical.ndjson");
    if !windows.exists() {
        eprintln!("SKIPPED recorded_windows_of_the_spin_lock: there is no ../shared/windows/spin_canonical.ndjson");
        return;
    }
    let found = evaluate(&changed("recorded", &[]), &["--windows", windows.to_str().unwrap()], 0);
    assert_eq!((&found["status"], &found["conformance"]["conforming"]), (&json!("final"), &json!(543)));
}
