//! `primed check`: all states of a finite model.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{fs, io};

use primed::{
    CheckReport, CheckSettings, CheckVerdict, CheckpointEvent, Checkpoints, During, ExpressionCount, Graph,
    HearsWarnings, Location, ModelChecker, ModelSettings, Permissions, Progress, TraceEnding, TraceState, Watch,
};
use serde::Serialize;

use crate::arguments::CheckArguments;
use crate::cross::model::{self, Crossed};
use crate::diagnostics;
use crate::exit::{DISPUTED, Failure};
use crate::interrupt;
use crate::memory;
use crate::output::{Sink, plain, raw_error, warn};
use crate::paint::{Paint, harmless};
use crate::progress::Live;
use crate::tlc::dump::Writer;
use crate::tlc::dump_trace;
use crate::windows::json::ReasonObject;

pub(crate) const LONG_HELP: &str = "\
Searches breadth first: assumptions, invariants, deadlock, properties and post-conditions, under CONSTRAINT,
ACTION_CONSTRAINT, SYMMETRY, VIEW and ALIAS. States are stored in full, so that two states are never taken for one.
`primed tlc` takes TLC's own arguments and answers in TLC's words.

A PROPERTY is taken apart as TLC does it: `[]P` is an invariant, `[][A]_v` is checked of every step, a state predicate of
the initial states. Anything else is a temporal property: `[]`, `<>`, `~>` and connectives around state predicates,
actions in `[]<>A`, `<>[]A`, WF and SF. It is violated if some behaviour that satisfies the fairness conditions of
SPECIFICATION violates it; every state may stutter for ever unless fairness forbids it. The trace then ends with how the
behaviour goes on. What a CONSTRAINT leaves out is no part of any behaviour.

Long runs. States that take more than `--memory` are moved to disk, below `--metadir`; the search ends with exit code 73 only
if what must stay in memory (10 to 21 bytes for each state, 8 for each that is still to be expanded, the different values, the
graph for temporal properties) takes more.
Ctrl-C ends the search at the next state and shows what was found until then; pressed again, it ends at once.
With `--checkpoint DIR` the search is written down now and then, and when it is interrupted or reaches a limit; the same
command with `--recover` goes on from there, also after the process was killed, and comes to the same result. The last two
checkpoints are kept. They belong to the texts of the specification and its configuration and to what is asked for: after a
change recovery is refused. A checkpoint holds everything, TLCSet's registers and the counts of --coverage too. When the search
holds, the checkpoints are removed.

JSON (`--json -`): one object:
  verdict     holds, assumption, postcondition, deadlock, invariant, initial_property, action_property,
              temporal_property, error, unsupported, limit, disk, stopped or interrupted
  exit_code   TLC's
  generated, distinct, left, depth   as TLC counts them
  violated    the invariant or property that is violated; of temporal properties an array
  reasons     the parts of it that are false, as for `primed windows`
  message, places                    if something went wrong
  trace       [{`action`, `parameters`: {name: value}, `state`: {variable: value}}]
  then        of a temporal property: \"stuttering\", or {`back_to`: number of a state in the trace, from 1, `action`}; left
              out if the trace alone violates it
  coverage    with --coverage: [{`action`, `place`, `distinct`, `generated`}]
  cross_check if the real TLC was asked: {`result`, `tlc`, `primed`, `difference`, `why`}; the result is agrees, explained
              (`why` names the cause), disputed (which is then the verdict), decided or not_checked
  decided_by  \"tlc\", if Primed does not support it and --fallback tlc was given
  expressions with --expression-counts: [{`place`, `count`}]; one within another is left out if it was evaluated as often

Exit codes:
    0  no error
   10  an assumption or a post-condition is false
   11  deadlock
   12  an invariant is violated, or a temporal property by the trace alone
   13  a property is violated
   14  an Assert failed
   72  something is not supported
   73  a limit was reached
   74  the real TLC disagrees (--cross-check); its verdict stands
   75  an evaluation failed; 76 while an invariant was evaluated; 255 while a temporal property was, or if the initial
       predicate leaves a variable open
   77  a temporal property is a tautology
  150  the specification cannot be read or is not legal
  151  the configuration does not fit, or asks for what is not supported yet
  130  interrupted (Ctrl-C, or asked to end)
  153  a file cannot be written, the disk failed, or a checkpoint does not belong to the search
  255  a temporal formula is of a form that TLC cannot check";

