//! A search as JSON. `docs/json.md` describes it.

use primed::{CheckReport, CheckVerdict, Coverage, CoverageKind, Kept, TraceEnding};
use serde::Serialize;

use crate::cross::model::{self, Crossed};
use crate::exit::DISPUTED;
use crate::windows::json::ReasonObject;

/// The word for a verdict, and what is violated.
fn word(verdict: &CheckVerdict) -> (&'static str, Option<Violated<'_>>) {
    match verdict {
        CheckVerdict::Holds => ("holds", None),
        CheckVerdict::Assumption(_) => ("assumption", None),
        CheckVerdict::Postcondition(_) => ("postcondition", None),
        CheckVerdict::Deadlock => ("deadlock", None),
        CheckVerdict::Invariant(name) => ("invariant", Some(Violated::One(name))),
        CheckVerdict::InitialProperty(name) => ("initial_property", Some(Violated::One(name))),
        CheckVerdict::ActionProperty(name) => ("action_property", Some(Violated::One(name))),
        CheckVerdict::TemporalProperty { names, .. } => ("temporal_property", Some(Violated::Many(names))),
        CheckVerdict::Error { .. } => ("error", None),
        CheckVerdict::Unsupported(_) => ("unsupported", None),
        CheckVerdict::Limit(_) => ("limit", None),
        CheckVerdict::Time(_) => ("time", None),
        CheckVerdict::Stopped => ("stopped", None),
        CheckVerdict::Interrupted => ("interrupted", None),
        CheckVerdict::Disk(_) => ("disk", None),
    }
}

/// The name of what is violated, or the names.
#[derive(Serialize)]
#[serde(untagged)]
enum Violated<'r> {
    One(&'r str),
    Many(&'r [String]),
}

/// What is wrong, and where.
pub(crate) fn message(verdict: &CheckVerdict) -> (Option<&str>, &[String]) {
    match verdict {
        CheckVerdict::Assumption(text)
        | CheckVerdict::Postcondition(text)
        | CheckVerdict::Unsupported(text)
        | CheckVerdict::Limit(text)
        | CheckVerdict::Time(text)
        | CheckVerdict::Disk(text) => (Some(text), &[]),
        CheckVerdict::Error { message, places, .. } => (Some(message), places),
        _ => (None, &[]),
    }
}

/// The result of a search.
#[derive(Serialize)]
pub(crate) struct Object<'r> {
    verdict: &'static str,
    exit_code: i32,
    generated: u64,
    distinct: usize,
    left: usize,
    depth: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<MemoryObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    violated: Option<Violated<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'r str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    places: &'r [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<ReasonObject<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trace: Vec<StateObject<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    then: Option<Then<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coverage: Vec<CoverageObject<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    expressions: Vec<ExpressionObject<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cross_check: Option<&'r Crossed>,
}

#[derive(Serialize)]
struct ExpressionObject<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<&'r str>,
    place: &'r str,
    depth: usize,
    count: u64,
}

/// What was kept in memory, in bytes unless said otherwise.
#[derive(Serialize)]
struct MemoryObject {
    states: usize,
    values: usize,
    queue: usize,
    /// States.
    queued: usize,
}

/// How a behaviour goes on.
#[derive(Serialize)]
#[serde(untagged)]
enum Then<'r> {
    Stuttering(&'static str),
    Back {
        back_to: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        action: Option<&'r str>,
    },
}

/// How the behaviour that violates a temporal property goes on after its trace.
pub(crate) fn continuation(verdict: &CheckVerdict) -> Option<&TraceEnding> {
    match verdict {
        CheckVerdict::TemporalProperty { then, .. } => then.as_ref(),
        _ => None,
    }
}

type Texts = serde_json::Map<String, serde_json::Value>;

#[derive(Serialize)]
struct StateObject<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'r str>,
    #[serde(skip_serializing_if = "Texts::is_empty")]
    parameters: Texts,
    state: Texts,
}

