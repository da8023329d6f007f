//! What a search came to, in TLC's messages and order.

use std::time::Instant;

use primed::{CheckReport, CheckVerdict, During, TraceEnding, TraceState};

use super::clock::{grouped, now};
use super::console::{Class, Console};
use super::options::Options;

/// Prints everything but the last line.
pub(super) fn report(console: &Console, options: &Options, report: &CheckReport, started: Instant) {
    for (verdict, trace) in &report.violations {
        match verdict {
            CheckVerdict::ActionProperty(name) => step_violated(console, options, name, trace),
            CheckVerdict::InitialProperty(name) => initial_violated(console, name, trace),
            CheckVerdict::Invariant(name) => violated(console, options, name, trace),
            _ => Summary::None,
        };
    }
    let summary = match &report.verdict {
        CheckVerdict::Holds => success(console),
        CheckVerdict::Assumption(message) => {
            let code = if message.starts_with("Evaluating") { 2105 } else { 2104 };
            console.error(code, message);
            Summary::None
        }
        CheckVerdict::Deadlock => {
            console.error(2114, "Deadlock reached.");
            behavior(console, options, &report.trace);
            Summary::Counts
        }
        // The search was told to end: what was found until then is summed up.
        CheckVerdict::Stopped => Summary::Counts,
        CheckVerdict::Invariant(name) => violated(console, options, name, &report.trace),
        CheckVerdict::InitialProperty(name) => initial_violated(console, name, &report.trace),
        CheckVerdict::ActionProperty(name) => step_violated(console, options, name, &report.trace),
        CheckVerdict::TemporalProperty { names, .. } => {
            console.error(2116, &disproved(names));
            console.error(2264, "The following behavior constitutes a counter-example:\n");
            states(console, options, &report.trace);
            ending(console, report);
            Summary::Counts
        }
        CheckVerdict::Error { message, places, code, during, .. } => {
            failed(console, options, &report.trace, (message, *code, places), during)
        }
        CheckVerdict::Unsupported(message) | CheckVerdict::Limit(message) => {
            console.error(1000, message);
            behavior(console, options, &report.trace);
            Summary::Counts
        }
    };
    summarize(console, report, started, summary);
}

/// What is printed at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Summary {
    /// Nothing: the search ended before the first step.
    None,
    /// The counts and the depth.
    Counts,
    /// These and the degrees.
    Degrees,
}

fn success(console: &Console) -> Summary {
    // States are stored in full: two are never taken for one.
    console.plain(
        2193,
        "Model checking completed. No error has been found.\n  Estimates of the probability that TLC did not check all \
         reachable states\n  because two distinct states had the same fingerprint:\n  calculated (optimistic):  val = 0.0",
    );
    Summary::Degrees
}

fn violated(console: &Console, options: &Options, name: &str, trace: &[TraceState]) -> Summary {
    if let [state] = trace {
        console.error(2107, &format!("Invariant {name} is violated by the initial state:\n{}", values(state, None)));
        return Summary::None;
    }
    console.error(2110, &format!("Invariant {name} is violated."));
    behavior(console, options, trace);
    Summary::Counts
}

fn initial_violated(console: &Console, name: &str, trace: &[TraceState]) -> Summary {
    let state = trace.last().map(|s| values(s, None)).unwrap_or_default();
    console.error(2108, &format!("Property {name} is violated by the initial state:\n{state}"));
    Summary::None
}

fn step_violated(console: &Console, options: &Options, name: &str, trace: &[TraceState]) -> Summary {
    console.error(2112, &format!("Action property {name} is violated."));
    behavior(console, options, trace);
    Summary::Counts
}

/// Which temporal properties are violated.
fn disproved(names: &[String]) -> String {
    match names {
        [] => "Temporal properties were violated.\n".into(),
        [name] => format!("Temporal property {name} was violated.\n"),
        [first, second] => format!("Temporal properties {first} and {second} were violated.\n"),
        [most @ .., last] => format!("Temporal properties {}, and {last} were violated.\n", most.join(", ")),
    }
}

/// How a behaviour goes on after its last state.
fn ending(console: &Console, report: &CheckReport) {
    let number = report.trace.len() + 1;
    match &report.ending {
        None => {}
        Some(TraceEnding::Stutters) => console.say(Class::State, 2218, &format!("{number}: Stuttering")),
        Some(TraceEnding::Back { state, by }) => {
            let action = header(*state, by);
            let text = match console.tool {
                true => format!("{state}: Back to state: {action}\n"),
                false => format!("Back to state {state}: {action}\n"),
            };
            console.say(Class::State, 2122, &text);
        }
    }
}

