//! The third phase: are the steps that were observed allowed by the actions that they name?

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::sync::Arc;

use primed_windows::line::Line;
use primed_windows::tally::{Row, Tally};
use primed_windows::verdict::{Outcome, Refused, Trouble, Verdict};

use super::watch::EvaluationWatch;
use super::{EvaluationSettings, Phase, configuration};
use crate::files::{Permissions, plain};
use crate::{OpenError, Spec, TvModule, TvResult};

/// Windows, one a line.
#[derive(Clone, Debug)]
pub struct WindowsSource {
    /// Where they are.
    pub text: WindowsText,
    /// The action of windows that name none; windows that name another are left out.
    pub action: Option<String>,
}

/// Where windows are.
#[derive(Clone, Debug)]
pub enum WindowsText {
    /// In a file.
    File(PathBuf),
    /// Here: what the text is called, and the text.
    Given(String, Arc<str>),
}

/// Windows that a TV module judges.
#[derive(Clone, Debug)]
pub struct TvWindows {
    /// The action that they are windows of.
    pub action: String,
    /// The module.
    pub module: PathBuf,
    /// Its configuration.
    pub config: PathBuf,
    /// The file that it reads.
    pub windows: PathBuf,
}

/// What the third phase came to.
#[derive(Debug, Default)]
pub struct Conformance {
    /// The sums by action, with the commonest refusals and errors.
    pub tally: Tally,
    /// Files that could not be read to the end, and why.
    pub unreadable: Vec<String>,
}

impl Conformance {
    /// The actions of the next-state relation that no window is of: nothing is known of them.
    pub fn without_evidence(&self) -> impl Iterator<Item = &Row> {
        self.tally.rows.iter().filter(|row| row.own && row.total() == 0)
    }

    /// 0 if every window conforms; 74, 12, 75, 73, 72 as for windows alone; 153 if a file could not be read.
    pub fn exit_code(&self) -> i32 {
        match self.tally.outcomes.exit_code() {
            0 if !self.unreadable.is_empty() => 153,
            code => i32::from(code),
        }
    }

    /// Every window conforms, and there are some of every action.
    pub fn passed(&self) -> bool {
        self.exit_code() == 0 && self.without_evidence().next().is_none()
    }
}

impl WindowsSource {
    /// What the source is called.
    pub fn name(&self) -> String {
        match &self.text {
            WindowsText::File(path) => path.display().to_string(),
            WindowsText::Given(name, _) => name.clone(),
        }
    }

    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(match &self.text {
            WindowsText::File(path) => Box::new(BufReader::with_capacity(1 << 16, File::open(path)?)),
            WindowsText::Given(_, text) => Box::new(text.as_bytes()),
        })
    }
}

/// Judges all windows. `observed` are invariants to be evaluated on observed states.
pub(super) fn run(
    settings: &EvaluationSettings,
    observed: &[String],
    watch: &mut dyn EvaluationWatch,
) -> Phase<Conformance> {
    if settings.windows.is_empty() && settings.tv.is_empty() {
        return Phase::NotRun { why: "no windows were given".into(), exit_code: 0 };
    }
    let asked = settings.action.as_deref();
    let (spec, tally) = match open(settings, None, observed) {
        Ok(spec) => {
            let actions = spec.actions().into_iter().filter(|name| asked.is_none_or(|a| a == *name));
            let tally = Tally::new(actions, spec.variables(), observed);
            (Ok(spec), tally)
        }
        Err(error) if settings.tv.is_empty() => {
            return Phase::NotRun {
                why: format!("the specification cannot judge windows: {error}"),
                exit_code: error.exit_code(),
            };
        }
        // TV modules have configurations of their own.
        Err(error) => (Err(error), Tally::new(std::iter::empty(), Vec::new(), observed)),
    };
    let several = settings.windows.len() + settings.tv.len() > 1;
    let mut phase = Judging { settings, several, found: Conformance { tally, ..Conformance::default() } };
    for source in &settings.windows {
        if watch.is_interrupted() {
            break;
        }
        let action = source.action.as_ref().or(settings.action.as_ref());
        let own = action.map(|action| open(settings, Some(action), observed)).transpose();
        let read = match (&own, &spec) {
            (Ok(Some(spec)), _) | (Ok(None), Ok(spec)) => phase.windows(spec, source, watch),
            (Err(error), _) | (_, Err(error)) => phase.strangers(source, action.map_or("", |a| a), error),
        };
        if let Err(error) = read {
            phase.found.unreadable.push(format!("cannot read `{}`: {}", source.name(), plain(&error)));
        }
    }
    for source in settings.tv.iter().filter(|_| !watch.is_interrupted()).collect::<Vec<_>>() {
        if let Err(error) = phase.tv(source, watch) {
            phase.found.unreadable.push(format!("cannot read `{}`: {}", source.windows.display(), plain(&error)));
        }
    }
    let found = phase.found;
    if found.tally.total() == 0 && found.unreadable.is_empty() {
        let files = settings.windows.iter().map(WindowsSource::name);
        let files = files.chain(settings.tv.iter().map(|tv| tv.windows.display().to_string()));
        let names: Vec<String> = files.map(|name| format!("`{name}`")).collect();
        let of = asked.map(|action| format!(" of the action `{action}`")).unwrap_or_default();
        return Phase::NotRun { why: format!("there are no windows{of} in {}", names.join(", ")), exit_code: 153 };
    }
    Phase::Run(found)
}

