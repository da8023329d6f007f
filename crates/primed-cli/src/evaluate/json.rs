//! The document as JSON. `docs/json.md` describes it.

use std::path::Path;

use primed::evaluation::{
    Conformance, Evaluation, EvaluationPhase, EvaluationSettings, Opinion, PHASES, Phase, PhaseResult, Property,
    PropertySource, PropertyVerdict, Runtime, Syntax, SyntaxUnit,
};
use primed::tally::{Group, Groups, Row};
use primed::{Located, OpenError, Severity};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::watch::Watching;
use crate::check::json::Object;
use crate::cross::model::Crossed;
use crate::diagnostics::Entry;
use crate::windows::json::{AssumedObject, DifferenceObject, ElsewhereObject, LocationObject, ReasonObject};

/// Groups of refusals and errors that are listed.
const MAX_GROUPS: usize = 100;

/// All of it.
#[derive(Serialize)]
pub(crate) struct Document {
    spec: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    config: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    status: &'static str,
    /// Why it is no more than a draft.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    draft_because: Vec<String>,
    exit_code: u8,
    syntax: Value,
    runtime: Value,
    conformance: Value,
    invariants: Value,
}

impl Document {
    pub(crate) fn new(settings: &EvaluationSettings, found: &Evaluation, watch: &Watching<'_>, code: u8) -> Document {
        let shown = |path: &Path| path.display().to_string();
        let head = |phase| {
            let mut head = Map::new();
            head.insert("result".into(), found.result(phase).word().into());
            head.insert("exit_code".into(), found.phase_exit_code(phase).into());
            head
        };
        let phase = |phase: EvaluationPhase, rest: Value| {
            let mut object = head(phase);
            if let Value::Object(rest) = rest {
                object.extend(rest);
            }
            Value::Object(object)
        };
        Document {
            spec: shown(&settings.spec),
            config: settings.config_path().map(|path| shown(&path)),
            module: found.syntax.module.clone(),
            status: if found.is_final() { "final" } else { "draft" },
            draft_because: draft_because(found),
            exit_code: code,
            syntax: phase(EvaluationPhase::Syntax, syntax(&found.syntax)),
            runtime: phase(EvaluationPhase::Runtime, of(&found.runtime, |r| runtime(r, watch.models.get(&0)))),
            conformance: phase(EvaluationPhase::Conformance, of(&found.conformance, |c| conformance(c, watch))),
            invariants: phase(EvaluationPhase::Invariants, of(&found.invariants, |all| invariants(all, watch))),
        }
    }
}

/// What keeps the status from being final, a phase each.
pub(crate) fn draft_because(found: &Evaluation) -> Vec<String> {
    let reason = |phase: &EvaluationPhase| {
        let why = |why: &str| Some(format!("{}: {why}", phase.word()));
        match (found.result(*phase), phase) {
            (PhaseResult::Passed, _) => None,
            (PhaseResult::Failed, _) => why("failed"),
            (PhaseResult::NotRun, _) => why("not run"),
            (PhaseResult::Incomplete, EvaluationPhase::Conformance) => {
                let without: Vec<&str> = found
                    .conformance
                    .run()
                    .into_iter()
                    .flat_map(Conformance::without_evidence)
                    .map(|r| &*r.name)
                    .collect();
                why(&format!("no evidence of {}", without.join(", ")))
            }
            (PhaseResult::Incomplete, _) => why("not all states were searched"),
        }
    };
    PHASES.iter().filter_map(reason).collect()
}

fn of<T>(phase: &Phase<T>, run: impl Fn(&T) -> Value) -> Value {
    match phase {
        Phase::Run(found) => run(found),
        Phase::NotRun { why, .. } => json!({ "why": why }),
    }
}

/// An object without what is empty.
fn object(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(items) => items.is_empty(),
        _ => false,
    };
    Value::Object(entries.into_iter().filter(|(_, v)| !empty(v)).map(|(key, v)| (key.to_owned(), v)).collect())
}

/// What serializes as JSON always does; texts and numbers cannot fail.
fn value(item: impl Serialize) -> Value {
    serde_json::to_value(item).unwrap_or(Value::Null)
}

fn diagnostics<'l>(all: impl IntoIterator<Item = &'l Located>) -> Value {
    let entry = |located: &Located| value(Entry::new(located, "", located.diagnostic.severity == Severity::Error));
    all.into_iter().map(entry).collect()
}

// Syntax.

