//! Windows of a TV module before the real TLC: a run for each, all in one process.

use std::collections::BTreeMap;
use std::path::Path;

use primed::{TvModule, TvResult};
use primed_oracle::dispute::{Answers, Bundle, Dispute};
use primed_oracle::flaws::{Difference, explain};
use primed_oracle::tv::{Windows, judge, stand_in};
use primed_oracle::windows::Said;
use primed_oracle::{Specification, Tools};

use super::windows::Crossed;
use super::{Asking, Open, Question, Result, Summary, find, specification, text_of, write};
use crate::arguments::TvArguments;

/// Windows of a TV module with their results.
pub(crate) struct Crossing<'c> {
    pub(crate) module: &'c TvModule,
    pub(crate) arguments: &'c TvArguments,
    pub(crate) config: &'c Path,
    /// The lines that are not blank.
    pub(crate) lines: &'c [String],
    /// TLC's opinions by index.
    pub(crate) crossed: BTreeMap<usize, Crossed>,
    pub(crate) summary: Summary,
}

/// The verdict in one word.
pub(crate) fn word(result: &TvResult) -> &'static str {
    match result {
        TvResult::Conforms { .. } => "conforms",
        TvResult::Refused { .. } => "refused",
        TvResult::Error { .. } => "error",
        TvResult::Unsupported { .. } => "unsupported",
    }
}

impl Crossing<'_> {
    /// Asks TLC about the results that the arguments choose, each with its number; what is disputed or decided by TLC has TLC's
    /// verdict afterwards.
    pub(crate) fn run(&mut self, results: &mut [(usize, TvResult)]) {
        let mut chosen: Vec<usize> = Vec::new();
        for (index, result) in results.iter() {
            let failed = !matches!(result, TvResult::Conforms { .. });
            match Question::new(&self.arguments.cross, *index, failed, open(result)) {
                Question::Asked => chosen.push(*index),
                Question::Unasked(why) => self.record(*index, word(result), Result::Unchecked(why.to_owned()), None),
                Question::Unwanted => {}
            }
        }
        if chosen.is_empty() {
            return;
        }
        let cross = &self.arguments.cross;
        let tools = match find(cross, self.arguments.common.color.error()) {
            Ok(tools) => tools,
            Err(trouble) => {
                for (index, result) in results.iter().filter(|(index, _)| chosen.contains(index)) {
                    self.record(*index, word(result), Result::Unchecked(trouble.to_string()), None);
                }
                return;
            }
        };
        self.summary.tlc = Some(tools.version());
        let spec = specification(self.module.sources(), text_of(self.config), None);
        let asking = Asking::start(self.arguments.common.only_json(), chosen.len(), "window", &tools);
        let name = self.file_name();
        let windows = Windows { name: &name, lines: self.lines };
        let mut answers = BTreeMap::new();
        judge(&tools, &spec, windows, &chosen, &cross.tlc.bounds(), &mut |index, said| {
            asking.answered();
            answers.insert(index, said);
        });
        drop(asking);
        let mut disputed = Vec::new();
        for (index, result) in results.iter_mut() {
            let Some(said) = answers.remove(index) else { continue };
            let native = word(result);
            let compared = compare(&tools, &spec, result, &said);
            self.record(*index, native, compared.clone(), Some(&said));
            if compared == Result::Disputed {
                disputed.push((*index, native, said.clone()));
            }
            if matches!(compared, Result::Disputed | Result::Decided) {
                *result = of_tlc(said);
            }
        }
        if !disputed.is_empty() {
            let bundle = self.bundle(&tools, &spec, &disputed);
            self.summary.written = write(&bundle, &cross.disputes, self.arguments.common.color.error());
        }
    }

    /// TLC says otherwise of the window of this number.
    pub(crate) fn is_disputed(&self, index: usize) -> bool {
        self.crossed.get(&index).is_some_and(|crossed| crossed.result == "disputed")
    }

    fn file_name(&self) -> String {
        self.arguments.windows.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn record(&mut self, index: usize, native: &'static str, result: Result, said: Option<&Said>) {
        self.summary.add(&result);
        self.crossed.insert(index, Crossed::new(native, &result, said));
    }

    fn bundle(&self, tools: &Tools, spec: &Specification, disputed: &[(usize, &'static str, Said)]) -> Bundle {
        let root = spec.root();
        let windows = self.file_name();
        let answers = disputed.iter().map(|(index, native, said)| Answers {
            line: *index,
            primed: (*native).to_owned(),
            tlc: said.word().to_owned(),
            message: match said {
                Said::Error(words) => Some(words.clone()),
                _ => None,
            },
        });
        let dispute = Dispute {
            kind: "tv".into(),
            spec: format!("{root}.tla"),
            config: format!("{root}.cfg"),
            windows: Some(windows.clone()),
            arguments: Vec::new(),
            answers: answers.collect(),
            primed_version: env!("CARGO_PKG_VERSION").into(),
            tlc_version: tools.version(),
            reproduce: format!("primed tv {root}.tla --windows {windows} --cross-check all"),
        };
        let mut others = Vec::new();
        if let Some(Ok(stood_in)) = disputed.first().map(|(index, ..)| stand_in(spec, self.lines, *index, false)) {
            let modules = stood_in.modules.into_iter().filter(|m| ["Json", "IOUtils"].contains(&m.name.as_str()));
            others.extend(modules.map(|m| (format!("tlc/{}.tla", m.name), m.text)));
        }
        Bundle { dispute, spec: spec.clone(), windows: self.lines.to_vec(), others }
    }
}

/// Why a result is no verdict.
fn open(result: &TvResult) -> Option<Open> {
    match result {
        TvResult::Unsupported { .. } => Some(Open::UNSUPPORTED),
        TvResult::Error { limit: true, .. } => Some(Open::LIMIT),
        TvResult::Error { message, .. } => Open::of(message),
        TvResult::Conforms { .. } | TvResult::Refused { .. } => None,
    }
}

fn compare(tools: &Tools, spec: &Specification, native: &TvResult, said: &Said) -> Result {
    if let Said::Nothing(why) = said {
        return Result::Unchecked(why.clone());
    }
    if open(native).is_some() {
        return Result::Decided;
    }
    if word(native) == said.word() {
        return Result::Agrees;
    }
    let status = |word: &str| match word {
        "conforms" => 12,
        "refused" => 0,
        _ => 75,
    };
    let message = match native {
        TvResult::Error { message, .. } => Some(message.as_str()),
        _ => None,
    };
    let difference = Difference { status: status(word(native)), message, tlc_status: status(said.word()), run: None };
    match explain(tools.is_2_15(), spec, difference) {
        Some(flaw) => Result::Explained(flaw.id, flaw.about),
        None => Result::Disputed,
    }
}

/// TLC's verdict as a result; states are not counted in it.
fn of_tlc(said: Said) -> TvResult {
    match said {
        Said::Conforms => TvResult::Conforms { invariant: "by TLC".into(), states: 0 },
        Said::Refused => TvResult::Refused { states: 0, initial: 1 },
        Said::Error(message) | Said::Nothing(message) => TvResult::Error { message, places: Vec::new(), limit: false },
    }
}
