//! `primed check`: all states of a finite model.

pub(crate) mod json;
pub(crate) mod text;

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{fs, io};

use primed::{
    CheckReport, CheckSettings, CheckpointEvent, Graph, HearsWarnings, ModelChecker, ModelSettings, Permissions,
    Progress, TraceState, Watch,
};

use crate::arguments::CheckArguments;
use crate::cross::model::{self, Crossed};
use crate::cross::text_of;
use crate::diagnostics;
use crate::exit::{DISPUTED, Failure};
use crate::interrupt;
use crate::output::{Sink, plain, raw_error, warn};
use crate::paint::Paint;
use crate::progress::Live;
use crate::tlc::dump::Writer;
use crate::tlc::dump_trace;
use json::Object;
use text::{push_crossed, push_expressions, text};

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
if what must stay in memory (4 to 7 bytes for each state, 8 for each that is still to be expanded, the different values, the
graph for temporal properties) takes more.
`--seconds` and Ctrl-C end the search at the next state and show what was found until then; Ctrl-C pressed again ends it at once.
With `--checkpoint DIR` the search is written down now and then, and when it is interrupted or reaches a limit; the same
command with `--recover` goes on from there, also after the process was killed, and comes to the same result. The last two
checkpoints are kept. They belong to the texts of the specification and its configuration and to what is asked for: after a
change recovery is refused. A checkpoint holds everything, TLCSet's registers and the counts of --coverage too. When the search
holds, the checkpoints are removed.

JSON (`--json -`): one object:
  verdict     holds, assumption, postcondition, deadlock, invariant, initial_property, action_property,
              temporal_property, error, unsupported, time, limit, disk, stopped or interrupted
  exit_code   TLC's
  generated, distinct, left, depth   as TLC counts them
  memory      with --bytes: those of `states` (with the tables), `values` and, at most, the `queue`
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
  expressions with --expression-counts: [{`within`, `place`, `depth`, `count`}], below each action, invariant and constraint; one
              whose count goes without saying is left out

Exit codes:
    0  no error
   10  an assumption or a post-condition is false
   11  deadlock
   12  an invariant is violated, or a temporal property by the trace alone
   13  a property is violated
   14  an Assert failed
   71  the time of --seconds is over
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

/// Searches; the exit code.
pub(crate) fn run(arguments: &CheckArguments) -> Result<u8, Failure> {
    let spec = arguments.source.spec.clone();
    let config = arguments.source.config.clone().unwrap_or_else(|| spec.with_extension("cfg"));
    if arguments.source.config.is_none() && spec.exists() && !config.exists() {
        return Err(Failure::no_configuration());
    }
    let warnings = Warnings { paint: arguments.common.color.error(), told: Mutex::default() };
    let permissions = Permissions { print: true, warnings: Some(Arc::new(warnings)), ..arguments.access.permissions() };
    arguments.threads.apply()?;
    let libraries = arguments.source.libraries.all();
    let config_path = config.clone();
    let model = ModelSettings {
        config: Some(config),
        libraries,
        permissions,
        count_expressions: arguments.expression_counts,
        ..ModelSettings::default()
    };
    let checker = ModelChecker::open_with(&spec, model)?;
    raw_error(&diagnostics::render(checker.warnings(), arguments.common.color.error()));
    let settings = arguments.search.settings(&arguments.threads);
    let report = search(&checker, settings, arguments)?;
    let crossed = model::cross(&checker, &text_of(&config_path), arguments, 1, &report);
    let code = code(&report, crossed.as_ref());
    if !report.trace.is_empty() {
        export(arguments, &report)?;
    }
    show(&checker, &report, arguments, crossed.as_ref(), code)?;
    Ok(code)
}

/// Shows what a search came to, as it was asked for. `code` is the exit code if that succeeds.
fn show(
    checker: &ModelChecker,
    report: &CheckReport,
    arguments: &CheckArguments,
    crossed: Option<&Crossed>,
    code: u8,
) -> Result<(), Failure> {
    if let Some(target) = &arguments.common.json {
        let mut sink = Sink::json(target, Some(&arguments.source.spec))?;
        let mut object = Object::new(report, arguments.coverage);
        object.measured(arguments.bytes.then_some(&report.kept));
        object.cross(crossed);
        sink.object(&object).and_then(|()| sink.finish()).map_err(|e| e.failure(code))?;
    }
    if !arguments.common.only_json() {
        let mut people = Sink::standard();
        let mut text = text(checker.name(), report, arguments);
        if arguments.expression_counts {
            push_expressions(&mut text, report, arguments.common.color.output());
        }
        if let Some(crossed) = crossed {
            push_crossed(&mut text, crossed, arguments.common.color.output());
        }
        people.text(&text).and_then(|()| people.finish()).map_err(|e| e.failure(code))?;
    }
    Ok(())
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
    let storage = arguments.lasting.storage(&arguments.search);
    let check = || checker.check_within(arguments.search.seconds, settings, &storage, &progress, &watch);
    let cut_off = || {
        let report = CheckReport::cut_off(&progress);
        // The process ends whether this can be shown or not.
        drop(show(checker, &report, arguments, None, code(&report, None)));
    };
    let report = interrupt::patiently(&progress, arguments.lasting.checkpoint.is_some(), cut_off, check);
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
pub(crate) fn live_line(progress: &Progress, elapsed: Duration) -> String {
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
