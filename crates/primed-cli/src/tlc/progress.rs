//! The lines that TLC prints while it searches.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use primed::{CheckVerdict, CheckpointEvent, Expanded, Graph, Mode, ModelChecker, Progress, TraceState, Watch};

use super::clock::{grouped, now};
use super::console::{Class, Console};
use super::dump::Writer;
use super::options::Options;
use super::report;

/// The first line comes after this long, the others after that.
const FIRST: Duration = Duration::from_secs(3);
const PACE: Duration = Duration::from_secs(60);

/// Prints now and then how far a search is.
pub(super) struct Reporter<'c> {
    console: &'c Console,
    progress: &'c Progress,
    mode: Mode,
    options: &'c Options,
    checker: &'c ModelChecker,
    writer: Option<&'c Mutex<Writer>>,
    /// When temporal properties began to be looked at.
    checking: OnceLock<Instant>,
    pass: AtomicU64,
    /// What was found last was printed.
    told: AtomicBool,
    stopped: Mutex<bool>,
    stop: Condvar,
}

impl<'c> Reporter<'c> {
    /// Ready to report; the states go to the writer.
    pub(super) fn new(
        console: &'c Console,
        progress: &'c Progress,
        options: &'c Options,
        checker: &'c ModelChecker,
        writer: Option<&'c Mutex<Writer>>,
    ) -> Reporter<'c> {
        let (mode, told) = (options.settings().mode, AtomicBool::new(false));
        let (checking, stopped, stop) = (OnceLock::new(), Mutex::new(false), Condvar::new());
        Reporter {
            console,
            progress,
            mode,
            options,
            checker,
            writer,
            checking,
            pass: AtomicU64::new(0),
            told,
            stopped,
            stop,
        }
    }

    /// What the search ended with was printed.
    pub(super) fn told(&self, verdict: &CheckVerdict) -> bool {
        self.told.load(Ordering::Relaxed) && *verdict != CheckVerdict::Holds
    }

    /// When temporal properties began to be looked at, if they were.
    pub(super) fn checking(&self) -> Option<Instant> {
        self.checking.get().copied()
    }

    /// The last pass of iterative deepening that was begun.
    pub(super) fn pass(&self) -> u64 {
        self.pass.load(Ordering::Relaxed)
    }

    /// Prints until [`Reporter::stop`] is called.
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
        let Reporter { progress, .. } = self;
        if let Mode::Simulation { .. } = self.mode {
            report::simulated(self.console, progress);
            return before;
        }
        let (generated, distinct, depth) = (progress.generated(), progress.distinct(), progress.depth());
        let per_minute = |n: u64| grouped((n as f64 * 60.0 / since.as_secs_f64()) as u64);
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
                grouped(progress.queue()),
            ),
        );
        (generated, distinct)
    }
}

impl Watch for Reporter<'_> {
    fn started(&self) {
        if self.mode == Mode::BreadthFirst {
            self.console.plain(2189, "Computing initial states...");
        }
    }

    fn level(&self, level: u64, generated: u64, distinct: u64) {
        self.pass.store(level, Ordering::Relaxed);
        let text = format!("Starting level {level}: {generated} states generated, {distinct} distinct states found.");
        self.console.plain(2205, &text);
    }

    fn initial_progress(&self, generated: u64) {
        if self.mode == Mode::BreadthFirst {
            self.console.plain(2269, &format!("Computed {generated} initial states..."));
        }
    }

    fn checking_temporal(&self) {
        if self.checking.set(Instant::now()).is_ok() {
            report::checking_temporal(self.console, self.progress, self.checker.branches().unwrap_or(1));
        }
    }

    fn found(&self, verdict: &CheckVerdict, trace: &[TraceState]) {
        self.told.store(true, Ordering::Relaxed);
        report::found(self.console, self.options, verdict, trace, self.checker.stuttering_warning().as_ref());
        report::goes_on(self.console, self.options, self.progress, (verdict, trace.len()));
    }

    fn hears_behaviours(&self) -> bool {
        self.options.trace_file.is_some()
    }

    fn behaviour(&self, worker: usize, number: u64, trace: &[TraceState]) {
        let Some(file) = &self.options.trace_file else { return };
        let name = format!("{file}_{worker}_{number}");
        if let Err(error) = std::fs::write(&name, report::as_module(&name, trace)) {
            self.console.error(1000, &format!("The file {name} cannot be written: {error}"));
            self.progress.stop();
        }
    }

    fn checkpoint(&self, event: CheckpointEvent<'_>) {
        match event {
            CheckpointEvent::Begun(folder) => {
                self.console.plain(2195, &format!("Checkpointing of run {}", folder.display()));
            }
            CheckpointEvent::Written { .. } => {
                self.console.plain(2196, &format!("Checkpointing completed at ({})", now()));
            }
            CheckpointEvent::Failed(why) => self.console.say(Class::Warning, 1000, why),
            CheckpointEvent::Damaged(why) => self.console.say(Class::Warning, 2126, &report::corrupt(why)),
            CheckpointEvent::Recovering(_) => {
                let folder = self.options.recover.as_deref().unwrap_or_default();
                self.console.plain(2197, &format!("Starting recovery from checkpoint {folder}/"));
            }
            CheckpointEvent::Recovered { distinct, left } => {
                let (code, queue) = match self.mode {
                    Mode::Bounded(_) => (2203, String::new()),
                    _ => (2198, format!(" {left} states on queue.")),
                };
                self.console.plain(code, &format!("Recovery completed. {distinct} states examined.{queue}"));
            }
        }
    }

    fn graph(&self) -> Option<&Mutex<dyn Graph>> {
        self.writer.map(|writer| writer as &Mutex<dyn Graph>)
    }

    fn initial_states(&self, found: Expanded) {
        if let Mode::Bounded(_) = self.mode {
            let Expanded { generated, distinct, .. } = found;
            let text = format!(
                "Finished computing initial states: {generated} states generated, with {distinct} of them distinct."
            );
            return self.console.plain(2208, &text);
        }
        let Expanded { generated, distinct, inside } = found;
        if let Mode::Simulation { .. } = self.mode {
            self.console.plain(2269, &format!("Computed {generated} initial states..."));
            let text = format!("Finished computing initial states: {inside} distinct state generated at {}.", now());
            return self.console.plain(2190, &text);
        }
        let plural = if generated == 1 { "" } else { "s" };
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
}
