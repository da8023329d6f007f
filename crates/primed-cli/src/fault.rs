//! A panic is a fault of Primed, whatever the input was: it is said so, and the command ends with exit code 70.

use std::io::Write;
use std::panic::PanicHookInfo;

use crate::exit;

/// From now on a panic of any thread ends the process.
pub(crate) fn install() {
    std::panic::set_hook(Box::new(|info| {
        // If nobody listens, the exit code still says it.
        drop(std::io::stderr().write_all(report(info).as_bytes()));
        primed_oracle::run::end_all();
        std::process::exit(i32::from(exit::FAULT));
    }));
}

fn report(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref().map(String::as_str));
    let message = text.unwrap_or("no message");
    let place = info.location().map(|l| format!("\n  at {l}")).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    format!("\nprimed: this is a fault of Primed; please report it\n  {message}{place}\n  version {version}\n")
}
