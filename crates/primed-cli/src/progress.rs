//! A line on a terminal's standard error that says how far the work is, once it takes longer than half a second.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::output::raw_error;

const PATIENCE: Duration = Duration::from_millis(500);
const PACE: Duration = Duration::from_millis(120);

/// A line that is shown until this is dropped.
pub(crate) struct Live {
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Live {
    /// Starts if standard error is a terminal and nothing else is written to one meanwhile. `line` gets the time since then.
    pub(crate) fn start(quiet: bool, line: impl Fn(Duration) -> String + Send + 'static) -> Live {
        if quiet || !std::io::stderr().is_terminal() {
            return Live { stop: None, thread: None };
        }
        let (stop, stopped) = mpsc::channel();
        let thread = std::thread::spawn(move || show(&line, &stopped));
        Live { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It has nothing to give back, and cannot have panicked: a panic ends the process.
            drop(thread.join());
        }
    }
}

fn show(line: &dyn Fn(Duration) -> String, stopped: &mpsc::Receiver<()>) {
    let start = Instant::now();
    let mut wait = PATIENCE;
    let mut shown = false;
    while stopped.recv_timeout(wait) == Err(mpsc::RecvTimeoutError::Timeout) {
        raw_error(&format!("\r\x1b[K{}", line(start.elapsed())));
        (shown, wait) = (true, PACE);
    }
    if shown {
        raw_error("\r\x1b[K");
    }
}

/// Shows how many windows were judged until it is dropped.
pub(crate) struct Progress {
    counts: Arc<Counts>,
    _live: Live,
}

#[derive(Default)]
struct Counts {
    windows: AtomicU64,
    refused: AtomicU64,
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// Starts if standard error is a terminal and nothing else is written to one meanwhile.
    pub(crate) fn start(quiet: bool) -> Progress {
        let counts = Arc::new(Counts::default());
        let shown = counts.clone();
        Progress { counts, _live: Live::start(quiet, move |elapsed| line(&shown, elapsed)) }
    }

    /// So much of so much is done (bytes or windows); a total of 0 is not known.
    pub(crate) fn done(&self, done: u64, total: u64) {
        self.counts.done.store(done, Ordering::Relaxed);
        self.counts.total.store(total, Ordering::Relaxed);
    }

    /// One more window was judged.
    pub(crate) fn judged(&self, refused: bool) {
        self.counts.windows.fetch_add(1, Ordering::Relaxed);
        self.counts.refused.fetch_add(u64::from(refused), Ordering::Relaxed);
    }
}

fn line(counts: &Counts, elapsed: Duration) -> String {
    let get = |n: &AtomicU64| n.load(Ordering::Relaxed);
    let (done, total) = (get(&counts.done), get(&counts.total));
    let part = match total {
        0 => String::new(),
        total => format!("{:3} %  ", (done.min(total) as f64 / total as f64 * 100.0) as u64),
    };
    let (windows, refused) = (get(&counts.windows), get(&counts.refused));
    format!("{part}{windows} windows, {refused} refused, {:.1} s", elapsed.as_secs_f64())
}
