//! The command `primed`: the only crate that reads arguments, prints and exits.

#![forbid(unsafe_code)]

mod arguments;
mod check;
mod commands;
mod conformance;
mod cross;
mod decompose;
mod diagnostics;
mod eval;
mod evaluate;
mod exit;
mod fault;
mod fuzz;
mod interrupt;
mod memory;
mod minimize;
mod oracle;
mod output;
mod paint;
mod progress;
mod sany;
mod tlc;
mod tv;
mod windows;

use std::process::ExitCode;

/// The trees of the front end are many small allocations: it takes a fifth less time than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fault::install();
    arguments::run(std::env::args_os())
}
