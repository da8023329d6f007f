//! What a specification is told of the run that evaluates it, by `TLCGet`.

use std::time::Instant;

use primed_engine::world::{Answer, Run};
use primed_explore::progress::Progress;

use crate::model::report::Mode;

/// The TLC whose answers are given: specifications ask whether it is new enough.
const REVISION: [(&str, i64); 2] = [("count", 0), ("timestamp", 1_776_000_000)];
const REVISION_TEXTS: [(&str, &str); 3] =
    [("date", "2026-04-12T13:20:00.0Z"), ("tag", "development"), ("calver", "2026.04.12.132000")];

/// The keys of `TLCGet` that are about the run.
#[derive(Debug)]
pub(super) struct RunInfo<'m> {
    pub(super) progress: &'m Progress,
    pub(super) mode: Mode,
    pub(super) deadlock: bool,
    pub(super) workers: usize,
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

    fn config(&self) -> Vec<(&'static str, Answer)> {
        let (mode, seed) = match self.mode {
            Mode::Simulation { seed, .. } => ("simulate", seed as i64),
            Mode::BreadthFirst | Mode::Bounded(_) => ("bfs", 0),
        };
        let mut config = vec![
            ("mode", Answer::Text(mode.into())),
            ("deadlock", Answer::Bool(self.deadlock)),
            ("worker", Answer::Int(self.workers as i64)),
            ("seed", Answer::Text(seed.to_string())),
            ("fingerprint", Answer::Int(0)),
            ("install", Answer::Text(String::new())),
        ];
        if let Mode::Simulation { behaviours, steps, skip, .. } = self.mode {
            let traces = behaviours.map_or(i64::from(i32::MAX), |n| n.min(i32::MAX as u64) as i64);
            let depth = i64::try_from(steps).map_or(-1, |n| n.min(i64::from(i32::MAX)));
            config.extend([
                ("depth", Answer::Int(depth)),
                ("traces", Answer::Int(traces)),
                ("aril", Answer::Text(skip.to_string())),
                ("sched", Answer::Text("random".into())),
            ]);
        }
        config
    }
}

impl Run for RunInfo<'_> {
    fn answer(&self, key: &str) -> Option<Answer> {
        let counters = self.counters().into_iter();
        match key {
            "stats" => Some(Answer::Record(counters.map(|(name, n)| (name, Answer::Int(n))).collect())),
            "config" => Some(Answer::Record(self.config())),
            "revision" => {
                let numbers = REVISION.into_iter().map(|(name, n)| (name, Answer::Int(n)));
                let texts = REVISION_TEXTS.into_iter().map(|(name, text)| (name, Answer::Text(text.into())));
                Some(Answer::Record(numbers.chain(texts).collect()))
            }
            _ => counters.into_iter().find(|(name, _)| *name == key).map(|(_, n)| Answer::Int(n)),
        }
    }
}
