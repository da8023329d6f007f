//! `primed decompose`.

mod common;

use std::fs;

use common::primed;

const BROKEN: &str = "---- MODULE Broken ----
EXTENDS Integers
VARIABLE x
Init == x = )
Step(i) == /\\ Init
           /\\ x' = x + i
Next == \\E i \\in 1..2 : Step(i, 2)
Spec == Init /\\ [][Next]_x
====
";

fn written(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("it can be written");
    let path = path.to_string_lossy().into_owned();
    (folder, path)
}

#[test]
fn each_unit_has_a_verdict_with_places_of_the_file() {
    let (_folder, path) = written("Broken.tla", BROKEN);
    let ran = primed(&["decompose", &path, "--json", "-"]).code_is(150);
    assert_eq!(ran.field("verdict"), ["ok", "ok", "syntax", "ok", "semantic", "ok", ""]);
    assert_eq!(ran.field("name"), ["", "", "Init", "Step", "Next", "Spec", ""]);
    let lines = ran.json();
    assert_eq!((lines[3]["line"].as_u64(), lines[3]["end_line"].as_u64()), (Some(5), Some(6)));
    assert_eq!(lines[2]["diagnostics"][0]["code"], 4003);
    assert_eq!(lines[2]["diagnostics"][0]["module"], "Broken");
    assert_eq!(lines[2]["diagnostics"][0]["line"], 4);
    let arity = &lines[4]["diagnostics"][0];
    assert_eq!(
        (arity["code"].as_u64(), arity["line"].as_u64(), arity["column"].as_u64()),
        (Some(4204), Some(7), Some(29))
    );
    assert_eq!(arity["notes"][0]["line"], 5);
    assert_eq!(arity["help"], "it takes 1 argument, here are 2");
    let stub = &lines[5]["stubs"][0];
    assert_eq!(
        (stub["name"].as_str(), stub["arity"].as_u64(), stub["reason"].as_str()),
        (Some("Init"), Some(0), Some("broken"))
    );
    let summary = &lines[6];
    assert_eq!((summary["definitions"].as_u64(), summary["definitions_ok"].as_u64()), (Some(4), Some(2)));
    assert_eq!(summary["accepted"], false);
}

#[test]
fn people_see_a_table_the_places_and_the_sum() {
    let (_folder, path) = written("Broken.tla", BROKEN);
    primed(&["decompose", &path])
        .code_is(150)
        .says("syntax    Init      4\n")
        .says("ok        Step      5-6           stubbed: Init (broken, line 4)\n")
        .says("Broken.tla:7:29")
        .says("2 of 4 definitions are fine, 2 of them with names stubbed; the module as a whole is refused\n");
}

#[test]
fn a_module_without_faults_is_accepted() {
    let (_folder, path) = written("Good.tla", "---- MODULE Good ----\nA == 1\nB == A\n====\n");
    primed(&["decompose", &path]).code_is(0).says("2 of 2 definitions are fine; the module as a whole is accepted\n");
    primed(&["decompose", "no/such/file"]).code_is(150).complains("there is no such file");
}

#[test]
fn a_file_that_cannot_be_read_has_a_summary() {
    let ran = primed(&["decompose", "no/such/file", "--json", "-"]).code_is(150).complains("there is no such file");
    let lines = ran.json();
    assert_eq!((lines.len(), &lines[0]["summary"], &lines[0]["accepted"]), (1, &true.into(), &false.into()));
    assert_eq!(lines[0]["diagnostics"][0]["code"], 4220);
    assert_eq!(lines[0]["file"], "no/such/file.tla");
}

#[test]
fn what_is_wrong_outside_of_the_units_counts() {
    let (_folder, path) = written("Empty.tla", "---- MODULE Empty ----\n====\n");
    primed(&["decompose", &path]).code_is(0).says("accepted");
    for text in ["A == 1\n", "---- MODULE M ----\nA == 1\n", "---- MODULE M\nA == 1\n====\n"] {
        let (_folder, path) = written("M.tla", text);
        let ran = primed(&["decompose", &path, "--json", "-"]).code_is(150);
        assert_eq!(ran.field("verdict"), ["ok", ""], "{text}");
        assert_eq!(ran.json()[1]["diagnostics"][0]["code"], 4003, "{text}");
    }
    let (folder, path) = written("M.tla", "---- MODULE M ----\nEXTENDS Other\nA == 1\n====\n");
    fs::write(folder.path().join("Other.tla"), "---- MODULE Other ----\nB == C\n====\n").expect("it can be written");
    let ran = primed(&["decompose", &path, "--json", "-"]).code_is(150);
    let lines = ran.json();
    let summary = lines.last().expect("a summary");
    assert_eq!(summary["diagnostics"][0]["module"], "Other");
}
