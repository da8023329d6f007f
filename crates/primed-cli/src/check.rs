//! `primed check`: all states of a finite model.

use primed::{CheckReport, CheckSettings, CheckVerdict, ModelChecker, Permissions, TraceState};
use serde::Serialize;

use crate::arguments::CheckArguments;
use crate::diagnostics;
use crate::exit::Failure;
use crate::output::{Sink, raw_error};
use crate::paint::{Paint, harmless};

pub(crate) const LONG_HELP: &str = "\
Searches breadth first: assumptions, invariants and deadlock, under CONSTRAINT and ACTION_CONSTRAINT. States are
stored in full, so that two states are never taken for one. PROPERTY, SYMMETRY, VIEW and POSTCONDITION are not
supported yet and are refused by name.

JSON (`--json -`): one object:
  verdict     holds, assumption, deadlock, invariant, error, unsupported or limit
  exit_code   TLC's
  generated, distinct, left, depth   as TLC counts them
  violated    the invariant that is violated
  message, places                    if something went wrong
  trace       [{`action`, `state`: {variable: value}}]

Exit codes:
    0  no error
   10  an assumption is false
   11  deadlock
   12  an invariant is violated
   14  an Assert failed
   72  something is not supported
   73  a limit was reached
   75  an evaluation failed; 76 while an invariant was evaluated; 255 the initial predicate leaves a variable open
  150  the specification cannot be read or is not legal
  151  the configuration cannot be read or does not fit, or asks for what is not supported yet";

/// Searches; the exit code.
pub(crate) fn run(arguments: &CheckArguments) -> Result<u8, Failure> {
    let config = arguments.config.clone().unwrap_or_else(|| arguments.spec.with_extension("cfg"));
    let permissions = Permissions { read: arguments.allow_read.clone(), print: true, ..Permissions::default() };
    arguments.threads.apply()?;
    let libraries = primed::libraries_with_environment(&arguments.libraries);
    let checker = ModelChecker::open(&arguments.spec, &config, &libraries, permissions)?;
    raw_error(&diagnostics::render(checker.warnings(), arguments.common.color.error()));
    let settings = CheckSettings {
        workers: usize::from(arguments.threads.count().unwrap_or(1)),
        deadlock: arguments.no_deadlock.then_some(false),
        max_states: arguments.max_states.unwrap_or(usize::MAX),
        ..CheckSettings::default()
    };
    let report = checker.check(settings);
    let code = u8::try_from(report.verdict.exit_code()).unwrap_or(u8::MAX);
    if let Some(target) = &arguments.common.json {
        let mut sink = Sink::json(target, Some(&arguments.spec))?;
        sink.object(&Object::new(&report)).and_then(|()| sink.finish()).map_err(|e| e.failure(code))?;
    }
    if !arguments.common.only_json() {
        let mut people = Sink::standard();
        let text = text(checker.name(), &report, arguments.common.color.output());
        people.text(&text).and_then(|()| people.finish()).map_err(|e| e.failure(code))?;
    }
    Ok(code)
}

/// The word for a verdict, and what is violated.
fn word(verdict: &CheckVerdict) -> (&'static str, Option<&str>) {
    match verdict {
        CheckVerdict::Holds => ("holds", None),
        CheckVerdict::Assumption(_) => ("assumption", None),
        CheckVerdict::Deadlock => ("deadlock", None),
        CheckVerdict::Invariant(name) => ("invariant", Some(name)),
        CheckVerdict::Error { .. } => ("error", None),
        CheckVerdict::Unsupported(_) => ("unsupported", None),
        CheckVerdict::Limit(_) => ("limit", None),
        CheckVerdict::Stopped => ("stopped", None),
    }
}

fn message(verdict: &CheckVerdict) -> (Option<&str>, &[String]) {
    match verdict {
        CheckVerdict::Holds | CheckVerdict::Deadlock | CheckVerdict::Invariant(_) | CheckVerdict::Stopped => {
            (None, &[])
        }
        CheckVerdict::Assumption(text) | CheckVerdict::Unsupported(text) | CheckVerdict::Limit(text) => {
            (Some(text), &[])
        }
        CheckVerdict::Error { message, places, .. } => (Some(message), places),
    }
}

#[derive(Serialize)]
struct Object<'r> {
    verdict: &'static str,
    exit_code: i32,
    generated: u64,
    distinct: usize,
    left: usize,
    depth: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    violated: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'r str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    places: &'r [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trace: Vec<StateObject<'r>>,
}

#[derive(Serialize)]
struct StateObject<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'r str>,
    state: serde_json::Map<String, serde_json::Value>,
}

impl<'r> Object<'r> {
    fn new(report: &'r CheckReport) -> Object<'r> {
        let (verdict, violated) = word(&report.verdict);
        let (message, places) = message(&report.verdict);
        let trace = report.trace.iter().map(|state| StateObject {
            action: state.action.as_deref(),
            state: state.values.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect(),
        });
        Object {
            verdict,
            exit_code: report.verdict.exit_code(),
            generated: report.generated,
            distinct: report.distinct,
            left: report.left,
            depth: report.depth,
            violated,
            message,
            places,
            trace: trace.collect(),
        }
    }
}

fn text(name: &str, report: &CheckReport, paint: Paint) -> String {
    let mut out = String::new();
    for (i, state) in report.trace.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| report.trace.get(i));
        push_state(&mut out, i + 1, before, state, paint);
    }
    let (message, places) = message(&report.verdict);
    let result = match &report.verdict {
        CheckVerdict::Holds => paint.bold(&format!("{name}: no error was found")),
        CheckVerdict::Deadlock => paint.bold(&format!("{name}: deadlock, the last state has no successor")),
        CheckVerdict::Invariant(invariant) => {
            paint.bold(&format!("{name}: the invariant {invariant} is violated in the last state"))
        }
        _ => paint.bold(&format!("{name}: {}", harmless(message.unwrap_or_default()))),
    };
    out.push_str(&result);
    out.push('\n');
    for place in places {
        out.push_str(&format!("    at {}\n", harmless(place)));
    }
    out.push_str(&format!(
        "{} states generated, {} distinct, {} left, depth {}\n",
        report.generated, report.distinct, report.left, report.depth
    ));
    out
}

/// A state of a trace: all of the first, then what changes.
fn push_state(out: &mut String, number: usize, before: Option<&TraceState>, state: &TraceState, paint: Paint) {
    let action = match (before, &state.action) {
        (None, _) => "initial state".to_owned(),
        (_, Some(action)) => action.clone(),
        (_, None) => "a step".to_owned(),
    };
    out.push_str(&format!("{} {}\n", paint.dim(&format!("{number:>3}.")), paint.bold(&action)));
    let width = state.values.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (i, (name, value)) in state.values.iter().enumerate() {
        let changed = before.is_none_or(|b| b.values.get(i).is_none_or(|(_, old)| old != value));
        if changed {
            out.push_str(&format!("       {name:<width$} = {}\n", harmless(value)));
        }
    }
}
