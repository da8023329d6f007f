//! A search for people.

use primed::{
    CheckReport, CheckVerdict, Checkpoints, Coverage, CoverageKind, During, ExpressionCount, Location, TraceEnding,
    TraceState,
};

use super::json::{continuation, message};
use crate::arguments::CheckArguments;
use crate::cross::model::Crossed;
use crate::paint::{Paint, harmless, short};

/// Longest line about a condition, in characters.
const LONGEST: usize = 400;

/// What TLC says of it.
pub(crate) fn push_crossed(out: &mut String, crossed: &Crossed, paint: Paint) {
    out.push_str(&crossed.summary.text(paint, "verdict"));
    if let Some(difference) = &crossed.difference {
        out.push_str(&format!("  they differ in this: {}\n", harmless(difference)));
    }
    if let Some(run) = crossed.decided() {
        let error = run.error.as_deref().map(|e| format!(" ({})", harmless(e))).unwrap_or_default();
        out.push_str(&format!("  TLC's verdict: {}{error}\n", run.verdict.word()));
        if let Some((generated, distinct, _)) = run.counts {
            out.push_str(&format!("  {generated} states generated, {distinct} distinct\n"));
        }
    }
}

/// What was evaluated when an error came up, if it has a name.
fn evaluated(verdict: &CheckVerdict) -> String {
    match verdict {
        CheckVerdict::Error { during: During::Invariant(name), .. } => {
            format!("the invariant {name} cannot be evaluated in the last state: ")
        }
        CheckVerdict::Error { during: During::Action(name), .. } => {
            format!("the property {name} cannot be evaluated on the last step: ")
        }
        _ => String::new(),
    }
}

/// All of it.
pub(super) fn text(name: &str, report: &CheckReport, arguments: &CheckArguments) -> String {
    let paint = arguments.common.color.output();
    let mut out = String::new();
    if arguments.coverage {
        push_coverage(&mut out, report, paint);
    }
    push_trace(&mut out, report, paint);
    push_result(&mut out, name, report, paint);
    out.push_str(&format!(
        "{} states generated, {} distinct, {} left, depth {}\n",
        report.generated, report.distinct, report.left, report.depth
    ));
    if arguments.bytes {
        let kept = report.kept;
        let of = format!("{} of states and their tables, {} of values", kept.states, kept.values);
        out.push_str(&format!("bytes: {of}, at most {} of the queue of up to {} states\n", kept.queue, kept.queued));
    }
    let could_go_on = match report.verdict {
        CheckVerdict::Interrupted | CheckVerdict::Stopped | CheckVerdict::Limit(_) | CheckVerdict::Time(_) => true,
        CheckVerdict::Disk(_) => report.generated > 0,
        _ => false,
    };
    if let Some(folder) = &arguments.lasting.checkpoint
        && could_go_on
        && Checkpoints::are_in(folder)
    {
        out.push_str(&format!("the same command with --recover goes on from `{}`\n", folder.display()));
    }
    out
}

/// The behaviour that was found, and how it goes on.
pub(crate) fn push_trace(out: &mut String, report: &CheckReport, paint: Paint) {
    for (i, state) in report.trace.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| report.trace.get(i));
        push_state(out, i + 1, before, state, paint);
    }
    match continuation(&report.verdict) {
        None => {}
        Some(TraceEnding::Stutters) => out.push_str("     and so it stays for ever\n"),
        Some(TraceEnding::Back { state, by }) => {
            let action = by.action.as_ref().map(|a| format!(" by {a}")).unwrap_or_default();
            out.push_str(&format!("     and back to state {state}{action}, and so on for ever\n"));
        }
    }
}

/// What was found, and the parts of it that explain it.
pub(crate) fn push_result(out: &mut String, name: &str, report: &CheckReport, paint: Paint) {
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
        CheckVerdict::Interrupted => paint.bold(&format!("{name}: interrupted")),
        CheckVerdict::Stopped => paint.bold(&format!("{name}: stopped by the specification")),
        verdict => {
            let message = harmless(message.unwrap_or_default());
            paint.bold(&format!("{name}: {}{message}", evaluated(verdict)))
        }
    };
    out.push_str(&result);
    out.push('\n');
    for reason in &report.reasons {
        let Location { file, line, column, text } = &reason.location;
        out.push_str(&format!("    {} is false ({file}:{line}:{column})\n", harmless(text)));
        for line in crate::windows::report::inside(reason) {
            out.push_str(&format!("      {}\n", short(&line, LONGEST)));
        }
        for (name, value) in reason.bindings.iter().chain(&reason.operands) {
            out.push_str(&format!("      {} is {}\n", harmless(name), harmless(value)));
        }
    }
    for place in places {
        out.push_str(&format!("    at {}\n", harmless(place)));
    }
}

/// How often each action was taken; what never was comes out in bold.
fn push_coverage(out: &mut String, report: &CheckReport, paint: Paint) {
    let name = |c: &Coverage| c.name.clone().unwrap_or_else(|| "Action".into());
    let width = report.coverage.iter().map(|c| name(c).chars().count()).max().unwrap_or(0).max("action".len());
    out.push_str(&format!("{:<width$}  {:>12}  {:>12}\n", "action", "new states", "all states"));
    let actions = |c: &&Coverage| matches!(c.kind, CoverageKind::Initial | CoverageKind::Action);
    for coverage in report.coverage.iter().filter(actions) {
        let (distinct, generated) = (coverage.distinct, coverage.generated);
        let line = format!("{:<width$}  {distinct:>12}  {generated:>12}", name(coverage));
        let never = if generated == 0 { format!("{}  never taken", paint.bold(&line)) } else { line };
        out.push_str(&format!("{never}  {}\n", paint.dim(&coverage.place)));
    }
    out.push('\n');
}

/// How often each expression was evaluated, below what it is a part of; what never was comes out in bold.
pub(super) fn push_expressions(out: &mut String, report: &CheckReport, paint: Paint) {
    out.push_str(&format!("{:>12}  expression\n", "evaluated"));
    for formula in report.coverage.iter().filter(|formula| !formula.expressions.is_empty()) {
        let name = formula.name.as_deref().unwrap_or("Action");
        out.push_str(&format!("{:>12}  {}\n", "", paint.bold(name)));
        for ExpressionCount { place, depth, count, .. } in &formula.expressions {
            let line = format!("{count:>12}  {}{place}", "  ".repeat(*depth + 1));
            let never = if *count == 0 { format!("{}  never evaluated", paint.bold(&line)) } else { line };
            out.push_str(&never);
            out.push('\n');
        }
    }
    out.push('\n');
}

/// A state of a trace: all of the first, then what changes.
fn push_state(out: &mut String, number: usize, before: Option<&TraceState>, state: &TraceState, paint: Paint) {
    let action = match (before, &state.action) {
        (None, _) => "initial state".to_owned(),
        (_, Some(_)) => state.signature(),
        (_, None) => "a step".to_owned(),
    };
    out.push_str(&format!("{} {}\n", paint.dim(&format!("{number:>3}.")), paint.bold(&action)));
    let width = state.values.iter().map(|v| v.name.chars().count()).max().unwrap_or(0);
    for (i, value) in state.values.iter().enumerate() {
        let changed = before.is_none_or(|b| b.values.get(i) != Some(value));
        if changed {
            out.push_str(&format!("       {:<width$} = {}\n", value.name, harmless(&value.text)));
        }
    }
}
