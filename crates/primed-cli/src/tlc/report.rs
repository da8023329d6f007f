//! What a search came to, in TLC's messages and order.

use std::time::Instant;

use primed::{
    CheckReport, CheckSettings, CheckVerdict, During, Mode, Progress, TraceEnding, TraceState, TraceValue,
    Unfingerprinted,
};

use super::clock::{for_people, grouped, now};
use super::console::{Class, Console};
use super::coverage;
use super::dump_trace;
use super::nested::nested;
use super::options::Options;

/// Prints what was found, with the states that lead there, and what TLC says where those stutter without a fairness condition.
pub(super) fn found(
    console: &Console,
    options: &Options,
    verdict: &CheckVerdict,
    trace: &[TraceState],
    unfair: Option<&(u32, String)>,
) {
    match verdict {
        CheckVerdict::Holds | CheckVerdict::Stopped | CheckVerdict::Interrupted => {}
        CheckVerdict::Postcondition(message) => postcondition(console, message),
        CheckVerdict::Assumption(message) => {
            let code = if message.starts_with("Evaluating") { 2105 } else { 2104 };
            console.error(code, message);
        }
        CheckVerdict::Deadlock => {
            console.error(2114, "Deadlock reached.");
            behavior(console, options, trace);
        }
        CheckVerdict::Invariant(name) => match trace {
            [state] => {
                let state = values(state, None);
                console.error(2107, &format!("Invariant {name} is violated by the initial state:\n{state}"));
            }
            trace => {
                console.error(2110, &format!("Invariant {name} is violated."));
                console.error(2121, BEHAVIOR);
                match options.settings().mode {
                    // Iterative deepening knows no actions.
                    Mode::Bounded(_) => unnamed(console, trace, " "),
                    _ => states(console, options.differences, trace),
                }
            }
        },
        CheckVerdict::InitialProperty(name) => {
            let state = trace.last().map(|s| values(s, None)).unwrap_or_default();
            console.error(2108, &format!("Property {name} is violated by the initial state:\n{state}"));
        }
        CheckVerdict::ActionProperty(name) => {
            console.error(2112, &format!("Action property {name} is violated."));
            behavior(console, options, trace);
        }
        CheckVerdict::TemporalProperty { names, then } => {
            console.error(2116, &disproved(names));
            console.error(2264, "The following behavior constitutes a counter-example:\n");
            // TLC has lost which state is before which, and shows them in full.
            states(console, options.differences && then.is_none(), trace);
            ending(console, trace.len() + 1, then.as_ref());
            if let (Some(TraceEnding::Stutters), Some((code, text))) = (then, unfair) {
                console.say(Class::Warning, *code, text);
            }
        }
        CheckVerdict::Error { message, code, during, exit_code, .. } => {
            let CheckVerdict::Error { places, .. } = verdict else { return };
            let (mode, keeps_number) = (options.settings().mode, verdict.keeps_number());
            // TLC has evaluated a temporal property a second time before it says anything.
            if *during == During::Temporal && !places.is_empty() && mode == Mode::BreadthFirst {
                nested(console, places, Unfingerprinted::No, message);
            }
            let overflows = *code == 1005 && *exit_code == 255;
            let unshown = is_unshown(verdict) && !matches!(mode, Mode::Simulation { .. });
            failed(console, (message, *code), during, &Shown { mode, keeps_number, overflows, unshown, trace });
            if trace.len() > 1 || matches!(during, During::Next | During::Temporal) {
                behavior(console, options, trace);
            }
        }
        CheckVerdict::Disk(message) if options.recover.is_some() => console.error(2126, &corrupt(message)),
        CheckVerdict::Unsupported(message)
        | CheckVerdict::Limit(message)
        | CheckVerdict::Time(message)
        | CheckVerdict::Disk(message) => {
            console.error(1000, message);
            behavior(console, options, trace);
        }
    }
}

/// What is known of a run beside its result.
pub(super) struct Run<'r> {
    pub(super) started: Instant,
    pub(super) progress: &'r Progress,
    /// When temporal properties began to be looked at.
    pub(super) checking: Option<Instant>,
    /// The last pass of iterative deepening.
    pub(super) pass: u64,
}

