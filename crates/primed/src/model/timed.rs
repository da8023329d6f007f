//! Searches that end after a time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use primed_explore::progress::Progress;

use crate::model::ModelChecker;
use crate::model::report::{CheckReport, CheckSettings, CheckVerdict, Storage};
use crate::model::watch::Watch;

impl ModelChecker {
    /// As [`ModelChecker::check_stored`]; if a time is given, the search ends at the next state after it, and what it came to until then
    /// is reported as [`CheckVerdict::Time`].
    pub fn check_within(
        &self,
        time: Option<Duration>,
        settings: CheckSettings,
        storage: &Storage,
        progress: &Progress,
        watch: &dyn Watch,
    ) -> CheckReport {
        let Some(time) = time else { return self.check_stored(settings, storage, progress, watch) };
        let over = AtomicBool::new(false);
        let mut report = std::thread::scope(|scope| {
            let (done, ended) = mpsc::channel::<()>();
            let over = &over;
            scope.spawn(move || {
                if ended.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
                    over.store(true, Ordering::Relaxed);
                    progress.stop();
                }
            });
            let report = self.check_stored(settings, storage, progress, watch);
            drop(done);
            report
        });
        if report.verdict == CheckVerdict::Stopped && over.load(Ordering::Relaxed) {
            report.verdict = CheckVerdict::Time(format!("the time of {} s is over", time.as_secs_f64()));
        }
        report
    }
}
