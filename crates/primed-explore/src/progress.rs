//! How far a search is, to be read while it runs; and the way to end it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counters of a search in progress. They are exact when it has ended; until then each is right within the states that are
/// being expanded.
#[derive(Debug, Default)]
pub struct Progress {
    pub(crate) generated: AtomicU64,
    pub(crate) distinct: AtomicU64,
    pub(crate) queue: AtomicU64,
    pub(crate) depth: AtomicU64,
    pub(crate) initial: AtomicU64,
    pub(crate) bytes: AtomicU64,
    pub(crate) behaviours: AtomicU64,
    /// The sum of squared differences from the mean in the upper half, the mean in the lower.
    lengths: AtomicU64,
    stop: AtomicBool,
    interrupted: AtomicBool,
    settled: AtomicBool,
}

impl Progress {
    /// States generated, duplicates included.
    pub fn generated(&self) -> u64 {
        self.generated.load(Ordering::Relaxed)
    }

    /// Distinct states.
    pub fn distinct(&self) -> u64 {
        self.distinct.load(Ordering::Relaxed)
    }

    /// States found but not expanded.
    pub fn queue(&self) -> u64 {
        self.queue.load(Ordering::Relaxed)
    }

    /// Levels reached, initial states being the first.
    pub fn depth(&self) -> u64 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Distinct initial states; 0 until all are known.
    pub fn initial(&self) -> u64 {
        self.initial.load(Ordering::Relaxed)
    }

    /// Bytes that states and values took when this was last looked at.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Random behaviours that were begun.
    pub fn behaviours(&self) -> u64 {
        self.behaviours.load(Ordering::Relaxed)
    }

    /// Mean, variance and standard deviation of the lengths of random behaviours, in TLC's whole numbers (message 2209).
    pub fn lengths(&self) -> [u64; 3] {
        let lengths = self.lengths.load(Ordering::Relaxed);
        let variance = (lengths >> 32) as f64 / (self.behaviours() as f64 + 1.0);
        [lengths & u64::from(u32::MAX), variance.round() as u64, variance.sqrt().round() as u64]
    }

    /// A behaviour of so many states has ended. TLC's way to sum up: Welford's, in whole numbers.
    pub(crate) fn ended(&self, length: u64) {
        let begun = i64::try_from(self.behaviours().max(1)).unwrap_or(i64::MAX);
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let add = |lengths: u64| {
            let (mean, squares) = ((lengths & u64::from(u32::MAX)) as i64, (lengths >> 32) as i64);
            let delta = length.saturating_sub(mean);
            let mean = mean.saturating_add(delta / begun);
            let squares = squares.saturating_add(delta.saturating_mul(length.saturating_sub(mean)));
            Some(((squares as u64) << 32) | (mean as u64 & u64::from(u32::MAX)))
        };
        // The function gives a value always: the update cannot fail.
        let _always = self.lengths.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// Ends the search soon; what was found until then is reported.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// As [`Progress::stop`], by somebody outside who does not want to wait.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
        self.stop();
    }

    /// [`Progress::interrupt`] was called.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// No state is being expanded any more: who interrupted the search is answered soon.
    pub fn is_settled(&self) -> bool {
        self.settled.load(Ordering::Relaxed)
    }

    pub(crate) fn settle(&self) {
        self.settled.store(true, Ordering::Relaxed);
    }

    pub(crate) fn stop_requested(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
