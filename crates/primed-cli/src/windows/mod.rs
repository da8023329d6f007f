//! `primed windows`: windows held against the actions they name.

pub(crate) mod json;
pub(crate) mod report;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use primed::{Outcome, Spec, Tally};

use crate::arguments::WindowsArguments;
use crate::cross::Summary;
use crate::cross::windows::Crossing;
use crate::diagnostics;
use crate::exit::Failure;
use crate::interrupt;
use crate::output::{Sink, Unwritten, complain, plain, raw_error};
use crate::progress::Progress;
pub(crate) use report::rate;

pub(crate) const LONG_HELP: &str = "\
Windows: lines such as
  {\"window_id\": 7, \"trace_id\": \"t\", \"action\": \"Release\", \"actor\": \"1\",
   \"pre_state\": {\"lock\": \"held\"}, \"post_state\": {\"lock\": \"free\"}, \"input\": {\"n\": 1}}
or with `id`, `node`, `pre` and `post`. A variable that a state leaves out is unobserved. `actor`
and the entries of `input` fix parameters of the action; it is tried for all values of the others.
A line that cannot be read is an error of that window; the others are judged all the same.

JSON (`--json`): one object for each window, in order; what is empty is left out:
  line, id, trace, action
                    where the window stands and what it says of itself
  verdict           conforms, refused, error or unsupported; with --cross-check also disputed
  unobserved        variables that the window leaves out
  reasons           refused: the conditions that no way through the action gets past, each with
                    `file`, `line`, `column`, `text`, `bindings` (quantified names) and
                    `operands` [{`text`, `value`}]; values are TLA+. `because` has the conditions of
                    IF, CASE and => that lead to it. For which values a quantifier in it
                    fails is in `false_for` and `none_of`, what was not observed in `unobserved`
  nearest           refused: how the nearest successor differs from what was observed,
                    [{`path`, `specification`, `observed`}]
  nearest_among     refused: how many successors were looked at for it, if there are more
  others            refused: other actions that allow the step
  elsewhere         refused: [{`action`, `parameter`, `values`}], another actor that would take it
  assumed           refused: {`variables`, `from`, `tried`}, what was taken for unobserved variables
  why               refused, without reasons: why there are none
  message, places   error or unsupported: what is wrong and where, innermost first
  invariants        [{`invariant`, `state`, `result`, `reasons` or `message`}], `state` being
                    `pre` or `post` and `result` being `violated` or `not evaluated`
  unknown           keys of the window that mean nothing to Primed, as they were
  notes             remarks on the window
  cross_check       if the real TLC was asked: {`result`, `tlc`, `primed`, `message`, `why`}; the result is
                    agrees, explained (`why` names the cause), disputed, decided (--fallback) or not_checked.
                    The last line is then {`cross_check`: the sums}

Exit codes:
    0  every window conforms
   12  a window is refused, or an invariant is violated
   64  the command was called wrongly
   70  a fault of Primed
   72  a window needs something that is not supported
   73  a limit was reached (depth, size of a set, memory, steps)
   74  the real TLC disagrees (--cross-check); its verdicts stand
   75  a window cannot be read as one, or an evaluation failed, an invariant's included
  150  the specification cannot be read or is not legal
  151  the configuration cannot be read or does not fit, or a name that was given does not exist
  153  the windows cannot be read, or there are none
If several apply, 74 comes first, then 12, 75, 73 and 72. If nobody reads the results any more
(`| head`), the command ends quietly with the code of what was judged until then.

Examples:
  primed windows Lock.tla --windows trace.ndjson --invariant MutualExclusion
  primed windows Lock.tla --windows trace.ndjson --cross-check sample=0.1 --seed 3
  zcat trace.ndjson.gz | primed windows Lock.tla --windows - --json -";

/// Judges; the exit code.
pub(crate) fn run(arguments: &WindowsArguments) -> Result<u8, Failure> {
    arguments.threads.apply()?;
    let spec = open(arguments)?;
    let color = arguments.common.color;
    raw_error(&diagnostics::render(spec.warnings(), color.error()));
    let (reader, bytes) = windows(&arguments.windows)?;
    let input = (arguments.windows != "-").then(|| Path::new(&arguments.windows));
    let mut json = match &arguments.common.json {
        Some(target) => Some(Sink::json(target, input)?),
        None => None,
    };
    let only_json = arguments.common.only_json();
    let asked = arguments.steps.action.as_deref();
    let actions = spec.actions().into_iter().filter(|name| asked.is_none_or(|a| a == *name));
    let mut tally = Tally::new(actions, spec.variables(), &arguments.invariants);
    if arguments.cross.is_on() {
        return crossed(&spec, arguments, reader, json, tally);
    }
    let progress = Progress::start(only_json);
    let mut unwritten = None;
    let report = &mut |verdict: primed::Verdict| {
        progress.judged(matches!(verdict.outcome, Outcome::Refused(_)));
        let written =
            json.as_mut().map_or(Ok(()), |sink| sink.object(&json::Window { verdict: &verdict, crossed: None }));
        tally.add(verdict);
        unwritten = written.err();
        unwritten.is_none()
    };
    let read = spec.judge_all(reader, report, &mut |done| progress.done(done, bytes));
    drop(progress);
    let code = tally.outcomes.exit_code();
    if let Some(unwritten) = unwritten {
        return Err(unwritten.failure(code));
    }
    if let Some(json) = json {
        json.finish().map_err(|e| e.failure(code))?;
    }
    if !only_json && tally.total() > 0 {
        let mut people = Sink::standard();
        let written = people.text(&report::report(&tally, arguments, color.output()));
        written.and_then(|()| people.finish()).map_err(|e| e.failure(code))?;
    }
    ended(read, &tally, arguments)?;
    Ok(code)
}

/// As [`run`], with the real TLC: every verdict is kept until it has answered.
fn crossed(
    spec: &Spec,
    arguments: &WindowsArguments,
    mut reader: Box<dyn BufRead>,
    json: Option<Sink>,
    mut tally: Tally,
) -> Result<u8, Failure> {
    interrupt::ends_tlc();
    let mut bytes = Vec::new();
    let unreadable =
        |e: &std::io::Error| Failure::system(format!("cannot read {}: {}", shown(&arguments.windows), plain(e)));
    reader.read_to_end(&mut bytes).map_err(|e| unreadable(&e))?;
    let lines: Vec<String> = bytes.split(|b| *b == b'\n').map(|l| String::from_utf8_lossy(l).into_owned()).collect();
    let mut verdicts = Vec::new();
    let progress = Progress::start(arguments.common.only_json());
    let all = bytes.len() as u64;
    let mut keep = |verdict| {
        verdicts.push(verdict);
        true
    };
    spec.judge_all(bytes.as_slice(), &mut keep, &mut |done| progress.done(done, all)).map_err(|e| unreadable(&e))?;
    drop(progress);
    let mut crossing =
        Crossing { spec, arguments, lines: &lines, crossed: BTreeMap::new(), summary: Summary::default() };
    crossing.run(&mut verdicts);
    for verdict in verdicts.iter().filter(|v| crossing.is_disputed(v.line)) {
        tally.dispute(verdict.action.as_deref());
    }
    let json = write_crossed(json, &verdicts, &crossing);
    verdicts.into_iter().for_each(|verdict| tally.add(verdict));
    let code = tally.outcomes.exit_code();
    json.map_err(|e| e.failure(code))?;
    if !arguments.common.only_json() && tally.total() > 0 {
        let paint = arguments.common.color.output();
        let text = report::report(&tally, arguments, paint) + &crossing.summary.text(paint, "window");
        let mut people = Sink::standard();
        people.text(&text).and_then(|()| people.finish()).map_err(|e| e.failure(code))?;
    }
    ended(Ok(()), &tally, arguments)?;
    Ok(code)
}

/// The verdicts with what TLC said of them, and the sums in the last line.
fn write_crossed(json: Option<Sink>, verdicts: &[primed::Verdict], crossing: &Crossing<'_>) -> Result<(), Unwritten> {
    let Some(mut json) = json else { return Ok(()) };
    for verdict in verdicts {
        json.object(&json::Window { verdict, crossed: crossing.crossed.get(&verdict.line) })?;
    }
    json.object(&serde_json::json!({ "cross_check": crossing.summary }))?;
    json.finish()
}

/// Whether there was something to judge, up to the end.
fn ended(read: std::io::Result<()>, tally: &Tally, arguments: &WindowsArguments) -> Result<(), Failure> {
    let shown = shown(&arguments.windows);
    if let Err(error) = read {
        return Err(Failure::system(format!("cannot read {shown}: {}", plain(&error))));
    }
    match (&arguments.steps.action, tally.total()) {
        (Some(action), 0) => Err(Failure::system(format!("there are no windows of the action `{action}` in {shown}"))),
        (None, 0) => Err(Failure::system(format!("there are no windows in {shown}"))),
        _ => Ok(()),
    }
}

fn open(arguments: &WindowsArguments) -> Result<Spec, Failure> {
    let mut builder = Spec::builder(&arguments.source.spec);
    if let Some(config) = &arguments.source.config {
        builder = builder.config(config);
    }
    if let Some(action) = &arguments.steps.action {
        builder = builder.action(action);
    }
    if let Some(predicate) = &arguments.steps.unobserved {
        builder = builder.unobserved(predicate);
    }
    if arguments.steps.brief {
        builder = builder.brief();
    }
    if let Some(steps) = arguments.steps.bound.max_steps {
        builder = builder.max_steps(steps);
    }
    builder = arguments.invariants.iter().fold(builder, |b, name| b.invariant(name));
    builder = arguments.source.libraries.all().iter().fold(builder, |b, folder| b.library(folder));
    builder = arguments.allow_read.iter().fold(builder, |b, folder| b.allow_read(folder));
    let opened = builder.open();
    if let (Err(primed::OpenError::Configuration(message)), None) = (&opened, &arguments.source.config) {
        complain(arguments.common.color.error(), message);
        return Err(Failure::no_configuration());
    }
    Ok(opened?)
}

/// The windows, with their size if it is known.
fn windows(name: &str) -> Result<(Box<dyn BufRead>, u64), Failure> {
    if name == "-" {
        return Ok((Box::new(std::io::stdin().lock()), 0));
    }
    let unreadable = |e: std::io::Error| Failure::system(format!("cannot read `{name}`: {}", plain(&e)));
    let file = File::open(name).map_err(unreadable)?;
    let bytes = file.metadata().map_err(unreadable)?.len();
    Ok((Box::new(BufReader::with_capacity(1 << 16, file)), bytes))
}

/// The windows' source for people.
fn shown(name: &str) -> String {
    if name == "-" { "standard input".into() } else { format!("`{name}`") }
}
