//! Ctrl-C: the search ends at the next state, and what was found until then is shown; of the real TLC nothing is left over.

use std::sync::Arc;

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

/// From now on an interrupt ends the real TLC, if it is running, and the process.
pub(crate) fn ends_tlc() {
    let handler = || {
        primed_oracle::run::end_all();
        std::process::exit(i32::from(INTERRUPTED));
    };
    drop(ctrlc::set_handler(handler));
}