#[derive(Serialize)]
struct CoverageObject<'r> {
    action: &'r str,
    place: &'r str,
    distinct: u64,
    generated: u64,
}

fn texts<'t>(pairs: impl Iterator<Item = (&'t String, &'t String)>) -> Texts {
    pairs.map(|(name, value)| (name.clone(), value.as_str().into())).collect()
}

/// The initial predicate, or an action.
fn is_action(coverage: &Coverage) -> bool {
    matches!(coverage.kind, CoverageKind::Initial | CoverageKind::Action)
}

impl<'r> Object<'r> {
    /// What a search came to; how often each action was taken only if that is asked for.
    pub(crate) fn new(report: &'r CheckReport, with_coverage: bool) -> Object<'r> {
        let (verdict, violated) = word(&report.verdict);
        let (message, places) = message(&report.verdict);
        let trace = report.trace.iter().map(|state| StateObject {
            action: state.action.as_deref(),
            parameters: texts(state.parameters.iter().map(|p| (&p.name, &p.text))),
            state: texts(state.values.iter().map(|v| (&v.name, &v.text))),
        });
        let coverage = report.coverage.iter().filter(|c| with_coverage && is_action(c)).map(|c| CoverageObject {
            action: c.name.as_deref().unwrap_or("Action"),
            place: &c.place,
            distinct: c.distinct,
            generated: c.generated,
        });
        let expressions = report.coverage.iter().flat_map(|formula| {
            let within = formula.name.as_deref();
            formula.expressions.iter().map(move |e| ExpressionObject {
                within,
                place: &e.place,
                depth: e.depth,
                count: e.count,
            })
        });
        Object {
            verdict,
            exit_code: report.verdict.exit_code(),
            generated: report.generated,
            distinct: report.distinct,
            left: report.left,
            depth: report.depth,
            memory: None,
            violated,
            message,
            places,
            reasons: report.reasons.iter().map(ReasonObject).collect(),
            trace: trace.collect(),
            then: continuation(&report.verdict).map(|ending| match ending {
                TraceEnding::Stutters => Then::Stuttering("stuttering"),
                TraceEnding::Back { state, by } => Then::Back { back_to: *state, action: by.action.as_deref() },
            }),
            coverage: coverage.collect(),
            expressions: expressions.collect(),
            decided_by: None,
            cross_check: None,
        }
    }

    /// What was kept in memory, if that was asked for: it is not the same in each run.
    pub(crate) fn measured(&mut self, kept: Option<&Kept>) {
        self.memory = kept.map(|kept| {
            let Kept { states, values, queue, queued } = *kept;
            MemoryObject { states, values, queue, queued }
        });
    }

    /// What TLC says stands beside it, and before it where TLC's verdict stands.
    pub(crate) fn cross(&mut self, crossed: Option<&'r Crossed>) {
        self.cross_check = crossed;
        let Some(crossed) = crossed else { return };
        if crossed.disputed() {
            (self.verdict, self.exit_code) = ("disputed", i32::from(DISPUTED));
        }
        if let Some(run) = crossed.decided() {
            (self.verdict, self.exit_code, self.decided_by) = (model::word(run), run.status, Some("tlc"));
            if let Some((generated, distinct, left)) = run.counts {
                let whole = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
                (self.generated, self.distinct, self.left) = (generated, whole(distinct), whole(left));
            }
            self.depth = run.depth.and_then(|d| usize::try_from(d).ok()).unwrap_or(self.depth);
            self.message = run.error.as_deref();
            self.places = &run.places;
            self.trace = run.trace.iter().map(of_tlc).collect();
        }
    }
}

/// A state that TLC printed, with its action and the place of it.
fn of_tlc(state: &primed_oracle::read::State) -> StateObject<'_> {
    let action = Some(state.action.split(' ').next().unwrap_or("")).filter(|_| state.number > 1);
    StateObject { action, parameters: Texts::new(), state: texts(state.values.iter().map(|(n, v)| (n, v))) }
}