fn syntax(syntax: &Syntax) -> Value {
    let unit = |unit: &SyntaxUnit, key: &'static str| {
        object([
            (key, unit.name.clone().into()),
            ("kind", if key == "action" { Value::Null } else { unit.kind.word().into() }),
            ("file", unit.file.clone().into()),
            ("line", unit.lines.0.into()),
            ("end_line", unit.lines.1.into()),
            ("accepted", unit.accepted.into()),
            ("errors", diagnostics(&unit.errors)),
            ("presumed", unit.presumed.clone().into()),
        ])
    };
    let (fine, all) = syntax.definitions;
    object([
        ("accepted", syntax.accepted.into()),
        ("message", syntax.unreadable.clone().into()),
        ("definitions", all.into()),
        ("definitions_ok", fine.into()),
        ("actions", syntax.actions.iter().map(|u| unit(u, "action")).collect()),
        ("others", syntax.others.iter().map(|u| unit(u, "name")).collect()),
        ("errors", diagnostics(&syntax.elsewhere)),
        ("warnings", diagnostics(&syntax.warnings)),
    ])
}

// Runtime.

fn runtime(runtime: &Runtime, crossed: Option<&Crossed>) -> Value {
    let mut all = match &runtime.outcome {
        Ok(report) => {
            let mut search = Object::new(report, false);
            search.cross(crossed);
            value(search)
        }
        Err(error) => refused(error),
    };
    let actions = runtime.actions.iter().map(|a| {
        object([
            ("action", a.name.as_deref().unwrap_or("Action").into()),
            ("place", a.place.clone().into()),
            ("generated", a.generated.into()),
            ("distinct", a.distinct.into()),
            ("within", a.within.clone().into()),
            ("divided", a.divided.then_some(true).into()),
        ])
    });
    let never = runtime.never_reached().map(|a| Value::from(a.name.as_deref().unwrap_or("Action")));
    let more = object([
        ("seconds", ((runtime.time.as_secs_f64() * 1000.0).round() / 1000.0).into()),
        ("actions", actions.collect()),
        ("never_reached", never.collect()),
        ("counted_together", runtime.together.clone().into()),
    ]);
    if let (Value::Object(all), Value::Object(more)) = (&mut all, more) {
        all.extend(more);
    }
    all
}

/// A model that cannot be opened.
fn refused(error: &OpenError) -> Value {
    let complaints: &[Located] = match error {
        OpenError::Specification(complaints) => complaints,
        _ => &[],
    };
    let message = complaints.first().map_or_else(|| error.to_string(), |c| c.diagnostic.message.clone());
    object([("verdict", "error".into()), ("message", message.into()), ("errors", diagnostics(complaints))])
}

// Conformance.

fn conformance(found: &Conformance, watch: &Watching<'_>) -> Value {
    let tally = &found.tally;
    let unobserved: Map<String, Value> =
        tally.unobserved.iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name.clone(), (*n).into())).collect();
    let sum = |count: fn(&Row) -> usize| tally.rows.iter().map(count).sum::<usize>();
    let cross = if watch.windows.chosen > 0 { value(&watch.windows) } else { Value::Null };
    object([
        ("windows", tally.total().into()),
        ("conforming", sum(|r| r.conforming).into()),
        ("refused", sum(|r| r.refused).into()),
        ("errors", sum(|r| r.errors).into()),
        ("unsupported", sum(|r| r.unsupported).into()),
        ("disputed", sum(|r| r.disputed).into()),
        ("actions", tally.rows.iter().map(row).collect()),
        ("no_evidence", found.without_evidence().map(|row| Value::from(row.name.clone())).collect()),
        (
            "refusals",
            groups(&tally.refusals, |refused| {
                vec![
                    ("reasons", value(refused.reasons.iter().map(ReasonObject).collect::<Vec<_>>())),
                    (
                        "nearest",
                        value(refused.nearest.as_ref().map(|n| n.iter().map(DifferenceObject).collect::<Vec<_>>())),
                    ),
                    ("nearest_among", refused.among.filter(|_| refused.nearest.is_some()).into()),
                    ("others", refused.others.clone().into()),
                    ("elsewhere", value(refused.elsewhere.iter().map(ElsewhereObject).collect::<Vec<_>>())),
                    ("assumed", value(refused.assumed.as_ref().map(AssumedObject))),
                    ("why", refused.unknown.clone().into()),
                ]
            }),
        ),
        ("problems", groups(&tally.errors, trouble)),
        ("not_supported", groups(&tally.unsupported, trouble)),
        ("unobserved", unobserved.into()),
        ("unreadable", found.unreadable.clone().into()),
        ("cross_check", cross),
    ])
}

