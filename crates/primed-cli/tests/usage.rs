//! How the command is called.

mod common;

use common::{file, primed};

#[test]
fn wrong_usage_ends_with_64() {
    primed(&[]).code_is(64);
    primed(&["frobnicate"]).code_is(64).complains("unrecognized subcommand");
    primed(&["windows"]).code_is(64).complains("--windows");
    primed(&["eval", "--color", "blue", "1"]).code_is(64);
}

#[test]
fn help_tells_the_exit_codes() {
    for arguments in [&["--help"][..], &["windows", "--help"], &["tv", "--help"], &["eval", "-h"]] {
        let ran = primed(arguments).code_is(0).says("Exit codes:").says("  70  a fault of Primed");
        assert!(ran.out.lines().all(|line| line.chars().count() <= 100), "{}", ran.out);
    }
    primed(&["--version"]).code_is(0).says("primed ");
}

#[test]
fn help_lists_only_what_there_is() {
    let help = primed(&["--help"]).out;
    let listed = |name: &str| help.lines().any(|line| line.trim_start().starts_with(&format!("{name} ")));
    assert!(["windows", "tv", "eval", "check", "sany", "decompose", "tlc"].iter().all(|name| listed(name)));
    assert!(!listed("trace") && !listed("serve"));
}

#[test]
fn a_misspelt_name_is_met_with_the_one_that_was_meant() {
    let spec = file(
        "usage/Chair.tla",
        "---- MODULE Chair ----\nCONSTANT Seats\nVARIABLE up\nInit == up = FALSE\nStand == ~up /\\ up' = TRUE\n\
         Next == Stand\nSpec == Init /\\ [][Next]_up\nTypeOK == up \\in BOOLEAN\n====\n",
    );
    let config = |text: &str| file("usage/Chair.cfg", text);
    let whole = "SPECIFICATION Spec\nCONSTANT Seats = {1}\nCHECK_DEADLOCK FALSE\n";
    let misspelt = [
        ("INVARIENT TypeOK", "INVARIANT"),
        ("specification Spec", "SPECIFICATION"),
        ("INVARIANT TypeKO", "TypeOK"),
        ("PROPERTY Sepc", "Spec"),
        ("CONSTANT Stand <- Stadn", "Stand"),
        ("CONSTANT Stand <- [Chiar]Stand", "Chair"),
    ];
    for (line, meant) in misspelt {
        config(&format!("{line}\n{whole}"));
        let ran = primed(&["check", &spec]).complains(&format!("did you mean `{meant}`?"));
        assert_ne!(ran.code, Some(0), "{line}");
    }
    config(whole);
    let windows = file("usage/chair.ndjson", "{}\n");
    let asked = |more: &[&str], meant: &str| {
        let ran = primed(&[&["windows", &spec, "--windows", &windows], more].concat()).code_is(151);
        ran.complains(&format!("did you mean `{meant}`?"));
    };
    asked(&["--action", "Stnad"], "Stand");
    asked(&["--invariant", "TyepOK"], "TypeOK");
    asked(&["--unobserved", "Inti"], "Init");
    let judged = |window: &str, said: &str| {
        let windows = file("usage/chair.ndjson", window);
        primed(&["windows", &spec, "--windows", &windows]).code_is(75).says(said);
    };
    judged(r#"{"action": "Stnad", "pre": {}, "post": {}}"#, "did you mean `Stand`?");
    judged(r#"{"action": "Stand", "pre": {"pu": true}, "post": {}}"#, "`pu` in `pre_state` is no variable");
    judged(r#"{"action": "Stand", "per": {}, "post": {}}"#, "its key `per` means nothing: did you mean `pre`?");
    judged(r#"{"actoin": "Stand", "pre": {}, "post": {}}"#, "did you mean `action`?");
    judged(r#"{"action": 1, "pre": {}, "post": {}}"#, "its key `action` has no string");
    judged(r#"{"action": "é\u00e9", x}"#, "at column 23");
    primed(&["eval", "--extends", "FinitSets", "1"]).code_is(150).complains("did you mean `FiniteSets`?");
}

#[test]
fn the_suffix_of_a_specification_may_be_left_out() {
    primed(&["windows", "Counter", "--windows", "none.ndjson"]).code_is(153).complains("none.ndjson");
    primed(&["check", "Counter"]).says("Counter");
    primed(&["minimize", "nothing"]).code_is(153).complains("there is no such file");
}
