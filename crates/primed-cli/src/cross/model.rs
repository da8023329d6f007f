//! A model before the real TLC.

use primed::{CheckReport, CheckVerdict, ModelChecker};
use primed_oracle::dispute::{Answers, Bundle, Dispute};
use primed_oracle::model::{Answer, check};
use primed_oracle::read::{Run, Verdict};
use primed_oracle::{Specification, Tools};
use serde::Serialize;

use super::{Asking, Open, Question, Result, Summary, find, specification, write};
use crate::arguments::CheckArguments;

/// What TLC says of the model.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Crossed {
    /// What came of it.
    pub(crate) result: &'static str,
    /// What differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) difference: Option<String>,
    /// The known cause, or why it was not cross-checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// TLC's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tlc: Option<Sums>,
    /// Primed's.
    pub(crate) primed: Sums,
    #[serde(skip)]
    pub(crate) summary: Summary,
    #[serde(skip)]
    pub(crate) run: Option<Run>,
}

/// An answer in numbers.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Sums {
    exit_code: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    generated: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distinct: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    violated: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl Sums {
    fn of(answer: &Answer) -> Sums {
        Sums {
            exit_code: answer.status,
            generated: answer.counts.map(|c| c.0),
            distinct: answer.counts.map(|c| c.1),
            depth: answer.depth,
            violated: answer.violated.clone(),
            message: answer.message.clone(),
        }
    }
}

impl Crossed {
    pub(crate) fn disputed(&self) -> bool {
        self.result == "disputed"
    }

    /// Both end as in a disagreement that was written down.
    pub(crate) fn is(&self, answers: &Answers) -> bool {
        let same = |text: &str, status: i32| text.split(',').next() == Some(&format!("status {status}"));
        let tlc = self.tlc.as_ref().is_some_and(|sums| same(&answers.tlc, sums.exit_code));
        tlc && same(&answers.primed, self.primed.exit_code)
    }

    /// TLC's run, if it decided alone.
    pub(crate) fn decided(&self) -> Option<&Run> {
        self.run.as_ref().filter(|_| self.result == "decided")
    }
}

/// TLC's verdict in the word that Primed has for it.
pub(crate) fn word(run: &Run) -> &'static str {
    match run.verdict {
        Verdict::Holds => "holds",
        Verdict::Assumption if run.has(2404) || run.has(2405) => "postcondition",
        Verdict::Assumption => "assumption",
        Verdict::Deadlock => "deadlock",
        Verdict::Safety => "invariant",
        Verdict::Liveness if run.has(2108) => "initial_property",
        Verdict::Liveness if run.has(2112) || run.has(2113) => "action_property",
        Verdict::Liveness => "temporal_property",
        _ => "error",
    }
}

/// Asks TLC about a model with the text of its configuration, if the arguments choose the one of this number.
pub(crate) fn cross(
    checker: &ModelChecker,
    config: &str,
    arguments: &CheckArguments,
    number: usize,
    report: &CheckReport,
) -> Option<Crossed> {
    let cross = &arguments.cross;
    let open = open(&report.verdict);
    let failed = !matches!(report.verdict, CheckVerdict::Holds);
    let question = Question::new(cross, number, failed, open);
    if question == Question::Unwanted {
        return None;
    }
    let own = answer(report, arguments.threads.count().unwrap_or(1));
    let mut crossed = Crossed {
        result: "",
        difference: None,
        why: None,
        tlc: None,
        primed: Sums::of(&own),
        summary: Summary::default(),
        run: None,
    };
    let found = match question {
        Question::Unasked(why) => Err(why.to_owned()),
        _ => find(cross, arguments.common.color.error()).map_err(|trouble| trouble.to_string()),
    };
    let result = match found {
        Ok(tools) => {
            let _asking = Asking::start(arguments.common.only_json(), 1, "model", &tools);
            crossed.summary.tlc = Some(tools.version());
            let spec = specification(checker.sources(), config.to_owned(), Some(&arguments.access));
            ask(&tools, &spec, arguments, &own, open.is_some(), &mut crossed)
        }
        Err(why) => Result::Unchecked(why),
    };
    crossed.summary.add(&result);
    crossed.result = result.word();
    crossed.why = match result {
        Result::Unchecked(why) => Some(why),
        Result::Explained(cause, _) => Some(cause.to_owned()),
        _ => None,
    };
    Some(crossed)
}

