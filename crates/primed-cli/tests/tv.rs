//! `primed tv`: a TV module for every window of its file.

mod common;

use common::{file, primed};
use serde_json::json;

const TV: [&str; 6] = ["tv", "--windows", "windows_Add.ndjson", "-config", "TV_Add.cfg", "TV_Add.tla"];

#[test]
fn every_window_has_its_verdict() {
    let ran = primed(&[&TV, &["--json", "-"][..]].concat()).code_is(12);
    let objects = ran.json();
    assert_eq!(ran.field("verdict"), ["conforms", "refused", "refused", "error", "conforms"]);
    assert_eq!(objects[0]["index"], json!(1));
    assert_eq!(objects[0]["invariant"], json!("NeverPost"));
    let ids: Vec<_> = objects.iter().map(|o| o.get("id").cloned()).collect();
    assert_eq!(ids, [Some(json!("a")), Some(json!(2)), Some(json!(3)), Some(json!(4)), None]);
    assert_eq!(objects[1], json!({"index": 2, "id": 2, "verdict": "refused", "states": 2, "initial": 1}));
    // The state before the step is impossible.
    assert_eq!(objects[2]["initial"], json!(0));
    assert!(objects[3]["message"].is_string() && objects[3]["places"][0].is_string(), "{}", objects[3]);
}

#[test]
fn people_see_the_sums() {
    let ran = primed(&TV).code_is(12).says("TV_Add: 5 windows, 2 conforming (40.0 %), 2 refused, 1 error");
    ran.says("Refused: windows 2").says("impossible: windows 3").says("error in windows 4:");
}

#[test]
fn the_configuration_has_one_dash_or_two_or_a_default() {
    let two = ["tv", "--windows", "windows_Add.ndjson", "--config", "TV_Add.cfg", "TV_Add.tla"];
    let none = ["tv", "TV_Add.tla", "--windows", "windows_Add.ndjson"];
    let expected = primed(&TV).out;
    assert_eq!(primed(&two).out, expected);
    assert_eq!(primed(&none).out, expected);
    assert_eq!(primed(&[&none, &["--threads", "1"][..]].concat()).out, expected);
}

#[test]
fn windows_that_are_missing_are_an_error() {
    primed(&["tv", "TV_Add.tla", "--windows", "missing.ndjson"]).code_is(153).complains("`missing.ndjson`");
    let empty = file("tv-empty.ndjson", "\n  \n");
    primed(&["tv", "TV_Add.tla", "--windows", &empty]).code_is(153).complains("there are no windows");
}

#[test]
fn a_module_that_cannot_be_used_has_its_exit_code() {
    let windows = "windows_Add.ndjson";
    primed(&["tv", "Missing.tla", "--windows", windows]).code_is(150).complains("`Missing.tla`");
    primed(&["tv", "TV_Add.tla", "-config", "Missing.cfg", "--windows", windows]).code_is(255);
    let config = file("tv-none.cfg", "INIT Init\nNEXT Next\n");
    primed(&["tv", "TV_Add.tla", "-config", &config, "--windows", windows]).code_is(151).complains("no invariant");
    primed(&["tv", "TV_Add.tla"]).code_is(64).complains("--windows");
}

#[test]
fn what_the_module_reads_stays_in_its_folder() {
    let text = "---- MODULE Nosy ----\nEXTENDS Integers, Json\nVARIABLE x\nInit == x = ndJsonDeserialize(\"/etc/passwd\")\n\
                Next == UNCHANGED x\nNever == FALSE\n====\n";
    let nosy = file("nosy/Nosy.tla", text);
    file("nosy/Nosy.cfg", "INIT Init\nNEXT Next\nINVARIANT Never\n");
    let windows = file("nosy/w.ndjson", "{}\n");
    primed(&["tv", &nosy, "--windows", &windows]).code_is(75).says("is not allowed");
}

#[test]
fn a_module_that_never_reads_its_index_is_told() {
    let module = "---- MODULE Blind ----\nVARIABLE x\nInit == x = 0\nNext == x' = 1\nNeverPost == x # 1\n====\n";
    let module = file("Blind.tla", module);
    file("Blind.cfg", "INIT Init\nNEXT Next\nINVARIANT NeverPost\n");
    let windows = file("blind.ndjson", "{\"id\":1}\n");
    let ran = primed(&["tv", "--windows", &windows, &module]).code_is(0).complains("never reads `IOEnv.WINDOW_INDEX`");
    assert!(!ran.err.contains("[0]"), "{}", ran.err);
    let seeing = primed(&TV).code_is(12);
    assert!(!seeing.err.contains("never reads"), "{}", seeing.err);
}
