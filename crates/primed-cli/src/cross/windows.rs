//! Windows before the real TLC.

use std::collections::BTreeMap;
use std::path::PathBuf;

use primed::{Allowed, Bound, Names, Outcome, Refused, Spec, Trouble, Verdict};
use primed_oracle::dispute::{Answers, Bundle, Dispute};
use primed_oracle::flaws::{Difference, explain};
use primed_oracle::windows::{self as oracle, Form, Judge, Said, Window};
use primed_oracle::{Specification, Tools};
use serde::Serialize;

use super::{Asking, Open, Question, Result, Summary, find, specification, text_of, write};
use crate::arguments::WindowsArguments;

/// Why TLC may be of another opinion about how a step comes about, but not about the step.
const ENUMERATION: (&str, &str) = (
    "enumeration",
    "TLC meets an error while it looks for successors, but agrees once the state after the step is given to it",
);
const OPEN: (&str, &str) = ("open-variable", "TLC does not run an action that leaves a variable without a value");
/// Windows that are written down of one run.
const MAX_WRITTEN: usize = 100;

/// What TLC says of one window.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Crossed {
    /// What came of it.
    pub(crate) result: &'static str,
    /// TLC's verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tlc: Option<&'static str>,
    /// Primed's.
    pub(crate) primed: &'static str,
    /// TLC's words about an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// The known cause, or why it was not cross-checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

impl Crossed {
    /// What came of one window.
    pub(crate) fn new(primed: &'static str, result: &Result, said: Option<&Said>) -> Crossed {
        let message = match said {
            Some(Said::Error(words)) => Some(words.clone()),
            _ => None,
        };
        let why = match result {
            Result::Unchecked(why) => Some(why.clone()),
            Result::Explained(cause, _) => Some((*cause).to_owned()),
            _ => None,
        };
        let tlc = said.filter(|s| !matches!(s, Said::Nothing(_))).map(Said::word);
        Crossed { result: result.word(), tlc, primed, message, why }
    }
}

/// Windows with their verdicts, before TLC.
pub(crate) struct Crossing<'c> {
    pub(crate) spec: &'c Spec,
    pub(crate) arguments: &'c WindowsArguments,
    /// The text of each line, from line 1.
    pub(crate) lines: &'c [String],
    /// TLC's opinions by line.
    pub(crate) crossed: BTreeMap<usize, Crossed>,
    pub(crate) summary: Summary,
}

/// A window that is to be put before TLC.
struct Asked {
    line: usize,
    native: &'static str,
    message: Option<String>,
    bound: Bound,
}

