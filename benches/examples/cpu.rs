//! The CPU time that Primed takes for windows, as a line of JSON: for `benches/against-tlc windows`.
//!
//! `cpu held LINE` judges one recorded window held in memory; `cpu names COUNT` different windows from NDJSON text by name;
//! `cpu tv COUNT` the same through a TV module, which is loaded anew each time; `cpu windows COUNT` prints them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program prints")]

use std::io::Cursor;
use std::process::ExitCode;
use std::time::Instant;

use bumpalo::Bump;
use primed::{Outcome, TvResult};
use primed_benches::{different, eight_threads, recorded, recorded_spec, tv_module};

/// Least seconds of CPU time in which a figure is taken.
const ENOUGH: f64 = 1.0;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match (arguments.first().map(String::as_str), arguments.get(1).and_then(|n| n.parse().ok())) {
        (Some("held"), Some(line)) => held(line),
        (Some("names"), Some(count)) => names(count),
        (Some("tv"), Some(count)) => tv(count),
        (Some("windows"), Some(count)) => {
            print!("{}", different(count));
            Ok(())
        }
        _ => Err("usage: cpu held LINE | names COUNT | tv COUNT | windows COUNT".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("cpu: {message}");
            ExitCode::FAILURE
        }
    }
}

/// CPU seconds of this process, all threads; wall-clock seconds where the system does not say.
fn cpu(start: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> =
        stat.rsplit(") ").next().unwrap_or_default().split(' ').filter_map(|f| f.parse().ok()).collect();
    // The first field after the name is a letter, so that `utime` and `stime` are the eleventh and twelfth number.
    match (fields.get(10), fields.get(11)) {
        (Some(user), Some(system)) => (user + system) / 100.0,
        _ => start.elapsed().as_secs_f64(),
    }
}

/// Repeats work until it has taken long enough, and prints the CPU time of one repetition.
fn measure(windows: usize, repeat: usize, work: &mut dyn FnMut() -> Result<usize, String>) -> Result<(), String> {
    let mut conforming = work()?;
    let start = Instant::now();
    let (before, mut times) = (cpu(start), 0);
    while cpu(start) - before < ENOUGH {
        for _ in 0..repeat {
            conforming = work()?;
        }
        times += repeat;
    }
    let seconds = (cpu(start) - before) / times as f64;
    println!("{}", serde_json::json!({"windows": windows, "conforming": conforming, "cpu": seconds}));
    Ok(())
}

fn held(line: usize) -> Result<(), String> {
    let spec = recorded_spec().map_err(|e| e.to_string())?;
    let text = recorded().map_err(|e| e.to_string())?;
    let step = spec.hold(text.lines().nth(line.saturating_sub(1)).ok_or("there is no such line")?)?;
    let mut scratch = Bump::new();
    measure(1, 10_000, &mut || {
        let conforms = spec.judge_held(std::hint::black_box(&step), &scratch) == Outcome::Conforms;
        scratch.reset();
        Ok(usize::from(conforms))
    })
}

fn names(count: usize) -> Result<(), String> {
    let spec = eight_threads().map_err(|e| e.to_string())?;
    let text = different(count);
    measure(count, 1, &mut || {
        let mut conforming = 0;
        let mut report = |verdict: primed::Verdict| {
            conforming += usize::from(verdict.outcome == Outcome::Conforms);
            true
        };
        spec.judge_all(Cursor::new(&text), &mut report, &mut |_| {}).map_err(|e| e.to_string())?;
        Ok(conforming)
    })
}

fn tv(count: usize) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let text = different(count);
    measure(count, 1, &mut || {
        let module = tv_module(&text, folder.path())?;
        Ok((1..=count).filter(|i| matches!(module.judge(*i), TvResult::Conforms { .. })).count())
    })
}
