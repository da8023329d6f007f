//! What native code for actions over packed states could reach: three models of `conformance-suite/bench` written by hand, as a
//! compiler would write them. `docs/native-code.md` says what came out.
//!
//!     cargo run --release -p primed-benches --example native -- filter-lock|sliding-window|paxos
//!
//! `wide-filter-lock` and `wide-sliding-window` store the same states in rows of 24 bytes instead of 8.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints its figures")]

mod filter_lock;
mod paxos;
mod search;
mod sliding_window;
mod wide;

use std::process::ExitCode;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let counts = match &*name {
        "filter-lock" => search::search(&filter_lock::FilterLock),
        "sliding-window" => search::search(&sliding_window::SlidingWindow),
        "wide-filter-lock" => search::search(&wide::Wide(filter_lock::FilterLock)),
        "wide-sliding-window" => search::search(&wide::Wide(sliding_window::SlidingWindow)),
        "paxos" => search::search(&paxos::Paxos),
        _ => {
            eprintln!("native: filter-lock, sliding-window, paxos, wide-filter-lock or wide-sliding-window");
            return ExitCode::from(64);
        }
    };
    let search::Counts { generated, distinct, depth, violated } = counts;
    let exit = if violated.is_some() { 12 } else { 0 };
    println!("{{\"exit\": {exit}, \"generated\": {generated}, \"distinct\": {distinct}, \"depth\": {depth}}}");
    ExitCode::from(exit)
}