/// The file of a specification, which may be named without its suffix, as TLC has it.
fn with_suffix(spec: &Path) -> PathBuf {
    let named = spec.with_extension("tla");
    if spec.extension().is_none() && !spec.exists() && named.exists() { named } else { spec.to_owned() }
}

/// Searches; the exit code.
pub(crate) fn run(arguments: &CheckArguments) -> Result<u8, Failure> {
    let spec = with_suffix(&arguments.spec);
    let config = arguments.config.clone().unwrap_or_else(|| spec.with_extension("cfg"));
    if arguments.config.is_none() && spec.exists() && !config.exists() {
        return Err(Failure::no_configuration());
    }
    let warnings = Warnings { paint: arguments.common.color.error(), told: Mutex::default() };
    let permissions = Permissions { print: true, warnings: Some(Arc::new(warnings)), ..arguments.access.permissions() };
    arguments.threads.apply()?;
    let libraries = primed::libraries_with_environment(&arguments.libraries);
    let model = ModelSettings {
        config: Some(config),
        libraries,
        permissions,
        count_expressions: arguments.expression_counts,
        ..ModelSettings::default()
    };
    let checker = ModelChecker::open_with(&spec, model)?;
    raw_error(&diagnostics::render(checker.warnings(), arguments.common.color.error()));
    let settings = CheckSettings {
        workers: usize::from(arguments.threads.count().unwrap_or(1)),
        deadlock: arguments.no_deadlock.then_some(false),
        max_states: arguments.max_states.unwrap_or(usize::MAX),
        max_bytes: arguments.lasting.memory.unwrap_or_else(memory::default_limit),
        remembered: arguments.remember.unwrap_or(CheckSettings::default().remembered),
        ..CheckSettings::default()
    };
    let report = search(&checker, settings, arguments)?;
    let crossed = model::cross(&checker, &spec, arguments, &report);
    let code = code(&report, crossed.as_ref());
    if !report.trace.is_empty() {
        export(arguments, &report)?;
    }
    if let Some(target) = &arguments.common.json {
        let mut sink = Sink::json(target, Some(&arguments.spec))?;
        let mut object =
            Object { expressions: checker.expression_counts(), ..Object::new(&report, arguments.coverage) };
        object.cross(crossed.as_ref());
        sink.object(&object).and_then(|()| sink.finish()).map_err(|e| e.failure(code))?;
    }
    if !arguments.common.only_json() {
        let mut people = Sink::standard();
        let mut text = text(checker.name(), &report, arguments);
        if arguments.expression_counts {
            push_expressions(&mut text, &checker.expression_counts(), arguments.common.color.output());
        }
        if let Some(crossed) = &crossed {
            push_crossed(&mut text, crossed, arguments.common.color.output());
        }
        people.text(&text).and_then(|()| people.finish()).map_err(|e| e.failure(code))?;
    }
    Ok(code)
}

/// The exit code: TLC's verdict stands, where it decided or disagrees.
fn code(report: &CheckReport, crossed: Option<&Crossed>) -> u8 {
    let decided = crossed.and_then(Crossed::decided).map(|run| run.status);
    match crossed.is_some_and(Crossed::disputed) {
        true => DISPUTED,
        false => u8::try_from(decided.unwrap_or_else(|| report.verdict.exit_code())).unwrap_or(u8::MAX),
    }
}

/// Searches, with a line that tells how far it is; the state graph goes to the file that was asked for.
fn search(checker: &ModelChecker, settings: CheckSettings, arguments: &CheckArguments) -> Result<CheckReport, Failure> {
    let unwritable =
        |file: &Path, e: &io::Error| Failure::system(format!("cannot write `{}`: {}", file.display(), plain(e)));
    let labels = || Some(vec!["actionlabels".to_owned()]);
    let graph = arguments.graph.as_ref().map(|file| (file, Writer::open(file, labels())));
    let graph = graph.map(|(file, writer)| writer.map_err(|e| unwritable(file, &e))).transpose()?;
    let watch = Receiver { graph: graph.map(Mutex::new), paint: arguments.common.color.error() };
    let progress = Arc::new(Progress::default());
    interrupt::ends(&progress);
    let shown = progress.clone();
    let live = Live::start(false, move |elapsed| live_line(&shown, elapsed));
    let report = checker.check_stored(settings, &arguments.lasting.storage(), &progress, &watch);
    drop(live);
    if let (Some(writer), Some(file)) = (watch.graph, &arguments.graph) {
        writer.into_inner().unwrap_or_else(PoisonError::into_inner).finish().map_err(|e| unwritable(file, &e))?;
    }
    Ok(report)
}

