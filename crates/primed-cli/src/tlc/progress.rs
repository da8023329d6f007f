//! The lines that TLC prints while it searches.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use primed::{Expanded, Watch};

use super::clock::{grouped, now};
use super::console::Console;

/// The first line comes after this long, the others after that.
const FIRST: Duration = Duration::from_secs(3);
const PACE: Duration = Duration::from_secs(60);

/// Counts what a search finds and prints it now and then.
pub(super) struct Progress<'c> {
    console: &'c Console,
    generated: AtomicU64,
    distinct: AtomicU64,
    expanded: AtomicU64,
    /// Where the level that is being expanded ends, and its number.
    level: Mutex<(u64, u64)>,
    stopped: Mutex<bool>,
    stop: Condvar,
}

impl<'c> Progress<'c> {
    pub(super) fn start(console: &'c Console) -> Progress<'c> {
        Progress {
            console,
            generated: AtomicU64::new(0),
            distinct: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            level: Mutex::new((0, 0)),
            stopped: Mutex::new(false),
            stop: Condvar::new(),
        }
    }

    /// Prints until [`Progress::stop`] is called.
    pub(super) fn report(&self) {
        let (mut wait, mut before) = (FIRST, (0, 0));
        let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        while !*stopped {
            let (guard, timeout) = self.stop.wait_timeout(stopped, wait).unwrap_or_else(PoisonError::into_inner);
            stopped = guard;
            if timeout.timed_out() && !*stopped {
                before = self.line(before, wait);
                wait = PACE;
            }
        }
    }

    pub(super) fn stop(&self) {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.stop.notify_all();
    }

    /// Prints a line; gives the counts for the next one.
    fn line(&self, before: (u64, u64), since: Duration) -> (u64, u64) {
        let get = |n: &AtomicU64| n.load(Ordering::Relaxed);
        let (generated, distinct, expanded) = (get(&self.generated), get(&self.distinct), get(&self.expanded));
        let per_minute = |n: u64| grouped((n as f64 * 60.0 / since.as_secs_f64()) as u64);
        let (_, depth) = *self.level.lock().unwrap_or_else(PoisonError::into_inner);
        self.console.plain(
            2200,
            &format!(
                "Progress({depth}) at {}: {} states generated ({} s/min), {} distinct states found ({} ds/min), {} states \
                 left on queue.",
                now(),
                grouped(generated),
                per_minute(generated.saturating_sub(before.0)),
                grouped(distinct),
                per_minute(distinct.saturating_sub(before.1)),
                grouped(distinct.saturating_sub(expanded)),
            ),
        );
        (generated, distinct)
    }
}

impl Watch for Progress<'_> {
    fn started(&self) {
        self.console.plain(2189, "Computing initial states...");
    }

    fn initial_states(&self, found: Expanded) {
        self.generated.fetch_add(found.generated, Ordering::Relaxed);
        self.distinct.fetch_add(found.distinct, Ordering::Relaxed);
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = (found.distinct, 1);
        let plural = if found.generated == 1 { "" } else { "s" };
        let Expanded { generated, distinct } = found;
        match generated == distinct {
            true => self.console.plain(
                2190,
                &format!(
                    "Finished computing initial states: {generated} distinct state{plural} generated at {}.",
                    now()
                ),
            ),
            false => self.console.plain(
                2191,
                &format!(
                    "Finished computing initial states: {generated} state{plural} generated, with {distinct} of them \
                     distinct at {}.",
                    now()
                ),
            ),
        }
    }

    fn expanded(&self, found: Expanded) {
        self.generated.fetch_add(found.generated, Ordering::Relaxed);
        let distinct = self.distinct.fetch_add(found.distinct, Ordering::Relaxed) + found.distinct;
        let expanded = self.expanded.fetch_add(1, Ordering::Relaxed) + 1;
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        if expanded >= level.0 {
            *level = (distinct, level.1 + u64::from(distinct > expanded));
        }
    }
}
