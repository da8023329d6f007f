//! A panic is a fault of Primed, whatever the input was: it is said so, and the command ends with exit code 70.

use std::io::Write;
use std::panic::PanicHookInfo;

use crate::exit;

/// From now on a panic of any thread ends the process.
pub(crate) fn install() {
    std::panic::set_hook(Box::new(|info| {
        // If nobody listens, the exit code still says it.
        drop(std::io::stderr().write_all(report(info).as_bytes()));
        std::process::exit(i32::from(exit::FAULT));
    }));
}

fn report(info: &PanicHookInfo<'_>) -> String {
    let message = info.payload_as_str().unwrap_or("no message");
    let place = info.location().map(|l| format!("\n  at {l}")).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    format!("\nprimed: this is a fault of Primed; please report it\n  {message}{place}\n  version {version}\n")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    const CHILD: &str = "PRIMED_TEST_PANIC";

    /// Does nothing unless [`a_panic_ends_with_70`] runs it in a process of its own.
    #[test]
    fn child_that_panics() {
        if std::env::var_os(CHILD).is_some() {
            super::install();
            panic!("the moon is full");
        }
    }

    #[test]
    fn a_panic_ends_with_70() {
        let program = std::env::current_exe().unwrap();
        let arguments = ["--exact", "fault::tests::child_that_panics", "--nocapture"];
        let output = Command::new(program).args(arguments).env(CHILD, "1").output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(70), "{text}");
        assert!(text.contains("this is a fault of Primed; please report it"), "{text}");
        assert!(text.contains("the moon is full") && text.contains("fault.rs:"), "{text}");
    }
}