impl Crossing<'_> {
    /// Asks TLC about the verdicts that the arguments choose; what is disputed or decided by TLC has TLC's verdict afterwards.
    pub(crate) fn run(&mut self, verdicts: &mut [Verdict]) {
        let mut chosen: Vec<usize> = Vec::new();
        for (i, verdict) in verdicts.iter().enumerate() {
            match self.question(verdict) {
                Question::Asked => chosen.push(i),
                Question::Unasked(why) => self.record(verdict, Result::Unchecked(why.to_owned()), None),
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
                chosen.iter().for_each(|i| self.record(&verdicts[*i], Result::Unchecked(trouble.to_string()), None));
                return;
            }
        };
        self.summary.tlc = Some(tools.version());
        let spec = specification(self.spec.sources(), text_of(&self.config()), None);
        let mut names = Names::default();
        names.any_text = !spec.is_ascii();
        let mut asked = Vec::new();
        for verdict in chosen.iter().map(|i| &verdicts[*i]) {
            let text = verdict.line.checked_sub(1).and_then(|i| self.lines.get(i)).map_or("", String::as_str);
            match self.spec.bind(text, &mut names) {
                Ok(bound) => {
                    let message = match &verdict.outcome {
                        Outcome::Error(trouble) | Outcome::Unsupported(trouble) => Some(trouble.message.clone()),
                        _ => None,
                    };
                    asked.push(Asked { line: verdict.line, native: verdict.outcome.word(), message, bound });
                }
                Err(why) => self.record(verdict, Result::Unchecked(why), None),
            }
        }
        let asking = Asking::start(self.arguments.common.only_json(), asked.len(), "window", &tools);
        let answers = self.answers(&tools, &spec, &names, &asked);
        drop(asking);
        self.settle(&tools, &spec, &names, &asked, answers, verdicts);
    }

    /// TLC says otherwise of the window in this line.
    pub(crate) fn is_disputed(&self, line: usize) -> bool {
        self.crossed.get(&line).is_some_and(|crossed| crossed.result == "disputed")
    }

    fn question(&self, verdict: &Verdict) -> Question {
        let open = match &verdict.outcome {
            Outcome::Unsupported(_) => Some(Open::UNSUPPORTED),
            Outcome::Error(trouble) if trouble.limit => Some(Open::LIMIT),
            Outcome::Error(trouble) => Open::of(&trouble.message),
            _ => None,
        };
        Question::new(&self.arguments.cross, verdict.line, !matches!(verdict.outcome, Outcome::Conforms), open)
    }

    fn config(&self) -> PathBuf {
        self.arguments.source.config.clone().unwrap_or_else(|| self.arguments.source.spec.with_extension("cfg"))
    }

    /// TLC's answers by line. What it answers otherwise while it looks for successors, it is asked once more with the state after
    /// the step given; such an answer is marked.
    fn answers(
        &self,
        tools: &Tools,
        spec: &Specification,
        names: &Names,
        asked: &[Asked],
    ) -> BTreeMap<usize, (Said, bool)> {
        let bounds = self.arguments.cross.tlc.bounds();
        let ask = |which: &[&Asked], form: Form| {
            let windows: Vec<Window> = which.iter().map(|a| window(a.line, &a.bound)).collect();
            let answers = oracle::judge(tools, spec, names.constants(), &windows, form, &bounds);
            answers.unwrap_or_else(|trouble| {
                windows.iter().map(|w| (w.number, Said::Nothing(trouble.to_string()))).collect()
            })
        };
        let first = ask(&asked.iter().collect::<Vec<_>>(), Form::Enumerated);
        let differs = |asked: &&Asked| {
            let said = first.get(&asked.line);
            asked.native != "unsupported"
                && said.is_some_and(|s| !matches!(s, Said::Nothing(_)) && s.word() != asked.native)
        };
        let unsure: Vec<&Asked> = asked.iter().filter(differs).collect();
        let second = if unsure.is_empty() { BTreeMap::new() } else { ask(&unsure, Form::Given) };
        let native = |line: usize| asked.iter().find(|a| a.line == line).map(|a| a.native);
        let mut all: BTreeMap<usize, (Said, bool)> = first.into_iter().map(|(line, s)| (line, (s, false))).collect();
        for (line, said) in second {
            if native(line) == Some(said.word())
                && let Some(answer) = all.get_mut(&line)
            {
                answer.1 = true;
            }
        }
        all
    }

    fn settle(
        &mut self,
        tools: &Tools,
        spec: &Specification,
        names: &Names,
        asked: &[Asked],
        answers: BTreeMap<usize, (Said, bool)>,
        verdicts: &mut [Verdict],
    ) {
        let mut disputed = Vec::new();
        let at: BTreeMap<usize, usize> = verdicts.iter().enumerate().map(|(i, v)| (v.line, i)).collect();
        for asked in asked {
            let Some(verdict) = at.get(&asked.line).and_then(|i| verdicts.get_mut(*i)) else { continue };
            let nothing = || (Said::Nothing("TLC did not answer".into()), false);
            let (said, given) = answers.get(&asked.line).cloned().unwrap_or_else(nothing);
            let result = compare(tools, spec, asked, &said, given);
            self.record(verdict, result.clone(), Some(&said));
            match result {
                Result::Disputed => {
                    disputed.push((asked, said.clone()));
                    verdict.outcome = of_tlc(said);
                    verdict.notes.push("disputed: this is TLC's verdict".into());
                }
                Result::Decided => verdict.outcome = of_tlc(said),
                _ => {}
            }
        }
        if !disputed.is_empty() {
            let bundle = self.bundle(tools, spec, names, &disputed);
            let paint = self.arguments.common.color.error();
            self.summary.written = write(&bundle, &self.arguments.cross.disputes, paint);
        }
    }

    fn record(&mut self, verdict: &Verdict, result: Result, said: Option<&Said>) {
        self.summary.add(&result);
        self.crossed.insert(verdict.line, Crossed::new(verdict.outcome.word(), &result, said));
    }

    fn bundle(&self, tools: &Tools, spec: &Specification, names: &Names, disputed: &[(&Asked, Said)]) -> Bundle {
        let shown = &disputed[..disputed.len().min(MAX_WRITTEN)];
        let mut arguments = Vec::new();
        let of = self.arguments;
        for (name, value) in [("--action", &of.steps.action), ("--unobserved", &of.steps.unobserved)] {
            arguments.extend(value.iter().flat_map(|v| [name.to_owned(), v.clone()]));
        }
        let answers = shown.iter().enumerate().map(|(i, (asked, said))| Answers {
            line: i + 1,
            primed: asked.native.to_owned(),
            tlc: said.word().to_owned(),
            message: match said {
                Said::Error(words) => Some(words.clone()),
                _ => None,
            },
        });
        let windows: Vec<Window> = shown.iter().enumerate().map(|(i, (a, _))| window(i + 1, &a.bound)).collect();
        let judge = Judge::new(spec, names.constants(), &windows.iter().collect::<Vec<_>>(), Form::Enumerated);
        let more: String = arguments.iter().map(|a| format!(" '{a}'")).collect();
        let root = spec.root();
        let dispute = Dispute {
            kind: "windows".into(),
            spec: format!("{root}.tla"),
            config: format!("{root}.cfg"),
            windows: Some("windows.ndjson".into()),
            arguments,
            answers: answers.collect(),
            primed_version: env!("CARGO_PKG_VERSION").into(),
            tlc_version: tools.version(),
            reproduce: format!("primed windows {root}.tla --windows windows.ndjson --cross-check all{more}"),
        };
        let line = |(asked, _): &(&Asked, Said)| self.lines.get(asked.line - 1).cloned().unwrap_or_default();
        let others = judge.files.into_iter().map(|(name, text)| (format!("tlc/{name}"), text)).collect();
        Bundle { dispute, spec: spec.clone(), windows: shown.iter().map(line).collect(), others }
    }
}