/// The specification, ready to judge windows of this action, or of those that they name.
pub(super) fn open(
    settings: &EvaluationSettings,
    action: Option<&String>,
    observed: &[String],
) -> Result<Spec, OpenError> {
    let mut builder = Spec::builder(&settings.spec);
    // What the configuration wants to be checked is nothing that windows need.
    if settings.config_path().is_some() {
        builder = builder.config_text(configuration::read(settings)?.without_properties());
    }
    if let Some(action) = action {
        builder = builder.action(action);
    }
    if let Some(predicate) = &settings.unobserved {
        builder = builder.unobserved(predicate);
    }
    if settings.brief {
        builder = builder.brief();
    }
    if let Some(steps) = settings.max_steps {
        builder = builder.max_steps(steps);
    }
    builder = observed.iter().fold(builder, |b, name| b.invariant(name));
    builder = settings.libraries.iter().fold(builder, |b, folder| b.library(folder));
    builder = settings.permissions.read.iter().fold(builder, |b, folder| b.allow_read(folder));
    builder.open()
}

struct Judging<'j> {
    settings: &'j EvaluationSettings,
    /// There are several sources, so that a line alone is no place.
    several: bool,
    found: Conformance,
}

impl Judging<'_> {
    fn enter(&mut self, name: String) {
        self.found.tally.enter(self.several.then(|| name.into()));
    }

    fn windows(&mut self, spec: &Spec, source: &WindowsSource, watch: &mut dyn EvaluationWatch) -> io::Result<()> {
        self.enter(source.name());
        if watch.asks_about_windows() {
            return self.asked(spec, source, watch);
        }
        let tally = &mut self.found.tally;
        let add = &mut |verdict: Verdict| {
            watch.judged(&verdict);
            tally.add(verdict);
            !watch.is_interrupted()
        };
        spec.judge_all(source.open()?, add, &mut |_| {})
    }

    /// The same with another checker, which is asked about all verdicts of a source at once.
    fn asked(&mut self, spec: &Spec, source: &WindowsSource, watch: &mut dyn EvaluationWatch) -> io::Result<()> {
        let mut bytes = Vec::new();
        source.open()?.read_to_end(&mut bytes)?;
        let lines: Vec<String> =
            bytes.split(|b| *b == b'\n').map(|l| String::from_utf8_lossy(l).into_owned()).collect();
        let mut verdicts = Vec::new();
        let keep = &mut |verdict: Verdict| {
            watch.judged(&verdict);
            verdicts.push(verdict);
            true
        };
        spec.judge_all(bytes.as_slice(), keep, &mut |_| {})?;
        let disputed = watch.windows(spec, source, &lines, &mut verdicts);
        self.add_all(verdicts, &disputed);
        Ok(())
    }

    fn add_all(&mut self, verdicts: Vec<Verdict>, disputed: &BTreeSet<usize>) {
        for verdict in verdicts {
            if disputed.contains(&verdict.line) {
                self.found.tally.dispute(verdict.action.as_deref());
            }
            self.found.tally.add(verdict);
        }
    }

    /// Windows of an action that the specification does not have.
    fn strangers(&mut self, source: &WindowsSource, action: &str, error: &OpenError) -> io::Result<()> {
        self.enter(source.name());
        for (i, line) in source.open()?.split(b'\n').enumerate() {
            if !line?.trim_ascii().is_empty() {
                self.found.tally.add(verdict(i + 1, action, Outcome::Error(Trouble::new(error.to_string()))));
            }
        }
        Ok(())
    }

    /// A file may have windows of several actions: each TV module is asked about those of its own, and those that name none.
    fn tv(&mut self, source: &TvWindows, watch: &mut dyn EvaluationWatch) -> io::Result<()> {
        self.enter(source.windows.display().to_string());
        let bytes = std::fs::read(&source.windows)?;
        let text = String::from_utf8_lossy(&bytes);
        let numbered = text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (numbers, lines): (Vec<usize>, Vec<String>) = numbered.map(|(i, l)| (i + 1, l.to_owned())).unzip();
        let own = |line: &str| match Line::parse(line) {
            Ok(Line { action: Some(named), .. }) => *named == *source.action,
            _ => true,
        };
        let indices: Vec<usize> = (1..).zip(&lines).filter(|(_, line)| own(line)).map(|(index, _)| index).collect();
        let permissions = Permissions { read: vec![source.windows.clone()], ..Permissions::default() };
        let mut disputed = BTreeSet::new();
        let results = match TvModule::open(&source.module, &source.config, &self.settings.libraries, permissions) {
            Ok(mut module) => {
                if let Some(steps) = self.settings.max_steps {
                    module.limit_steps(steps);
                }
                let mut results = Vec::new();
                module.judge_some(&indices, &mut |index, result| {
                    results.push((index, result));
                    !watch.is_interrupted()
                });
                if watch.asks_about_windows() {
                    disputed = watch.tv(&module, source, &lines, &mut results);
                }
                results
            }
            Err(error) => {
                let message = format!("the TV module cannot be used: {error}");
                let failed = || TvResult::Error { message: message.clone(), places: Vec::new(), limit: false };
                indices.iter().map(|index| (*index, failed())).collect()
            }
        };
        let disputed = disputed.iter().filter_map(|i| numbers.get(i.checked_sub(1)?).copied()).collect();
        let verdicts = results.into_iter().filter_map(|(index, result)| {
            let (number, text) = (numbers.get(index.checked_sub(1)?)?, lines.get(index - 1)?);
            let parts = Line::parse(text).unwrap_or_default();
            let (id, trace) = (parts.id.map(str::to_owned), parts.trace.map(str::to_owned));
            Some(Verdict { id, trace, ..verdict(*number, &source.action, outcome(result)) })
        });
        self.add_all(verdicts.collect(), &disputed);
        Ok(())
    }
}