/// Shows each warning that comes up in the search once.
#[derive(Debug)]
struct Warnings {
    paint: Paint,
    told: Mutex<HashSet<String>>,
}

impl HearsWarnings for Warnings {
    fn warned(&self, _: u32, text: &str) {
        if self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned()) {
            warn(self.paint, &text.replace('\n', " "));
        }
    }
}

/// Receives the state graph, if it is asked for, and tells of checkpoints what is not as it should be.
struct Receiver {
    graph: Option<Mutex<Writer>>,
    paint: Paint,
}

impl Watch for Receiver {
    fn graph(&self) -> Option<&Mutex<dyn Graph>> {
        self.graph.as_ref().map(|writer| writer as &Mutex<dyn Graph>)
    }

    fn checkpoint(&self, event: CheckpointEvent<'_>) {
        match event {
            CheckpointEvent::Failed(why) | CheckpointEvent::Damaged(why) => warn(self.paint, why),
            CheckpointEvent::Recovered { distinct, left } => {
                raw_error(&format!("going on from a checkpoint: {distinct} states, {left} in the queue\n"));
            }
            CheckpointEvent::Begun(_) | CheckpointEvent::Written { .. } | CheckpointEvent::Recovering(_) => {}
        }
    }
}

/// How far a search is, for a terminal.
fn live_line(progress: &Progress, elapsed: Duration) -> String {
    let (generated, distinct) = (progress.generated(), progress.distinct());
    let rate = (generated as f64 / elapsed.as_secs_f64().max(0.001)) as u64;
    format!(
        "{distinct} states, {generated} generated ({rate} a second), {} in the queue, depth {}, {} MB, {:.1} s",
        progress.queue(),
        progress.depth(),
        progress.bytes() >> 20,
        elapsed.as_secs_f64()
    )
}

/// Writes the counterexample to the files that were asked for.
fn export(arguments: &CheckArguments, report: &CheckReport) -> Result<(), Failure> {
    let write = |file: &Path, text: String| {
        fs::write(file, text).map_err(|e| Failure::system(format!("cannot write `{}`: {}", file.display(), plain(&e))))
    };
    if let Some(file) = &arguments.trace_json {
        write(file, dump_trace::json(&report.trace, dump_trace::closing(&report.verdict, &report.trace)))?;
    }
    match &arguments.trace_itf {
        Some(file) => write(file, itf(&report.trace)),
        None => Ok(()),
    }
}

/// A trace in the Informal Trace Format. A value that it has no form for is given as TLA+.
fn itf(trace: &[TraceState]) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let names: Vec<String> = trace.first().into_iter().flat_map(|s| &s.values).map(|v| quoted(&v.name)).collect();
    let states = trace.iter().enumerate().map(|(i, state)| {
        let action = state.action.as_ref().map(|_| format!(",\"action\":{}", quoted(&state.signature())));
        let values = state.values.iter();
        let values =
            values.map(|v| format!(",{}:{}", quoted(&v.name), v.itf.clone().unwrap_or_else(|| quoted(&v.text))));
        let action = action.unwrap_or_default();
        format!("{{\"#meta\":{{\"index\":{i}{action}}}{}}}", values.collect::<String>())
    });
    let states = states.collect::<Vec<_>>().join(",\n");
    format!(
        "{{\"#meta\":{{\"format\":\"ITF\",\"description\":\"Created by Primed {}\"}},\"vars\":[{}],\"states\":[\n{states}\n]}}\n",
        env!("CARGO_PKG_VERSION"),
        names.join(",")
    )
}

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

fn message(verdict: &CheckVerdict) -> (Option<&str>, &[String]) {
    match verdict {
        CheckVerdict::Assumption(text)
        | CheckVerdict::Postcondition(text)
        | CheckVerdict::Unsupported(text)
        | CheckVerdict::Limit(text)
        | CheckVerdict::Disk(text) => (Some(text), &[]),
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
    reasons: Vec<ReasonObject<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trace: Vec<StateObject<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    then: Option<Then<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coverage: Vec<CoverageObject<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "counted")]
    expressions: Vec<ExpressionCount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cross_check: Option<&'r Crossed>,
}