/// Why a search has no verdict that could be put before TLC.
fn open(verdict: &CheckVerdict) -> Option<Open> {
    match verdict {
        CheckVerdict::Unsupported(_) => Some(Open::UNSUPPORTED),
        CheckVerdict::Error { message, .. }
        | CheckVerdict::Assumption(message)
        | CheckVerdict::Postcondition(message) => Open::of(message),
        CheckVerdict::Limit(_) => Some(Open::LIMIT),
        CheckVerdict::Time(_) => Some(Open::Ended("the time of --seconds was over before there was a verdict")),
        CheckVerdict::Stopped => {
            Some(Open::Ended("the specification ended the search, which has no verdict therefore"))
        }
        CheckVerdict::Interrupted => Some(Open::Ended("the search was interrupted before there was a verdict")),
        CheckVerdict::Disk(_) => Some(Open::Ended("a file failed before there was a verdict")),
        _ => None,
    }
}

fn answer(report: &CheckReport, workers: u16) -> Answer {
    let (violated, message) = match &report.verdict {
        CheckVerdict::Invariant(name) | CheckVerdict::InitialProperty(name) | CheckVerdict::ActionProperty(name) => {
            (Some(name.clone()), None)
        }
        CheckVerdict::Error { message, .. }
        | CheckVerdict::Assumption(message)
        | CheckVerdict::Postcondition(message)
        | CheckVerdict::Unsupported(message) => (None, Some(message.clone())),
        _ => (None, None),
    };
    let status = report.verdict.tlc_exit_code();
    // Of several workers, who finds a violation first is chance.
    let counted = status == 0 || workers == 1;
    Answer {
        status,
        counts: counted.then_some((report.generated, report.distinct as u64)),
        depth: counted.then_some(report.depth as u64),
        violated,
        message,
    }
}

fn ask(
    tools: &Tools,
    spec: &Specification,
    arguments: &CheckArguments,
    own: &Answer,
    unsupported: bool,
    crossed: &mut Crossed,
) -> Result {
    let deadlock = !arguments.search.no_deadlock && spec.parsed_config().check_deadlock != Some(false);
    let run = match check(tools, spec, deadlock, &arguments.cross.tlc.bounds()) {
        Ok(Ok(run)) => run,
        Ok(Err(why)) => return Result::Unchecked(why),
        Err(trouble) => return Result::Unchecked(trouble.to_string()),
    };
    let tlc = Answer::of(&run);
    crossed.tlc = Some(Sums::of(&tlc));
    let result = match own.differs(&tlc) {
        _ if unsupported => Result::Decided,
        None => Result::Agrees,
        Some(difference) => {
            crossed.difference = Some(difference);
            match own.explained(tools, spec, &run) {
                Some((id, about)) => Result::Explained(id, about),
                None => {
                    let bundle = bundle(tools, spec, arguments, own, &tlc);
                    let paint = arguments.common.color.error();
                    crossed.summary.written = write(&bundle, &arguments.cross.disputes, paint);
                    Result::Disputed
                }
            }
        }
    };
    crossed.run = Some(run);
    result
}

fn bundle(tools: &Tools, spec: &Specification, arguments: &CheckArguments, own: &Answer, tlc: &Answer) -> Bundle {
    let root = spec.root();
    let flags: Vec<String> = arguments.search.no_deadlock.then(|| "--no-deadlock".to_owned()).into_iter().collect();
    let more: String = flags.iter().map(|flag| format!(" {flag}")).collect();
    let shown = |answer: &Answer| {
        let counts = answer.counts.map(|(g, d)| format!(", {g} states generated, {d} distinct")).unwrap_or_default();
        let depth = answer.depth.map(|d| format!(", depth {d}")).unwrap_or_default();
        format!("status {}{counts}{depth}", answer.status)
    };
    let dispute = Dispute {
        kind: "check".into(),
        spec: format!("{root}.tla"),
        config: format!("{root}.cfg"),
        windows: None,
        arguments: flags,
        answers: vec![Answers { line: 0, primed: shown(own), tlc: shown(tlc), message: tlc.message.clone() }],
        primed_version: env!("CARGO_PKG_VERSION").into(),
        tlc_version: tools.version(),
        reproduce: format!("primed check {root}.tla --cross-check all{more}"),
    };
    Bundle { dispute, spec: spec.clone(), windows: Vec::new(), others: Vec::new() }
}