/// Says that temporal properties are looked at, with how far the search is.
pub(super) fn checking_temporal(console: &Console, progress: &Progress, branches: usize) {
    let (depth, distinct) = (progress.depth(), progress.distinct());
    console.plain(
        2200,
        &format!(
            "Progress({depth}) at {}: {} states generated, {} distinct states found, {} states left on queue.",
            now(),
            grouped(progress.generated()),
            grouped(distinct),
            grouped(progress.queue())
        ),
    );
    let of = if branches == 1 { String::new() } else { format!("{branches} branches of ") };
    let nodes = distinct.saturating_mul(branches as u64);
    let text = format!(
        "Checking {of}temporal properties for the complete state space with {nodes} total distinct states at ({})",
        now()
    );
    console.plain(2192, &text);
}

/// TLC's words about a checkpoint that cannot be used.
pub(super) fn corrupt(why: &str) -> String {
    let text = "TLC encountered the following error while restarting from a checkpoint;\n the checkpoint file is probably corrupted.";
    format!("{text}\n{why}")
}

/// Prints everything after what was found, but for the last line. `told`: it was printed already.
pub(super) fn report(console: &Console, options: &Options, report: &CheckReport, run: &Run<'_>, told: bool) {
    let Run { started, progress, .. } = *run;
    if !told {
        found(console, options, &report.verdict, &report.trace, None);
    }
    let mut finished = run.checking.map(|checking| {
        let took = for_people(checking.elapsed());
        move || console.plain(2267, &format!("Finished checking temporal properties in {took} at {}", now()))
    });
    if report.verdict == CheckVerdict::Holds
        && let Some(finished) = finished.take()
    {
        finished();
    }
    let summary = match &report.verdict {
        // The specification asked for this end: for TLC it is one like others.
        CheckVerdict::Holds | CheckVerdict::Stopped => success(console, options, report.depth),
        CheckVerdict::Assumption(_) | CheckVerdict::InitialProperty(_) => Summary::None,
        CheckVerdict::Disk(_) if report.generated == 0 => Summary::None,
        CheckVerdict::Invariant(_) if report.trace.len() == 1 => Summary::None,
        CheckVerdict::Error { code: 2106 | 2118 | 2256, .. } | CheckVerdict::Error { during: During::Symmetry, .. } => {
            Summary::None
        }
        verdict if is_unshown(verdict) && !matches!(options.settings().mode, Mode::Simulation { .. }) => Summary::None,
        CheckVerdict::Error { during: During::Temporal, .. } => Summary::Degrees,
        CheckVerdict::Error { during: During::Postcondition, .. } => match options.settings().mode {
            Mode::Simulation { .. } => Summary::None,
            Mode::BreadthFirst | Mode::Bounded(_) => Summary::Counts,
        },
        CheckVerdict::Error { exit_code: 0, .. } => Summary::Counts,
        // TLC runs the step again to find the nested expressions; the state is known by then, and nothing is evaluated.
        CheckVerdict::Error { during: During::Invariant(_), .. } if report.trace.len() > 1 => Summary::Degrees,
        // A simulation does not evaluate again; nor does who has no stack left.
        CheckVerdict::Error { code, places, exit_code, message, unfingerprinted, .. }
            if *code != 2109
                && !(*code == 1005 && *exit_code == 255)
                && match options.settings().mode {
                    Mode::BreadthFirst => true,
                    // It expands a state again in its next pass, if there is one.
                    Mode::Bounded(levels) => run.pass < levels as u64,
                    Mode::Simulation { .. } => false,
                } =>
        {
            nested(console, places, *unfingerprinted, message);
            Summary::Counts
        }
        _ => Summary::Counts,
    };
    dump(console, options, report);
    if let Some(message) = &report.postcondition {
        postcondition(console, message);
    }
    if let Some(finished) = finished {
        finished();
    }
    if options.coverage.is_some() {
        coverage::print(console, report, options.settings().mode);
    }
    match options.settings().mode {
        Mode::BreadthFirst => summarize(console, report, started, summary),
        Mode::Bounded(_) if summary != Summary::None => {
            let (generated, distinct) = (report.generated, report.distinct);
            if console.tool {
                progress_without_level(console, generated, distinct as u64);
            }
            console.plain(2204, &format!("{generated} states generated, {distinct} distinct states found."));
        }
        Mode::Bounded(_) => {}
        Mode::Simulation { .. } if summary == Summary::None => {}
        // There it is the last thing that TLC says.
        Mode::Simulation { .. } if matches!(report.verdict, CheckVerdict::Postcondition(_)) => {}
        Mode::Simulation { .. } => simulation(console, options, report, progress),
    }
}

