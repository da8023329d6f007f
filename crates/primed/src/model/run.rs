//! What a specification is told of the run that evaluates it, by `TLCGet`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use primed_engine::world::{Answer, Run};
use primed_explore::progress::Progress;
use primed_semantics::model::Model;

use crate::model::ModelChecker;
use crate::model::report::Mode;

/// The TLC whose answers are given: specifications ask whether it is new enough.
const REVISION: [(&str, i64); 2] = [("count", 0), ("timestamp", 1_776_000_000)];
const REVISION_TEXTS: [(&str, &str); 3] =
    [("date", "2026-04-12T13:20:00.0Z"), ("tag", "development"), ("calver", "2026.04.12.132000")];

/// The keys of `TLCGet` that are about the run.
#[derive(Debug)]
pub(super) struct RunInfo<'m> {
    pub(super) checker: &'m ModelChecker,
    pub(super) progress: &'m Progress,
    pub(super) mode: Mode,
    pub(super) deadlock: bool,
    /// [`crate::CheckSettings::keep_going`].
    pub(super) keep_going: bool,
    pub(super) workers: usize,
    pub(super) seed: i64,
    pub(super) started: Instant,
    /// What `TLCSet("-D...", ...)` stored.
    pub(super) properties: Mutex<HashMap<String, String>>,
    pub(super) live: Live,
}

/// What the state that is being expanded led to so far: [`Progress`] learns of it when that is done. It is kept for one worker
/// only, since several see each other's states at no certain time anyway.
#[derive(Debug, Default)]
pub(super) struct Live {
    generated: AtomicU64,
    distinct: AtomicU64,
    queued: AtomicI64,
    /// The deepest level at which a state was found.
    level: AtomicU64,
}

impl Live {
    /// A state was generated.
    pub(super) fn generated(&self) {
        self.generated.fetch_add(1, Ordering::Relaxed);
    }

    /// A state is new, and has this level.
    pub(super) fn found(&self, level: u64) {
        self.distinct.fetch_add(1, Ordering::Relaxed);
        self.level.fetch_max(level, Ordering::Relaxed);
    }

    /// A new state was checked, and so was the step to it: it is queued.
    pub(super) fn queued(&self) {
        self.queued.fetch_add(1, Ordering::Relaxed);
    }

    /// The state that was found last ended the search, and is not queued.
    pub(super) fn withdrawn(&self) {
        self.queued.store(-1, Ordering::Relaxed);
    }

    /// The expansion is done.
    pub(super) fn done(&self) {
        self.generated.store(0, Ordering::Relaxed);
        self.distinct.store(0, Ordering::Relaxed);
        self.queued.store(0, Ordering::Relaxed);
    }
}

/// The properties of the process, as `TLCGet` names them.
pub(super) fn properties(model: &Model) -> HashMap<String, String> {
    model.properties.iter().map(|(name, value)| (format!("-D{name}"), value.clone())).collect()
}

fn number(n: u64) -> Answer {
    Answer::Int(n.min(i32::MAX as u64) as i64)
}

fn record<const N: usize>(fields: [(&'static str, Answer); N]) -> Answer {
    Answer::Record(fields.map(|(name, answer)| (Cow::Borrowed(name), answer)).into())
}

impl RunInfo<'_> {
    pub(super) fn simulates(&self) -> bool {
        matches!(self.mode, Mode::Simulation { .. })
    }

    fn duration(&self) -> Answer {
        number(self.started.elapsed().as_secs())
    }

    /// The counters of a search. TLC's level counts the initial states before there are any.
    fn counter(&self, key: &str) -> Option<Answer> {
        let (progress, live) = (self.progress, &self.live);
        let now = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Some(number(match key {
            "diameter" => progress.depth().max(now(&live.level)).max(1),
            "generated" => progress.generated() + now(&live.generated),
            "distinct" => progress.distinct() + now(&live.distinct),
            "queue" => progress.queue().saturating_add_signed(live.queued.load(Ordering::Relaxed)),
            // While there are none to be expanded: those generated.
            "initial" if progress.depth() == 0 => now(&live.generated),
            "initial" => progress.initial(),
            _ => return None,
        }))
    }

    fn statistics(&self) -> Answer {
        let counter = |key| self.counter(key).unwrap_or(Answer::Int(0));
        let worker = number(rayon::current_thread_index().unwrap_or(0) as u64);
        if !self.simulates() {
            return record([
                ("queue", counter("queue")),
                ("distinct", counter("distinct")),
                ("initial", counter("initial")),
                ("generated", counter("generated")),
                ("diameter", counter("diameter")),
                ("duration", self.duration()),
                ("worker", worker),
            ]);
        }
        let [mean, variance, _] = self.progress.lengths();
        let behaviours = self.progress.behaviours();
        let nothing = || record([]);
        record([
            ("traces", number(behaviours)),
            ("duration", self.duration()),
            ("generated", counter("generated")),
            ("behavior", record([("actions", nothing()), ("id", number(behaviours))])),
            ("worker", worker),
            // TLC counts these only where a Java property asks for it.
            ("distinct", Answer::Int(-1)),
            ("distinctvalues", Answer::Int(-1)),
            ("retries", Answer::Int(-1)),
            ("actions", nothing()),
            ("levelmean", number(mean)),
            ("levelvariance", number(variance)),
        ])
    }

    fn config(&self) -> Answer {
        let mode = |name: &str| ("mode", Answer::Text(name.into()));
        let (deadlock, worker) = (Answer::Bool(self.deadlock), number(self.workers as u64));
        let (seed, install) = (Answer::Text(self.seed.to_string()), Answer::Text(String::new()));
        let Mode::Simulation { behaviours, steps, skip, step_by_step, .. } = self.mode else {
            // States are told apart by all of their values: no polynomial is drawn for fingerprints.
            let fingerprint = Answer::Text("0".into());
            return record([
                mode("bfs"),
                ("deadlock", deadlock),
                ("worker", worker),
                ("seed", seed),
                ("fingerprint", fingerprint),
                ("install", install),
            ]);
        };
        let traces = behaviours.map_or(i32::MAX as u64, |n| n.saturating_mul(self.workers as u64));
        record([
            mode(if step_by_step { "generate" } else { "simulate" }),
            ("depth", number(steps as u64)),
            ("traces", number(traces)),
            ("deadlock", deadlock),
            ("seed", seed),
            ("aril", Answer::Text(skip.to_string())),
            ("worker", worker),
            ("install", install),
            ("sched", Answer::Text("random".into())),
        ])
    }
}

impl Run for RunInfo<'_> {
    fn simulates(&self) -> bool {
        RunInfo::simulates(self)
    }

    fn answer(&self, key: &str) -> Option<Answer> {
        match key {
            "stats" => Some(self.statistics()),
            "config" => Some(self.config()),
            "spec" => self.checker.spec(),
            "duration" => Some(self.duration()),
            "revision" => {
                let numbers = REVISION.into_iter().map(|(name, n)| (Cow::Borrowed(name), Answer::Int(n)));
                let texts = REVISION_TEXTS.into_iter();
                let texts = texts.map(|(name, text)| (Cow::Borrowed(name), Answer::Text(text.into())));
                Some(Answer::Record(numbers.chain(texts).collect()))
            }
            // A simulation knows the behaviours that were made, and none of the other counters.
            "diameter" if self.simulates() => Some(number(self.progress.behaviours())),
            _ if self.simulates() => None,
            _ => self.counter(key),
        }
    }

    fn property(&self, key: &str) -> Option<String> {
        self.properties.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn set_property(&self, key: &str, text: String) {
        self.properties.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), text);
    }
}
