//! Ctrl-C: the search ends at the next state, and what was found until then is shown; of the real TLC nothing is left over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use primed::Progress;

use crate::exit::INTERRUPTED;

/// From now on an interrupt, or a request to end, ends this search; a second one the process.
pub(crate) fn ends(progress: &Arc<Progress>) {
    let progress = progress.clone();
    let handler = move || {
        if progress.is_interrupted() {
            std::process::exit(i32::from(INTERRUPTED));
        }
        progress.interrupt();
        primed_oracle::run::end_all();
    };
    // Where it cannot be had, Ctrl-C ends the process at once, as it does anyway.
    drop(ctrlc::set_handler(handler));
}

/// So long a search that was interrupted may go on with the state that it expands.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is asked whether somebody interrupted it.
const LOOK: Duration = Duration::from_millis(100);

/// Runs a search that can be interrupted. A state whose expansion goes on for long after that is not waited for: `last_words` then
/// says what was found, and the process ends. Where a checkpoint is wanted, it is waited for all the same.
pub(crate) fn patiently<T>(
    progress: &Progress,
    wants_checkpoint: bool,
    last_words: impl Fn() + Send,
    search: impl FnOnce() -> T,
) -> T {
    let (running, ended) = channel::<()>();
    std::thread::scope(|scope| {
        let running = running;
        let over = move |wait| !matches!(ended.recv_timeout(wait), Err(RecvTimeoutError::Timeout));
        if !wants_checkpoint {
            scope.spawn(move || {
                while !progress.is_interrupted() {
                    if over(LOOK) {
                        return;
                    }
                }
                if !over(PATIENCE) && !progress.is_settled() {
                    last_words();
                    std::process::exit(i32::from(INTERRUPTED));
                }
            });
        }
        let result = search();
        drop(running);
        result
    })
}

/// Work in several searches that an interrupt ends, a second one with the process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interruptible {
    interrupted: Arc<AtomicBool>,
    running: Arc<Mutex<Option<Arc<Progress>>>>,
}

impl Interruptible {
    /// Work that an interrupt ends from now on.
    pub(crate) fn start() -> Interruptible {
        let work = Interruptible::default();
        let Interruptible { interrupted, running } = work.clone();
        let handler = move || {
            if interrupted.swap(true, Ordering::Relaxed) {
                primed_oracle::run::end_all();
                std::process::exit(i32::from(INTERRUPTED));
            }
            if let Some(progress) = &*running.lock().unwrap_or_else(PoisonError::into_inner) {
                progress.interrupt();
            }
            primed_oracle::run::end_all();
        };
        drop(ctrlc::set_handler(handler));
        work
    }

    /// This search runs now.
    pub(crate) fn runs(&self, progress: &Arc<Progress>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress.clone());
        // It may have come between two searches.
        if self.is_interrupted() {
            progress.interrupt();
        }
    }

    /// It came.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// From now on an interrupt ends the real TLC, if it is running, and the process.
pub(crate) fn ends_tlc() {
    let handler = || {
        primed_oracle::run::end_all();
        std::process::exit(i32::from(INTERRUPTED));
    };
    drop(ctrlc::set_handler(handler));
}
