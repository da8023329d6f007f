//! A panic ends the command with exit code 70 and asks for a report. No input is known that makes it panic, so that the handler
//! is tried in a process of this test program.

use std::process::Command;

mod exit {
    pub(crate) const FAULT: u8 = 70;
}

#[path = "../src/fault.rs"]
mod fault;

const CHILD: &str = "PRIMED_TEST_PANIC";

/// Does nothing unless [`a_panic_ends_with_70`] runs it in a process of its own.
#[test]
fn child_that_panics() {
    if std::env::var_os(CHILD).is_some() {
        fault::install();
        panic!("the moon is full");
    }
}

#[test]
fn a_panic_ends_with_70() {
    let program = std::env::current_exe().unwrap();
    let arguments = ["--exact", "child_that_panics", "--nocapture"];
    let output = Command::new(program).args(arguments).env(CHILD, "1").output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(70), "{text}");
    assert!(text.contains("this is a fault of Primed; please report it"), "{text}");
    assert!(text.contains("the moon is full") && text.contains("fault.rs:"), "{text}");
}