/// Writes the counterexample to the files that were asked for. Without one there is nothing to write.
fn dump(console: &Console, options: &Options, report: &CheckReport) {
    let written = match report.trace.is_empty() {
        true => Ok(Vec::new()),
        false => dump_trace::write(options, &report.verdict, &report.trace),
    };
    match written {
        Ok(files) => {
            files.iter().for_each(|file| console.raw(&format!("\"CounterExample written: {file}\"\n")));
        }
        Err(why) => console.error(2405, &format!("Evaluating postcondition -dumpTrace failed.\n{why}")),
    }
}

/// What a simulation came to.
fn simulation(console: &Console, options: &Options, report: &CheckReport, progress: &Progress) {
    let found = report.verdict != CheckVerdict::Holds;
    if !found {
        simulated(console, progress);
    }
    random_numbers(console, options, progress, report.generated);
    if found {
        simulated(console, progress);
    }
}

/// How many states a simulation has generated, and where its random numbers began.
fn random_numbers(console: &Console, options: &Options, progress: &Progress, generated: u64) {
    let CheckSettings { seed, mode, .. } = options.settings();
    let skip = if let Mode::Simulation { skip, .. } = mode { skip } else { 0 };
    if console.tool {
        simulated(console, progress);
    }
    console.plain(
        2210,
        &format!("The number of states generated: {generated}\nSimulation using seed {seed} and aril {skip}"),
    );
}

/// What TLC adds to a behaviour of a simulation that goes on.
pub(super) fn goes_on(console: &Console, options: &Options, progress: &Progress, found: (&CheckVerdict, usize)) {
    let goes_on = match found {
        (CheckVerdict::Deadlock, _) => true,
        (CheckVerdict::Invariant(_) | CheckVerdict::ActionProperty(_), states) => states > 1,
        _ => false,
    };
    if goes_on && options.keep_going && matches!(options.settings().mode, Mode::Simulation { .. }) {
        random_numbers(console, options, progress, progress.generated());
    }
}

/// The progress line of a search that knows no level, for programs.
fn progress_without_level(console: &Console, generated: u64, distinct: u64) {
    let text = format!(
        "Progress(-1) at {}: {generated} states generated, {distinct} distinct states found, -1 states left on queue.",
        now()
    );
    console.plain(2206, &text);
}

