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
    stop: AtomicBool,
    interrupted: AtomicBool,
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

    pub(crate) fn stop_requested(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