fn counted<S: serde::Serializer>(expressions: &[ExpressionCount], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(expressions.iter().map(|e| serde_json::json!({ "place": e.place, "count": e.count })))
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
fn continuation(verdict: &CheckVerdict) -> Option<&TraceEnding> {
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

impl<'r> Object<'r> {
    fn new(report: &'r CheckReport, with_coverage: bool) -> Object<'r> {
        let (verdict, violated) = word(&report.verdict);
        let (message, places) = message(&report.verdict);
        let trace = report.trace.iter().map(|state| StateObject {
            action: state.action.as_deref(),
            parameters: texts(state.parameters.iter().map(|p| (&p.name, &p.text))),
            state: texts(state.values.iter().map(|v| (&v.name, &v.text))),
        });
        let coverage = report.coverage.iter().filter(|_| with_coverage).map(|c| CoverageObject {
            action: c.name.as_deref().unwrap_or("Action"),
            place: &c.place,
            distinct: c.distinct,
            generated: c.generated,
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
            reasons: report.reasons.iter().map(ReasonObject).collect(),
            trace: trace.collect(),
            then: continuation(&report.verdict).map(|ending| match ending {
                TraceEnding::Stutters => Then::Stuttering("stuttering"),
                TraceEnding::Back { state, by } => Then::Back { back_to: *state, action: by.action.as_deref() },
            }),
            coverage: coverage.collect(),
            expressions: Vec::new(),
            decided_by: None,
            cross_check: None,
        }
    }

    /// What TLC says stands beside it, and before it where TLC's verdict stands.
    fn cross(&mut self, crossed: Option<&'r Crossed>) {
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

fn push_crossed(out: &mut String, crossed: &Crossed, paint: Paint) {
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

fn text(name: &str, report: &CheckReport, arguments: &CheckArguments) -> String {
    let paint = arguments.common.color.output();
    let mut out = String::new();
    if arguments.coverage {
        push_coverage(&mut out, report, paint);
    }
    for (i, state) in report.trace.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| report.trace.get(i));
        push_state(&mut out, i + 1, before, state, paint);
    }
    match continuation(&report.verdict) {
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
        for (name, value) in reason.bindings.iter().chain(&reason.operands) {
            out.push_str(&format!("      {} is {}\n", harmless(name), harmless(value)));
        }
    }
    for place in places {
        out.push_str(&format!("    at {}\n", harmless(place)));
    }
    out.push_str(&format!(
        "{} states generated, {} distinct, {} left, depth {}\n",
        report.generated, report.distinct, report.left, report.depth
    ));
    let could_go_on = match report.verdict {
        CheckVerdict::Interrupted | CheckVerdict::Stopped | CheckVerdict::Limit(_) => true,
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

/// How often each action was taken; what never was comes out in bold.
fn push_coverage(out: &mut String, report: &CheckReport, paint: Paint) {
    let name = |c: &primed::Coverage| c.name.clone().unwrap_or_else(|| "Action".into());
    let width = report.coverage.iter().map(|c| name(c).chars().count()).max().unwrap_or(0).max("action".len());
    out.push_str(&format!("{:<width$}  {:>12}  {:>12}\n", "action", "new states", "all states"));
    for coverage in &report.coverage {
        let (distinct, generated) = (coverage.distinct, coverage.generated);
        let line = format!("{:<width$}  {distinct:>12}  {generated:>12}", name(coverage));
        let never = if generated == 0 { format!("{}  never taken", paint.bold(&line)) } else { line };
        out.push_str(&format!("{never}  {}\n", paint.dim(&coverage.place)));
    }
    out.push('\n');
}

/// How often each expression was evaluated; what never was comes out in bold.
fn push_expressions(out: &mut String, expressions: &[ExpressionCount], paint: Paint) {
    out.push_str(&format!("{:>12}  expression\n", "evaluated"));
    for ExpressionCount { place, depth, count } in expressions {
        let line = format!("{count:>12}  {}{place}", "  ".repeat(*depth));
        out.push_str(&if *count == 0 { paint.bold(&line) } else { line });
        out.push('\n');
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