/// What both answers come to.
fn compare(tools: &Tools, spec: &Specification, asked: &Asked, said: &Said, given: bool) -> Result {
    if let Said::Nothing(why) = said {
        return Result::Unchecked(why.clone());
    }
    if asked.native == "unsupported" || asked.message.as_deref().and_then(Open::of).is_some() {
        return Result::Decided;
    }
    if said.word() == asked.native {
        return Result::Agrees;
    }
    let failed = matches!(said, Said::Error(_));
    if failed && asked.bound.open && given {
        return Result::Explained(OPEN.0, OPEN.1);
    }
    if given && (failed || asked.native == "error") {
        return Result::Explained(ENUMERATION.0, ENUMERATION.1);
    }
    let status = |word: &str| match word {
        "conforms" => 0,
        "refused" => 12,
        _ => 75,
    };
    let difference = Difference {
        status: status(asked.native),
        message: asked.message.as_deref(),
        tlc_status: status(said.word()),
        run: None,
    };
    match explain(tools.is_2_15(), spec, difference) {
        Some(flaw) => Result::Explained(flaw.id, flaw.about),
        None => Result::Disputed,
    }
}

/// TLC's verdict as an outcome.
fn of_tlc(said: Said) -> Outcome {
    match said {
        Said::Conforms => Outcome::Conforms,
        Said::Refused => Outcome::Refused(Box::new(Refused::without_reasons(
            "TLC decided this: it finds no successor that is the state after the step, and names no condition",
        ))),
        Said::Error(words) | Said::Nothing(words) => Outcome::Error(Trouble::new(words)),
    }
}

fn window(number: usize, bound: &Bound) -> Window {
    let allowed = bound.allowed.clone().map(|allowed| match allowed {
        Allowed::Initial(text) => oracle::Allowed::Initial(text),
        Allowed::Predicate(text) => oracle::Allowed::Predicate(text),
    });
    Window {
        number,
        formula: bound.formula.clone(),
        before: bound.before.clone(),
        after: bound.after.clone(),
        missing: bound.missing.clone(),
        allowed,
    }
}
