//! The second phase: does the finite model run?

use std::sync::Arc;
use std::time::{Duration, Instant};

use primed_explore::progress::Progress;
use primed_semantics::model::Located;

use super::watch::{EvaluationWatch, Opinion, Searched};
use super::{EvaluationSettings, configuration};
use crate::load::ModelSettings;
use crate::model::coverage::{CoverageKind, InnerCount};
use crate::model::watch::NoWatch;
use crate::{CheckReport, CheckSettings, CheckVerdict, ModelChecker, OpenError};

/// What the second phase came to: a search of the model without invariants and properties, which are the fourth phase.
#[derive(Debug)]
pub struct Runtime {
    /// The search; or why the model cannot be opened.
    pub outcome: Result<CheckReport, OpenError>,
    /// How often each action was reached, in the order of the text.
    pub actions: Vec<Reached>,
    /// Actions that have no count of their own: they are counted with the action that they stand in.
    pub together: Vec<String>,
    /// What another checker says of it.
    pub opinion: Option<Opinion>,
    /// How long it took.
    pub time: Duration,
}

/// How often an action was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// The operator; `None` if the action has none.
    pub name: Option<String>,
    /// Where its first part stands, in TLC's words.
    pub place: String,
    /// States that it led to.
    pub generated: u64,
    /// New states that it led to; not known of one that TLC counts with another.
    pub distinct: Option<u64>,
    /// The action that TLC counts it with.
    pub within: Option<String>,
    /// It consists of others that are counted each, and is no action beside them.
    pub divided: bool,
}

impl Runtime {
    /// TLC's exit code; 73 if a limit was reached, 74 if the real TLC disagrees.
    pub fn exit_code(&self) -> i32 {
        match (&self.opinion, &self.outcome) {
            (Some(Opinion::Disputed), _) => 74,
            (Some(Opinion::Decided { exit_code, .. }), _) => *exit_code,
            (_, Ok(report)) => report.verdict.exit_code(),
            (_, Err(error)) => error.exit_code(),
        }
    }

    /// All states were searched, and nothing is wrong.
    pub fn passed(&self) -> bool {
        self.exit_code() == 0 && matches!(&self.outcome, Ok(report) if report.verdict != CheckVerdict::Stopped)
    }

    /// Nothing is wrong with the states that were searched, but these are not all.
    pub fn incomplete(&self) -> bool {
        let opinion = self.opinion.is_none();
        opinion && matches!(&self.outcome, Ok(report) if is_cut_short(&report.verdict))
    }

    /// The actions, those left out that consist of others.
    pub fn own_actions(&self) -> impl Iterator<Item = &Reached> {
        self.actions.iter().filter(|a| !a.divided)
    }

    /// The actions that were never reached.
    pub fn never_reached(&self) -> impl Iterator<Item = &Reached> {
        self.own_actions().filter(|a| a.generated == 0)
    }

    /// What is wrong with the specification or the configuration, if it cannot be opened.
    pub fn complaints(&self) -> &[Located] {
        match &self.outcome {
            Err(OpenError::Specification(complaints)) => complaints,
            _ => &[],
        }
    }
}

/// The search ended before all states were found, without an error.
pub(super) fn is_cut_short(verdict: &CheckVerdict) -> bool {
    use CheckVerdict::{Disk, Interrupted, Limit, Stopped, Time};
    matches!(verdict, Limit(_) | Time(_) | Stopped | Interrupted | Disk(_))
}

/// Searches the model.
pub(super) fn run(settings: &EvaluationSettings, watch: &mut dyn EvaluationWatch) -> Runtime {
    let started = Instant::now();
    let opened = configuration::read(settings).and_then(|config| {
        let text = config.without_properties();
        let model = ModelSettings { count_actions: true, ..settings.model(Some(text.clone()), None) };
        ModelChecker::open_with(&settings.spec, model).map(|checker| (checker, text))
    });
    let (checker, config) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            return Runtime {
                outcome: Err(error),
                actions: Vec::new(),
                together: Vec::new(),
                opinion: None,
                time: started.elapsed(),
            };
        }
    };
    let searched = Searched {
        property: None,
        number: 0,
        config: config.text(),
        no_deadlock: settings.check.deadlock == Some(false),
    };
    let report = search(&checker, settings.check, settings, &searched, watch);
    let time = started.elapsed();
    let opinion = watch.searched(&checker, &searched, &report);
    let names: Vec<String> = match super::conformance::open(settings, None, &[]) {
        Ok(spec) => spec.actions().into_iter().map(str::to_owned).collect(),
        // Why not is said of the third phase.
        Err(_) => Vec::new(),
    };
    let mut actions = reached(&report);
    reached_inside(&mut actions, &checker.action_counts(), &names);
    let counted = |name: &String| actions.iter().any(|a| a.name.as_ref() == Some(name));
    let together = names.iter().filter(|name| !counted(name)).cloned().collect();
    Runtime { actions, together, outcome: Ok(report), opinion, time }
}

/// The actions, one of which may be several parts of the next-state relation.
fn reached(report: &CheckReport) -> Vec<Reached> {
    let mut actions: Vec<Reached> = Vec::new();
    for part in report.coverage.iter().filter(|part| part.kind == CoverageKind::Action) {
        match actions.iter_mut().find(|a| a.name.is_some() && a.name == part.name) {
            Some(known) => {
                known.generated += part.generated;
                known.distinct = known.distinct.map(|distinct| distinct + part.distinct);
            }
            None => actions.push(Reached {
                name: part.name.clone(),
                place: part.place.clone(),
                generated: part.generated,
                distinct: Some(part.distinct),
                ..Reached::default()
            }),
        }
    }
    actions
}

/// Adds the actions that TLC counts with others. `names` are those that windows may name.
fn reached_inside(actions: &mut Vec<Reached>, inside: &[InnerCount], names: &[String]) {
    for action in actions.iter_mut() {
        let own = action.name.as_ref().is_some_and(|name| names.contains(name));
        action.divided = !own && inside.iter().any(|i| i.within == action.name);
    }
    for InnerCount { name, within, place, generated } in inside {
        match actions.iter_mut().find(|a| a.name.as_ref() == Some(name)) {
            Some(known) => {
                known.generated += generated;
                known.distinct = None;
            }
            None => actions.push(Reached {
                name: Some(name.clone()),
                place: place.clone(),
                generated: *generated,
                within: Some(within.clone().unwrap_or_else(|| "Action".into())),
                ..Reached::default()
            }),
        }
    }
}

/// Searches a model for as long as the settings allow.
pub(super) fn search(
    checker: &ModelChecker,
    check: CheckSettings,
    settings: &EvaluationSettings,
    searched: &Searched<'_>,
    watch: &mut dyn EvaluationWatch,
) -> CheckReport {
    let progress = Arc::new(Progress::default());
    watch.searches(searched, &progress);
    checker.check_within(settings.time, check, &settings.storage, &progress, &NoWatch)
}
