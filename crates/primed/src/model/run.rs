//! What a specification is told of the run that evaluates it, by `TLCGet`.

use std::time::Instant;

use primed_engine::world::{Answer, Run};
use primed_explore::progress::Progress;

/// The keys of `TLCGet` that are about the run.
#[derive(Debug)]
pub(super) struct RunInfo<'m> {
    pub(super) progress: &'m Progress,
    pub(super) mode: &'static str,
    pub(super) deadlock: bool,
    pub(super) workers: usize,
    pub(super) seed: i64,
    pub(super) started: Instant,
}

impl RunInfo<'_> {
    fn counters(&self) -> [(&'static str, i64); 5] {
        let progress = self.progress;
        [
            ("diameter", progress.depth() as i64),
            ("generated", progress.generated() as i64),
            ("distinct", progress.distinct() as i64),
            ("queue", progress.queue() as i64),
            ("duration", self.started.elapsed().as_secs() as i64),
        ]
    }
}

impl Run for RunInfo<'_> {
    fn answer(&self, key: &str) -> Option<Answer> {
        let counters = self.counters().into_iter();
        match key {
            "stats" => Some(Answer::Record(counters.map(|(name, n)| (name, Answer::Int(n))).collect())),
            "config" => Some(Answer::Record(vec![
                ("mode", Answer::Text(self.mode.into())),
                ("deadlock", Answer::Bool(self.deadlock)),
                ("worker", Answer::Int(self.workers as i64)),
                ("seed", Answer::Int(self.seed)),
            ])),
            _ => counters.into_iter().find(|(name, _)| *name == key).map(|(_, n)| Answer::Int(n)),
        }
    }
}
