//! How far an evaluation is, and its verdicts before the real TLC.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use primed::evaluation::{EvaluationPhase, EvaluationWatch, Opinion, Searched, TvWindows, WindowsSource};
use primed::{CheckReport, ModelChecker, Outcome, Progress, Spec, TvModule, TvResult, Verdict};

use super::arguments::EvaluateArguments;
use crate::check::live_line;
use crate::cross::arguments::Choice;
use crate::cross::model::{self, Crossed};
use crate::cross::{Summary, tv, windows};
use crate::interrupt::Interruptible;
use crate::progress::{self, Live};

/// Hears how it goes.
pub(crate) struct Watching<'a> {
    arguments: &'a EvaluateArguments,
    running: Interruptible,
    live: Option<Live>,
    judging: Option<progress::Progress>,
    /// What TLC's answers on windows add up to.
    pub(crate) windows: Summary,
    /// What TLC says of the model (0) and of properties, by their numbers.
    pub(crate) models: BTreeMap<usize, Crossed>,
}

impl<'a> Watching<'a> {
    pub(crate) fn new(arguments: &'a EvaluateArguments) -> Watching<'a> {
        let (windows, models) = (Summary::default(), BTreeMap::new());
        Watching { arguments, running: Interruptible::start(), live: None, judging: None, windows, models }
    }

    /// Nothing is shown any more of how far it is.
    pub(crate) fn ended(&mut self) {
        (self.live, self.judging) = (None, None);
    }

    fn only_json(&self) -> bool {
        self.arguments.common.only_json()
    }
}

impl EvaluationWatch for Watching<'_> {
    fn begins(&mut self, phase: EvaluationPhase) {
        self.ended();
        if phase == EvaluationPhase::Conformance && !self.arguments.windows.is_empty() {
            self.judging = Some(progress::Progress::start(self.only_json()));
        }
    }

    fn searches(&mut self, searched: &Searched<'_>, progress: &Arc<Progress>) {
        self.running.runs(progress);
        let what = searched.property.map(|name| format!("{name}: ")).unwrap_or_default();
        let shown = progress.clone();
        self.live = None;
        self.live = Some(Live::start(self.only_json(), move |elapsed| what.clone() + &live_line(&shown, elapsed)));
    }

    fn searched(&mut self, checker: &ModelChecker, searched: &Searched<'_>, report: &CheckReport) -> Option<Opinion> {
        self.live = None;
        let arguments = self.arguments.of_check(searched.no_deadlock);
        let crossed = model::cross(checker, searched.config, &arguments, searched.number + 1, report)?;
        let opinion = match crossed.decided() {
            Some(run) => {
                let message = run.error.clone().unwrap_or_else(|| run.verdict.word().to_owned());
                Some(Opinion::Decided { exit_code: run.status, message })
            }
            None => crossed.disputed().then_some(Opinion::Disputed),
        };
        self.models.insert(searched.number, crossed);
        opinion
    }

    fn asks_about(&self, number: usize, failed: bool) -> bool {
        let cross = &self.arguments.cross;
        cross.cross_check.takes(cross.seed, number + 1, failed)
    }

    fn judged(&mut self, verdict: &Verdict) {
        if let Some(judging) = &self.judging {
            judging.judged(matches!(verdict.outcome, Outcome::Refused(_)));
        }
    }

    fn asks_about_windows(&self) -> bool {
        self.arguments.cross.cross_check != Choice::None || self.arguments.cross.fallback.is_some()
    }

    fn windows(
        &mut self,
        spec: &Spec,
        source: &WindowsSource,
        lines: &[String],
        verdicts: &mut [Verdict],
    ) -> BTreeSet<usize> {
        self.judging = None;
        let arguments = self.arguments.of_windows(source);
        let summary = std::mem::take(&mut self.windows);
        let mut crossing = windows::Crossing { spec, arguments: &arguments, lines, crossed: BTreeMap::new(), summary };
        crossing.run(verdicts);
        let disputed = verdicts.iter().map(|v| v.line).filter(|line| crossing.is_disputed(*line)).collect();
        self.windows = crossing.summary;
        disputed
    }

    fn tv(
        &mut self,
        module: &TvModule,
        source: &TvWindows,
        lines: &[String],
        results: &mut [(usize, TvResult)],
    ) -> BTreeSet<usize> {
        self.judging = None;
        let arguments = self.arguments.of_tv(source);
        let summary = std::mem::take(&mut self.windows);
        let (config, crossed) = (source.config.as_path(), BTreeMap::new());
        let mut crossing = tv::Crossing { module, arguments: &arguments, config, lines, crossed, summary };
        crossing.run(results);
        let disputed = results.iter().map(|(index, _)| *index).filter(|index| crossing.is_disputed(*index)).collect();
        self.windows = crossing.summary;
        disputed
    }

    fn is_interrupted(&self) -> bool {
        self.running.is_interrupted()
    }
}