fn postcondition(console: &Console, message: &str) {
    let code = if message.starts_with("Evaluating") { 2405 } else { 2404 };
    console.error(code, message);
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

fn success(console: &Console, options: &Options, depth: usize) -> Summary {
    match options.settings().mode {
        Mode::Simulation { .. } => return Summary::Degrees,
        // TLC learns in the next pass that there was nothing more.
        Mode::Bounded(bound) if depth + 1 >= bound => return Summary::Degrees,
        Mode::Bounded(_) | Mode::BreadthFirst => {}
    }
    // States are stored in full: two are never taken for one.
    let mut text = String::from(
        "Model checking completed. No error has been found.\n  Estimates of the probability that TLC did not check all \
         reachable states\n  because two distinct states had the same fingerprint:\n  calculated (optimistic):  val = 0.0",
    );
    if options.deepening.is_some() {
        text.push_str("\n  based on the actual fingerprints:  val = 0.0");
    }
    console.plain(2193, &text);
    Summary::Degrees
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
fn ending(console: &Console, number: usize, then: Option<&TraceEnding>) {
    match then {
        None => {}
        Some(TraceEnding::Stutters) => console.say(Class::State, 2218, &format!("{number}: Stuttering")),
        Some(TraceEnding::Back { state, by }) => {
            let action = header(*state, by);
            match console.tool {
                true => console.say(Class::State, 2122, &format!("{state}: Back to state: {action}\n")),
                false => console.plain(2122, &format!("Back to state {state}: {action}\n")),
            }
        }
    }
}

/// An initial state cannot be put into order, so that TLC fails again where it shows it.
fn is_unshown(verdict: &CheckVerdict) -> bool {
    matches!(verdict, CheckVerdict::Error { during: During::Initial, exit_code: 255, code: 1000, .. })
}

/// What an evaluation error is told of.
struct Shown<'s> {
    mode: Mode,
    /// TLC's exception keeps its own number.
    keeps_number: bool,
    /// The stack overflowed where TLC says so, and nothing else.
    overflows: bool,
    /// It is about an initial state that TLC cannot show.
    unshown: bool,
    trace: &'s [TraceState],
}

impl Shown<'_> {
    /// What iterative deepening does not say.
    fn then(&self, message: &str) -> String {
        if matches!(self.mode, Mode::Bounded(_)) { String::new() } else { format!("\n{message}") }
    }

    fn simulates(&self) -> bool {
        matches!(self.mode, Mode::Simulation { .. })
    }

    /// TLC's words around an exception that it did not expect.
    fn unexpected(&self, message: &str) -> String {
        let exception = if self.keeps_number { "tlc2.tool.EvalException" } else { "java.lang.RuntimeException" };
        let text = unexpected(exception, message);
        match self.mode {
            Mode::Bounded(_) => text.replacen(SEE_OUTPUT, COMPUTING_NEXT, 1),
            _ => text,
        }
    }
}

/// What TLC says of an evaluation error.
fn failed(console: &Console, (message, code): (&str, u32), during: &During, shown: &Shown<'_>) {
    let state = || shown.trace.last().map(|s| values(s, None)).unwrap_or_default();
    let on_state = |what: &str| format!("{what}\nWhile working on the initial state:\n{}", state());
    match (during, shown.trace.len()) {
        _ if code == 2106 && shown.mode != Mode::BreadthFirst => {
            let text = format!("State is not completely specified by the initial predicate:\n{}", state());
            console.error(2106, &text);
        }
        _ if code == 2106 => console.error(2102, &on_state("current state is not a legal state")),
        _ if shown.overflows => console.error(1005, message),
        (During::Initial | During::Invariant(_), 1) => match shown.keeps_number && !shown.simulates() {
            false => console.error(2102, &on_state(message)),
            true => console.error(1000, message),
        },
        (During::Invariant(name), _) => {
            console.error(2111, &format!("Evaluating invariant {name} failed.{}", shown.then(message)));
        }
        (During::Action(name), _) => {
            console.error(2113, &format!("Evaluating action property {name} failed.{}", shown.then(message)));
        }
        (During::Next | During::Temporal, _)
            if matches!(code, 1000 | 2154 | 2215 | 2246 | 2247 | 2250 | 2252 | 2261 | 2280) =>
        {
            console.error(1000, &shown.unexpected(message));
        }
        // Its number is known to a search breadth first only.
        (During::Next, _) if shown.keeps_number && shown.mode != Mode::BreadthFirst => {
            console.error(1000, &shown.unexpected(message));
        }
        (During::Postcondition, _) if shown.simulates() => console.error(2233, message),
        (During::Symmetry | During::Postcondition, _) if code == 1000 => {
            console.error(1000, &unexpected("java.lang.RuntimeException", message));
        }
        (During::Initial, 0) if shown.simulates() && code != 2118 && code != 2256 => {
            console.error(1000, &shown.unexpected(message));
        }
        (During::Initial, 0) if shown.unshown => {
            console.error(1000, &unexpected("java.lang.RuntimeException", message))
        }
        (During::Initial, 0) if shown.mode != Mode::BreadthFirst && code != 2118 && code != 2256 => {
            console.error(1000, &shown.unexpected(message).replacen("the set of next states", "initial states", 1));
        }
        (During::Initial, 0) => console.error(1000, message),
        (_, _) if code == 2109 => console.error(code, &format!("{message}\n")),
        _ => console.error(code, message),
    }
}