/// One action. Without windows there is no rate.
fn row(row: &Row) -> Value {
    let rate = (row.total() > 0).then(|| row.conforming as f64 / row.total() as f64);
    object([
        ("action", row.name.clone().into()),
        ("windows", row.total().into()),
        ("conforming", row.conforming.into()),
        ("refused", row.refused.into()),
        ("errors", row.errors.into()),
        ("unsupported", row.unsupported.into()),
        ("disputed", row.disputed.into()),
        ("rate", rate.into()),
        ("evidence", if row.total() == 0 { "none".into() } else { Value::Null }),
        ("in_next", if row.own { Value::Null } else { false.into() }),
    ])
}

fn trouble(trouble: &primed::Trouble) -> Vec<(&'static str, Value)> {
    let places: Vec<_> = trouble.places.iter().map(LocationObject).collect();
    vec![("message", trouble.message.clone().into()), ("places", value(places))]
}

/// The groups, largest first, each with its first window.
fn groups<T>(groups: &Groups<T>, example: impl Fn(&T) -> Vec<(&'static str, Value)>) -> Value {
    let raw =
        |text: &Option<String>| text.as_deref().and_then(|t| serde_json::from_str::<Value>(t).ok()).unwrap_or_default();
    let shown = |group: &&Group<T>| {
        let place = &group.first;
        let mut entries = vec![
            ("action", place.action.clone().into()),
            ("count", group.count.into()),
            ("file", place.file.as_deref().into()),
            ("line", place.line.into()),
            ("id", raw(&place.id)),
            ("trace", raw(&place.trace)),
        ];
        entries.extend(example(&group.example));
        object(entries)
    };
    groups.sorted().iter().take(MAX_GROUPS).map(shown).collect()
}

// Invariants.

fn invariants(all: &[Property], watch: &Watching<'_>) -> Value {
    let count = |word: &str| all.iter().filter(|p| result(p) == word).count();
    object([
        ("holding", all.iter().filter(|p| p.holds()).count().into()),
        ("violated", count("violated").into()),
        ("not_evaluated", count("not evaluated").into()),
        ("not_reached", count("not reached").into()),
        ("disputed", count("disputed").into()),
        ("properties", all.iter().enumerate().map(|(i, p)| property(p, watch.models.get(&(i + 1)))).collect()),
    ])
}

/// What was found of a property, in a word.
pub(crate) fn result(property: &Property) -> &'static str {
    match (&property.opinion, &property.verdict) {
        (Some(Opinion::Disputed), _) => "disputed",
        (Some(Opinion::Decided { exit_code: 0, .. }), _) => "holds",
        (Some(Opinion::Decided { exit_code: 10..=13, .. }), _) => "violated",
        (Some(Opinion::Decided { .. }), _) => "not evaluated",
        (None, PropertyVerdict::Holds) => "holds",
        (None, PropertyVerdict::Violated(_)) => "violated",
        (None, PropertyVerdict::NotEvaluated { .. }) => "not evaluated",
        (None, PropertyVerdict::NotReached { .. }) => "not reached",
    }
}

fn property(property: &Property, crossed: Option<&Crossed>) -> Value {
    let source = match &property.source {
        PropertySource::Configuration => "configuration",
        PropertySource::Name => "name",
        PropertySource::Text(file) => file,
    };
    let decided = matches!(property.opinion, Some(Opinion::Decided { .. }));
    let observed = |(violated, silent): (usize, usize)| json!({ "violated": violated, "not_evaluated": silent });
    let mut entries = vec![
        ("property", property.name.clone().into()),
        ("kind", property.kind.map(|k| k.word()).into()),
        ("source", source.into()),
        ("result", result(property).into()),
        ("exit_code", property.exit_code().into()),
        ("decided_by", if decided { "tlc".into() } else { Value::Null }),
        ("observed", property.observed.map(observed).unwrap_or_default()),
        ("cross_check", value(crossed)),
    ];
    match &property.verdict {
        PropertyVerdict::Holds => {}
        PropertyVerdict::Violated(report) => entries.push(("search", value(Object::new(report, false)))),
        PropertyVerdict::NotEvaluated { message, places, complaints, .. } => entries.extend([
            ("message", message.clone().into()),
            ("places", places.clone().into()),
            ("errors", diagnostics(complaints)),
        ]),
        PropertyVerdict::NotReached { message, .. } => entries.push(("message", message.clone().into())),
    }
    object(entries)
}
