//! A file of windows that is much larger than memory should be is judged in little memory.

use std::io::{BufReader, Read};

use primed::{Outcome, Spec};
use primed_tests::root;

/// Bytes to judge. A build without optimization is slow: it gets less.
const SIZE: usize = if cfg!(debug_assertions) { 24 << 20 } else { 100 << 20 };

/// Windows without end until so many bytes are given; nothing of it is kept.
struct Windows {
    left: usize,
    count: usize,
    line: Vec<u8>,
    at: usize,
}

impl Windows {
    /// Every tenth window is one that the lock cannot take.
    fn next_line(&mut self) {
        let thread = self.count % 3;
        let pc = |state: &str| {
            let each = (0..3).map(|t| format!(r#""{t}": "{}""#, if t == thread { state } else { "idle" }));
            each.collect::<Vec<_>>().join(", ")
        };
        let to = if self.count % 10 == 9 { "idle" } else { "locked" };
        self.line = format!(
            "{{\"window_id\": {}, \"trace_id\": \"t\", \"action\": \"AcquireSuccess\", \"actor\": \"{thread}\", \"pre_state\": \
             {{\"lockState\": \"unlocked\", \"pc\": {{{}}}}}, \"post_state\": {{\"lockState\": \"locked\", \"pc\": {{{}}}}}, \
             \"padding\": \"{:>120}\"}}\n",
            self.count,
            pc("acquiring"),
            pc(to),
            self.count
        )
        .into_bytes();
        self.count += 1;
        self.at = 0;
    }
}

impl Read for Windows {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.line.len() {
            if self.left == 0 {
                return Ok(0);
            }
            self.next_line();
            self.left = self.left.saturating_sub(self.line.len());
        }
        let length = buffer.len().min(self.line.len() - self.at);
        buffer[..length].copy_from_slice(&self.line[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}

/// Bytes of this process that are in memory, where the system says so.
fn resident() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[test]
#[allow(clippy::print_stderr, reason = "what is not tested is said")]
fn a_stream_is_judged_in_bounded_memory() {
    let spec = Spec::builder(root().join("conformance-suite/systems/spin/SpinLock.tla"));

    let spec = spec.brief().open().unwrap();
    let windows = Windows { left: SIZE, count: 0, line: Vec::new(), at: 0 };
    let (mut conforming, mut refused, mut bytes) = (0usize, 0usize, 0u64);
    let (mut first, mut most) = (None, 0);
    let mut report = |verdict: primed::Verdict| {
        match verdict.outcome {
            Outcome::Conforms => conforming += 1,
            Outcome::Refused(_) => refused += 1,
            other => panic!("line {}: {other:?}", verdict.line),
        }
        true
    };
    let mut progress = |so_far: u64| {
        bytes = so_far;
        if let Some(now) = resident() {
            first.get_or_insert(now);
            most = most.max(now);
        }
    };
    spec.judge_all(BufReader::new(windows), &mut report, &mut progress).unwrap();
    assert!(bytes as usize >= SIZE, "{bytes} bytes were judged");
    assert_eq!(refused, (conforming + refused) / 10);
    match first {
        Some(first) => {
            let grown = most.saturating_sub(first);
            assert!(grown < SIZE / 4, "{grown} bytes more in memory while judging {SIZE}");
        }
        None => eprintln!("SKIPPED: the memory bound (no /proc/self/statm here); the verdicts were tested"),
    }
}