/// What TLC adds to an exception that it did not expect.
const SEE_OUTPUT: &str = "See the User Output or TLC Console for clues to what happened.";
/// The same in iterative deepening.
const COMPUTING_NEXT: &str = "The error occurred when TLC was computing the set of next states.";

/// TLC's words around what it did not expect.
pub(super) fn unexpected(exception: &str, message: &str) -> String {
    format!(
        "TLC threw an unexpected exception.\nThis was probably caused by an error in the spec or model.\n{SEE_OUTPUT}\nThe \
         exception was a {exception}\n: {message}"
    )
}

/// A behaviour, state by state.
fn behavior(console: &Console, options: &Options, trace: &[TraceState]) {
    if trace.is_empty() {
        return;
    }
    console.error(2121, BEHAVIOR);
    if !matches!(options.settings().mode, Mode::Bounded(_)) {
        return states(console, options.differences, trace);
    }
    unnamed(console, trace, "");
}

/// A behaviour without actions.
fn unnamed(console: &Console, trace: &[TraceState], space: &str) {
    let code = if space.is_empty() { 2216 } else { 2217 };
    for (i, state) in trace.iter().enumerate() {
        console.say(Class::State, code, &format!("{}:{space}\n{}", i + 1, values(state, None)));
    }
}

/// TLC's words before a behaviour.
const BEHAVIOR: &str = "The behavior up to this point is:";

fn states(console: &Console, differences: bool, trace: &[TraceState]) {
    for (i, state) in trace.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| trace.get(i)).filter(|_| differences);
        let text = format!("{}: {}\n{}", i + 1, header(i, state), values(state, before));
        console.say(Class::State, 2217, &text);
    }
}

/// `<Initial predicate>`, or the action that led to a state.
fn header(index: usize, state: &TraceState) -> String {
    match (index, &state.place) {
        (0, None) => "<Initial predicate>".into(),
        (_, None) => "<Action>".into(),
        (_, Some(place)) => format!("<{} {place}>", state.signature()),
    }
}

/// A behaviour as TLC writes it to a file: a module with a definition for each state.
pub(super) fn as_module(name: &str, trace: &[TraceState]) -> String {
    let states = trace.iter().enumerate().map(|(i, state)| {
        let (action, number, values) = (header(i, state), i + 1, values(state, None));
        format!("\\* {action}\nSTATE_{number} == \n{values}\n\n")
    });
    let states: String = states.collect();
    let line = "=".repeat(49);
    format!("---------------- MODULE {name} -----------------\n{states}{line}\n")
}

/// How far a simulation is.
pub(super) fn simulated(console: &Console, progress: &Progress) {
    let (states, behaviours) = (progress.generated(), progress.behaviours());
    if console.tool {
        let text = format!(
            "Progress({behaviours}) at {}: {states} states generated, -1 distinct states found, -1 states left on queue.",
            now()
        );
        return console.plain(2209, &text);
    }
    let [mean, variance, deviation] = progress.lengths();
    let text = format!(
        "Progress: {states} states checked, {behaviours} traces generated (trace length: mean={mean}, var(x)={variance}, \
         sd={deviation})"
    );
    console.plain(2209, &text);
}

/// A state's variables, or those that differ from the state before.
fn values(state: &TraceState, before: Option<&TraceState>) -> String {
    if let [value] = state.values.as_slice() {
        return match value.name.as_str() {
            "" => format!("{}\n", value.lines()),
            name => format!("{name} = {}\n", value.lines()),
        };
    }
    let same = |value: &TraceValue| before.is_some_and(|b| b.values.contains(value));
    let lines = state.values.iter().filter(|v| !same(v));
    lines.map(|v| format!("/\\ {} = {}\n", v.name, v.lines())).collect()
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
