//! The command `primed`: the only crate that reads arguments, prints and exits.

#![forbid(unsafe_code)]

mod arguments;
mod check;
mod decompose;
mod diagnostics;
mod eval;
mod exit;
mod fault;
mod output;
mod paint;
mod progress;
mod sany;
mod tlc;
mod tv;
mod windows;

use std::process::ExitCode;

fn main() -> ExitCode {
    fault::install();
    arguments::run(std::env::args_os())
}
