//! `primed check`: all states of a finite model.

use primed::{CheckReport, CheckSettings, CheckVerdict, ModelChecker, Permissions, TraceEnding, TraceState};
use serde::Serialize;

use crate::arguments::CheckArguments;
use crate::diagnostics;
use crate::exit::Failure;
use crate::output::{Sink, raw_error};
use crate::paint::{Paint, harmless};

pub(crate) const LONG_HELP: &str = "\
Searches breadth first: assumptions, invariants, deadlock and properties, under CONSTRAINT and ACTION_CONSTRAINT. States
are stored in full, so that two states are never taken for one. POSTCONDITION is not supported yet and is refused by
name.

A PROPERTY is taken apart as TLC does it: `[]P` is an invariant, `[][A]_v` is checked of every step, a state predicate of
the initial states. Anything else is a temporal property: `[]`, `<>`, `~>` and connectives around state predicates,
actions in `[]<>A`, `<>[]A`, WF and SF. It is violated if some behaviour that satisfies the fairness conditions of
SPECIFICATION violates it; every state may stutter for ever unless fairness forbids it. The trace then ends with how the
behaviour goes on. What a CONSTRAINT leaves out is no part of any behaviour.

JSON (`--json -`): one object:
  verdict     holds, assumption, deadlock, invariant, initial_property, action_property, temporal_property, error,
              unsupported or limit
  exit_code   TLC's
  generated, distinct, left, depth   as TLC counts them
  violated    the invariant or property that is violated; of temporal properties an array
  message, places                    if something went wrong
  trace       [{`action`, `state`: {variable: value}}]
  then        of a temporal property: \"stuttering\", or {`back_to`: number of a state in the trace, from 1, `action`}; left
              out if the trace alone violates it

Exit codes:
    0  no error
   10  an assumption is false
   11  deadlock
   12  an invariant is violated, or a temporal property by the trace alone
   13  a property is violated
   14  an Assert failed
   72  something is not supported
   73  a limit was reached
   75  an evaluation failed; 76 while an invariant was evaluated; 255 while a temporal property was, or if the initial
       predicate leaves a variable open
   77  a temporal property is a tautology
  150  the specification cannot be read or is not legal
  151  the configuration cannot be read or does not fit, or asks for what is not supported yet
  255  a temporal formula is of a form that TLC cannot check";

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
fn word(verdict: &CheckVerdict) -> (&'static str, Option<Violated<'_>>) {
    match verdict {
        CheckVerdict::Holds => ("holds", None),
        CheckVerdict::Assumption(_) => ("assumption", None),
        CheckVerdict::Deadlock => ("deadlock", None),
        CheckVerdict::Invariant(name) => ("invariant", Some(Violated::One(name))),
        CheckVerdict::InitialProperty(name) => ("initial_property", Some(Violated::One(name))),
        CheckVerdict::ActionProperty(name) => ("action_property", Some(Violated::One(name))),
        CheckVerdict::TemporalProperty { names, .. } => ("temporal_property", Some(Violated::Many(names))),
        CheckVerdict::Error { .. } => ("error", None),
        CheckVerdict::Unsupported(_) => ("unsupported", None),
        CheckVerdict::Limit(_) => ("limit", None),
        CheckVerdict::Stopped => ("stopped", None),
    }
}

/// The name of what is violated, or the names.
#[derive(Serialize)]
#[serde(untagged)]
enum Violated<'r> {
    One(&'r str),
    Many(&'r [String]),
}

fn message(verdict: &CheckVerdict) -> (Option<&str>, &[String]) {
    match verdict {
        CheckVerdict::Assumption(text) | CheckVerdict::Unsupported(text) | CheckVerdict::Limit(text) => {
            (Some(text), &[])
        }
        CheckVerdict::Error { message, places, .. } => (Some(message), places),
        _ => (None, &[]),
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
    violated: Option<Violated<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'r str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    places: &'r [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trace: Vec<StateObject<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    then: Option<Then<'r>>,
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
            then: report.ending.as_ref().map(|ending| match ending {
                TraceEnding::Stutters => Then::Stuttering("stuttering"),
                TraceEnding::Back { state, by } => Then::Back { back_to: *state, action: by.action.as_deref() },
            }),
        }
    }
}

fn text(name: &str, report: &CheckReport, paint: Paint) -> String {
    let mut out = String::new();
    for (i, state) in report.trace.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| report.trace.get(i));
        push_state(&mut out, i + 1, before, state, paint);
    }
    match &report.ending {
        None => {}
        Some(TraceEnding::Stutters) => out.push_str("     and so it stays for ever\n"),
        Some(TraceEnding::Back { state, by }) => {
            let action = by.action.as_ref().map(|a| format!(" by {a}")).unwrap_or_default();
            out.push_str(&format!("     and back to state {state}{action}, and so on for ever\n"));
        }
    }
    let (message, places) = message(&report.verdict);
    let result = match &report.verdict {
        CheckVerdict::Holds => paint.bold(&format!("{name}: no error was found")),
        CheckVerdict::Deadlock => paint.bold(&format!("{name}: deadlock, the last state has no successor")),
        CheckVerdict::Invariant(invariant) => {
            paint.bold(&format!("{name}: the invariant {invariant} is violated in the last state"))
        }
        CheckVerdict::InitialProperty(property) => {
            paint.bold(&format!("{name}: the property {property} is violated in the initial state"))
        }
        CheckVerdict::ActionProperty(property) => {
            paint.bold(&format!("{name}: the property {property} is violated by the last step"))
        }
        CheckVerdict::TemporalProperty { names, .. } => match names.as_slice() {
            [property] => paint.bold(&format!("{name}: the temporal property {property} is violated")),
            names => paint.bold(&format!("{name}: temporal properties are violated: {}", names.join(", "))),
        },
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
        (_, Some(_)) => state.signature(),
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