fn failed(
    console: &Console,
    options: &Options,
    trace: &[TraceState],
    (message, code, places): (&str, u32, &[String]),
    during: &During,
) -> Summary {
    if code == 2106 {
        let state = trace.last().map(|s| values(s, None)).unwrap_or_default();
        console
            .error(2102, &format!("current state is not a legal state\nWhile working on the initial state:\n{state}"));
        return Summary::None;
    }
    match (during, trace) {
        (During::Initial | During::Invariant(_), [state]) => {
            let state = values(state, None);
            console.error(2102, &format!("{message}\nWhile working on the initial state:\n{state}"));
        }
        (During::Invariant(name), _) => {
            console.error(2111, &format!("Evaluating invariant {name} failed.\n{message}"));
        }
        (During::Action(name), _) => {
            console.error(2113, &format!("Evaluating action property {name} failed.\n{message}"));
        }
        (During::Next | During::Temporal, _) if code == 1000 => console.error(
            1000,
            &format!(
                "TLC threw an unexpected exception.\nThis was probably caused by an error in the spec or model.\nSee the User \
                 Output or TLC Console for clues to what happened.\nThe exception was a java.lang.RuntimeException\n: \
                 {message}"
            ),
        ),
        (During::Initial, []) => console.error(1000, message),
        _ => console.error(code, message),
    }
    if trace.len() > 1 || matches!(during, During::Next | During::Temporal) {
        behavior(console, options, trace);
    }
    if matches!(during, During::Invariant(_) | During::Action(_)) && trace.len() > 1 {
        // TLC runs the step again to find the nested expressions; the state is known by then, and nothing is evaluated.
        return Summary::Degrees;
    }
    if code != 2109 {
        nested(console, places);
    }
    Summary::Counts
}

fn nested(console: &Console, places: &[String]) {
    let lines = places.iter().rev().enumerate().map(|(i, place)| format!("{i}. {}\n", as_nested(place)));
    let text = "The error occurred when TLC was evaluating the nested\nexpressions at the following positions:\n";
    console.error(2103, &format!("{text}{}\n", lines.collect::<String>()));
}

/// `line 5, col 9 to line 5, col 20 of module M` as `Line 5, column 9 to line 5, column 20 in M`.
fn as_nested(place: &str) -> String {
    place.replacen("line ", "Line ", 1).replace(", col ", ", column ").replace(" of module ", " in ")
}

/// A behaviour, state by state.
fn behavior(console: &Console, options: &Options, trace: &[TraceState]) {
    if trace.is_empty() {
        return;
    }
    console.error(2121, "The behavior up to this point is:");
    states(console, options, trace);
}

fn states(console: &Console, options: &Options, trace: &[TraceState]) {
    for (i, state) in trace.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| trace.get(i)).filter(|_| options.differences);
        let text = format!("{}: {}\n{}", i + 1, header(i, state), values(state, before));
        console.say(Class::State, 2217, &text);
    }
}

/// `<Initial predicate>`, or the action that led to a state.
fn header(index: usize, state: &TraceState) -> String {
    match (index, &state.place) {
        (0, _) => "<Initial predicate>".into(),
        (_, None) => "<Action>".into(),
        (_, Some(place)) => format!("<{} {place}>", state.signature()),
    }
}

/// A state's variables, or those that differ from the state before.
fn values(state: &TraceState, before: Option<&TraceState>) -> String {
    if let [(name, value)] = state.values.as_slice() {
        return format!("{name} = {value}\n");
    }
    let lines = state.values.iter().enumerate().filter_map(|(i, (name, value))| {
        let same = before.is_some_and(|b| b.values.get(i).is_some_and(|(_, old)| old == value));
        (!same).then(|| format!("/\\ {name} = {value}\n"))
    });
    lines.collect()
}

fn summarize(console: &Console, report: &CheckReport, started: Instant, summary: Summary) {
    if summary == Summary::None {
        return;
    }
    let CheckReport { generated, distinct, left, depth, degrees, .. } = report;
    if console.tool {
        let minutes = started.elapsed().as_secs_f64().max(0.001) / 60.0;
        let rate = |n: u64| grouped((n as f64 / minutes) as u64);
        let (all, new, queue) = (grouped(*generated), grouped(*distinct as u64), grouped(*left as u64));
        console.plain(
            2200,
            &format!(
                "Progress({depth}) at {}: {all} states generated ({} s/min), {new} distinct states found ({} ds/min), {queue} \
                 states left on queue.",
                now(),
                rate(*generated),
                rate(*distinct as u64),
            ),
        );
    }
    let counts =
        format!("{generated} states generated, {distinct} distinct states found, {left} states left on queue.");
    console.plain(2199, &counts);
    console.plain(2194, &format!("The depth of the complete state graph search is {depth}."));
    if summary == Summary::Degrees && degrees.states > 0 {
        console.plain(
            2268,
            &format!(
                "The average outdegree of the complete state graph is {} (minimum is {}, the maximum {} and the 95th \
                 percentile is {}).",
                degrees.mean, degrees.minimum, degrees.maximum, degrees.percentile_95
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_among_nested_expressions() {
        let place = as_nested("line 5, col 9 to line 6, col 20 of module M");
        assert_eq!(place, "Line 5, column 9 to line 6, column 20 in M");
    }
}
