//! `primed conformance`: from anywhere, of one case, and before the real TLC.
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

mod common;

use std::path::Path;

use common::{primed_in, repository};

#[test]
fn a_case_is_named_from_anywhere_by_its_path() {
    let outside = tempfile::tempdir().unwrap();
    let case = repository().join("conformance-suite/models/deadlock");
    let suite = repository().join("conformance-suite");
    let (case, suite) = (case.to_str().unwrap(), suite.to_str().unwrap());
    for arguments in [
        &["conformance", case][..],
        &["conformance", "--suite", suite, "models/deadlock"],
        &["conformance", "--suite", suite, case],
        &["conformance", &format!("{case}/case.json")],
    ] {
        let ran = primed_in(outside.path(), arguments).code_is(0);
        ran.says("cases judged: 1 by Primed\n").says(" passed, 0 failed, 0 skipped");
    }
    let inside = primed_in(&Path::new(suite).join("models"), &["conformance", "deadlock"]).code_is(0);
    inside.says(" passed, 0 failed, 0 skipped");
    primed_in(outside.path(), &["conformance", "models/deadlock"]).code_is(153).complains("--suite");
    primed_in(outside.path(), &["conformance", "--suite", suite, "models/nothing"])
        .code_is(64)
        .complains("models/nothing");
}

#[test]
fn what_a_newer_tlc_answered_is_told() {
    let ran = primed_in(&repository(), &["conformance", "models/action-composition", "--json", "-"]).code_is(0);
    assert_eq!((&ran.json()[0]["judge"], &ran.json()[0]["newest"]), (&"Primed".into(), &true.into()));
    let ran = primed_in(&repository(), &["conformance", "models/action-composition"]).code_is(0);
    ran.says("the answers of 1 are those of a TLC newer than 2.15");
}

#[test]
fn the_real_tlc_is_asked_about_one_case_from_outside() {
    let outside = tempfile::tempdir().unwrap();
    let case = repository().join("conformance-suite/models/deadlock");
    let installed = primed_in(outside.path(), &["oracle", "--json", "-"]).code == Some(0);
    if !installed {
        eprintln!("SKIPPED the_real_tlc_is_asked_about_one_case_from_outside: TLC is not installed");
        return;
    }
    let ran = primed_in(outside.path(), &["conformance", "--against-tlc", case.to_str().unwrap()]);
    if ran.err.contains("Python 3") {
        eprintln!("SKIPPED the_real_tlc_is_asked_about_one_case_from_outside: {}", ran.err);
        return;
    }
    ran.code_is(0).says("cases judged: 1 by TLC 2.15\n").says("1 passed, 0 failed, 0 skipped");
    let composition = repository().join("conformance-suite/models/action-composition");
    let ran = primed_in(outside.path(), &["conformance", "--against-tlc", composition.to_str().unwrap()]).code_is(0);
    ran.says("cases judged: 1 not for 2.15\n").complains("TLC 2.15 cannot judge any of these");
}
