//! How the command is called.

mod common;

use common::primed;

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