/// A verdict by what it is about.
fn verdict(line: usize, action: &str, outcome: Outcome) -> Verdict {
    Verdict {
        line,
        id: None,
        trace: None,
        action: Some(action.to_owned()),
        outcome,
        unobserved: Vec::new(),
        findings: Vec::new(),
        unknown: Vec::new(),
        notes: Vec::new(),
    }
}

/// What a TV module found, as of a window. It tells no reasons.
fn outcome(result: TvResult) -> Outcome {
    let trouble = |message: String, places: &[String], limit| {
        let at = places.first().map(|p| format!(" ({p})")).unwrap_or_default();
        Trouble { limit, ..Trouble::new(format!("{message}{at}")) }
    };
    match result {
        TvResult::Conforms { .. } => Outcome::Conforms,
        TvResult::Refused { initial, states } => Outcome::Refused(Box::new(Refused::without_reasons(match initial {
            0 => {
                "the TV module has no initial state for this window: the state before the step is impossible".to_owned()
            }
            _ => format!(
                "the TV module tells no condition: its invariant holds in all {states} states, so that none is the observed step; \
                 `primed windows` judges the step itself and tells"
            ),
        }))),
        TvResult::Error { message, places, limit } => Outcome::Error(trouble(message, &places, limit)),
        TvResult::Unsupported { message } => Outcome::Unsupported(trouble(message, &[], false)),
    }
}
