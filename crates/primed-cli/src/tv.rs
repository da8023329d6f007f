//! `primed tv`: a TV module for every window of a file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use primed::{Outcomes, Permissions, TvModule, TvResult};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::arguments::TvArguments;
use crate::cross::Summary;
use crate::cross::tv::Crossing;
use crate::cross::windows::Crossed;
use crate::diagnostics;
use crate::exit::Failure;
use crate::interrupt;
use crate::output::{Sink, Unwritten, plain, raw_error};
use crate::paint::{Paint, short};
use crate::progress::Progress;

pub(crate) const LONG_HELP: &str = "\
JSON (`--json -`): one object for each window, in order:
  index      the window's number among the lines that are not blank, from 1
  id         its `window_id` or `id`, if it has one
  verdict    conforms, refused, error or unsupported; with --cross-check also disputed
  states     distinct states that were found
  initial    if refused: initial states; 0 says that the state before the step is impossible
  invariant  if it conforms: the invariant that is violated, which is how a TV module says so
  message, places   what went wrong, and where, innermost first
  cross_check       if the real TLC was asked, as for `primed windows`

Exit codes:
    0  every window conforms
   12  a window is refused
   64  the command was called wrongly
   70  a fault of Primed
   72  something is not supported
   73  a limit was reached (depth, size of a set, memory, steps)
   74  the real TLC disagrees (--cross-check); its verdicts stand
   75  the evaluation of a window failed
  150  the module cannot be read or is not legal
  151  the configuration cannot be read or does not fit
  153  the windows cannot be read, or there are none
If several apply, 74 comes first, then 12, 75, 73 and 72.

Example:
  primed tv --windows windows_Release.ndjson -config TV_Release.cfg TV_Release.tla";

/// Groups of errors and longest lists of windows that are shown to people.
const SHOWN: usize = 10;
/// Most kinds of error that are told apart.
const MAX_KINDS: usize = 1_000;

/// Judges; the exit code.
pub(crate) fn run(arguments: &TvArguments) -> Result<u8, Failure> {
    arguments.threads.apply()?;
    let config = arguments.config.clone().unwrap_or_else(|| arguments.module.with_extension("cfg"));
    // The windows were named by the user, so that the module may read them wherever they are.
    let permissions = Permissions { read: vec![arguments.windows.clone()], ..Permissions::default() };
    let libraries = arguments.libraries.all();
    let mut module = TvModule::open(&arguments.module, &config, &libraries, permissions)?;
    if let Some(steps) = arguments.bound.max_steps {
        module.limit_steps(steps);
    }
    raw_error(&diagnostics::render(module.warnings(), arguments.common.color.error()));
    let ids = read_ids(&arguments.windows)?;
    let mut json = match &arguments.common.json {
        Some(target) => Some(Sink::json(target, Some(&arguments.windows))?),
        None => None,
    };
    let mut tally = Tally::default();
    if arguments.cross.is_on() {
        return crossed(&module, arguments, &config, &ids, json);
    }
    let mut unwritten = None;
    let progress = Progress::start(arguments.common.only_json());
    module.judge_all(ids.len(), &mut |index, result| {
        progress.done(index as u64, ids.len() as u64);
        progress.judged(matches!(result, TvResult::Refused { .. }));
        let id = ids.get(index - 1).and_then(Option::as_deref);
        tally.add(index, &result);
        let written = json.as_mut().map_or(Ok(()), |sink| sink.object(&Object::new(index, id, &result)));
        unwritten = written.err();
        unwritten.is_none()
    });
    drop(progress);
    let code = tally.outcomes.exit_code();
    finish(
        unwritten,
        json,
        (!arguments.common.only_json())
            .then(|| report(module.name(), ids.len(), &tally, arguments.common.color.output())),
    )
    .map_err(|e| e.failure(code))?;
    Ok(code)
}

/// As [`run`], with the real TLC: every result is kept until it has answered.
fn crossed(
    module: &TvModule,
    arguments: &TvArguments,
    config: &Path,
    ids: &[Option<Box<RawValue>>],
    mut json: Option<Sink>,
) -> Result<u8, Failure> {
    interrupt::ends_tlc();
    let file = &arguments.windows;
    let text = std::fs::read(file);
    let text = text.map_err(|e| Failure::system(format!("cannot read `{}`: {}", file.display(), plain(&e))))?;
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<String> = text.lines().filter(|l| !l.trim().is_empty()).map(str::to_owned).collect();
    let mut results = Vec::new();
    let progress = Progress::start(arguments.common.only_json());
    module.judge_all(ids.len(), &mut |index, result| {
        progress.done(index as u64, ids.len() as u64);
        results.push((index, result));
        true
    });
    drop(progress);
    let (crossed, summary) = (BTreeMap::new(), Summary::default());
    let mut crossing = Crossing { module, arguments, config, lines: &lines, crossed, summary };
    crossing.run(&mut results);
    let mut tally = Tally::default();
    tally.outcomes.disputed = crossing.summary.disputed > 0;
    let mut unwritten = None;
    for (index, result) in &results {
        tally.add(*index, result);
        if let (Some(sink), None) = (json.as_mut(), &unwritten) {
            let id = ids.get(index - 1).and_then(Option::as_deref);
            unwritten = sink.object(&Object::new(*index, id, result).crossed(crossing.crossed.get(index))).err();
        }
    }
    if let (Some(sink), None) = (json.as_mut(), &unwritten) {
        unwritten = sink.object(&serde_json::json!({ "cross_check": crossing.summary })).err();
    }
    let code = tally.outcomes.exit_code();
    let paint = arguments.common.color.output();
    let text = report(module.name(), ids.len(), &tally, paint) + &crossing.summary.text(paint, "window");
    finish(unwritten, json, (!arguments.common.only_json()).then_some(text)).map_err(|e| e.failure(code))?;
    Ok(code)
}

fn finish(unwritten: Option<Unwritten>, json: Option<Sink>, report: Option<String>) -> Result<(), Unwritten> {
    if let Some(unwritten) = unwritten {
        return Err(unwritten);
    }
    if let Some(json) = json {
        json.finish()?;
    }
    if let Some(report) = report {
        let mut people = Sink::standard();
        people.text(&report)?;
        people.finish()?;
    }
    Ok(())
}

/// The id of each line that is not blank, as it is written.
fn read_ids(path: &Path) -> Result<Vec<Option<Box<RawValue>>>, Failure> {
    #[derive(Deserialize)]
    struct Ids {
        window_id: Option<Box<RawValue>>,
        id: Option<Box<RawValue>>,
    }
    let unreadable = |e: std::io::Error| Failure::system(format!("cannot read `{}`: {}", path.display(), plain(&e)));
    let mut reader = BufReader::new(File::open(path).map_err(unreadable)?);
    let (mut ids, mut line) = (Vec::new(), Vec::new());
    while reader.read_until(b'\n', &mut line).map_err(unreadable)? > 0 {
        if !line.trim_ascii().is_empty() {
            let found: Option<Ids> = serde_json::from_slice(&line).ok();
            ids.push(found.and_then(|ids| ids.window_id.or(ids.id)));
        }
        line.clear();
    }
    match ids.is_empty() {
        true => Err(Failure::system(format!("there are no windows in `{}`", path.display()))),
        false => Ok(ids),
    }
}

/// A result as JSON.
#[derive(Default, Serialize)]
struct Object<'a> {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    initial: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invariant: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    places: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cross_check: Option<&'a Crossed>,
}

impl<'a> Object<'a> {
    fn new(index: usize, id: Option<&'a RawValue>, result: &'a TvResult) -> Object<'a> {
        let object = Object { index, id, ..Object::default() };
        match result {
            TvResult::Conforms { invariant, states } => {
                Object { verdict: "conforms", states: Some(*states), invariant: Some(invariant), ..object }
            }
            TvResult::Refused { states, initial } => {
                Object { verdict: "refused", states: Some(*states), initial: Some(*initial), ..object }
            }
            TvResult::Error { message, places, .. } => {
                Object { verdict: "error", message: Some(message), places, ..object }
            }
            TvResult::Unsupported { message } => Object { verdict: "unsupported", message: Some(message), ..object },
        }
    }
}

impl<'a> Object<'a> {
    /// What TLC says stands beside it.
    fn crossed(mut self, crossed: Option<&'a Crossed>) -> Object<'a> {
        self.cross_check = crossed;
        match crossed.map(|c| c.result) {
            Some("disputed") => self.verdict = "disputed",
            Some("decided") => self.decided_by = Some("tlc"),
            _ => {}
        }
        self
    }
}

/// What the windows add up to.
#[derive(Default)]
struct Tally {
    outcomes: Outcomes,
    conforming: usize,
    refused: Vec<usize>,
    impossible: Vec<usize>,
    /// Message and place, with the windows.
    troubles: Vec<(&'static str, String, Vec<usize>)>,
}

impl Tally {
    fn add(&mut self, index: usize, result: &TvResult) {
        match result {
            TvResult::Conforms { .. } => self.conforming += 1,
            TvResult::Refused { initial, .. } => {
                self.outcomes.refused = true;
                if *initial == 0 { &mut self.impossible } else { &mut self.refused }.push(index);
            }
            TvResult::Error { message, places, limit } => {
                *if *limit { &mut self.outcomes.limited } else { &mut self.outcomes.failed } = true;
                let place = places.first().map(|p| format!("\n    at {p}")).unwrap_or_default();
                self.trouble("error", format!("{}{place}", short(message, 400)), index);
            }
            TvResult::Unsupported { message } => {
                self.outcomes.unsupported = true;
                self.trouble("unsupported", short(message, 400), index);
            }
        }
    }

    fn trouble(&mut self, kind: &'static str, text: String, index: usize) {
        match self.troubles.iter().position(|(k, t, _)| *k == kind && *t == text) {
            Some(i) => self.troubles[i].2.push(index),
            None if self.troubles.len() < MAX_KINDS => self.troubles.push((kind, text, vec![index])),
            None => {}
        }
    }
}

fn report(name: &str, count: usize, tally: &Tally, paint: Paint) -> String {
    let mut text = String::new();
    let refused = tally.refused.len() + tally.impossible.len();
    let failed = count - tally.conforming - refused;
    let rate = crate::windows::rate(tally.conforming, count);
    let red = |n: usize, word: &str| match n {
        0 => format!("0 {word}"),
        n => paint.red(&format!("{n} {word}")),
    };
    let (refused, failed) = (red(refused, "refused"), red(failed, if failed == 1 { "error" } else { "errors" }));
    let name = paint.bold(name);
    put(&mut text, &format!("{name}: {count} windows, {} conforming ({rate}), {refused}, {failed}", tally.conforming));
    if !tally.refused.is_empty() {
        put(&mut text, &format!("\nRefused: windows {}", ranges(&tally.refused)));
    }
    if !tally.impossible.is_empty() {
        let shown = ranges(&tally.impossible);
        put(&mut text, &format!("\nRefused, the state before the step being impossible: windows {shown}"));
    }
    for (kind, trouble, windows) in tally.troubles.iter().take(SHOWN) {
        let kind = paint.yellow(kind);
        put(&mut text, &format!("\n{kind} in windows {}:\n  {trouble}", ranges(windows)));
    }
    if tally.troubles.len() > SHOWN {
        put(&mut text, &format!("\n... and {} other errors; --json has them all", tally.troubles.len() - SHOWN));
    }
    text
}

fn put(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Ascending numbers as `1-3, 7`, the first few of them.
fn ranges(numbers: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => parts.push((*number, *number)),
        }
    }
    let more = parts.len() > SHOWN * 2;
    let shown = parts.iter().take(SHOWN * 2).map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") });
    let shown = shown.collect::<Vec<_>>().join(", ");
    if more { format!("{shown}, ... ({} in all)", numbers.len()) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_make_a_range() {
        assert_eq!(ranges(&[1, 2, 3, 7]), "1-3, 7");
        let odd: Vec<usize> = (0..30).map(|i| 2 * i + 1).collect();
        assert!(ranges(&odd).ends_with("39, ... (30 in all)"));
    }
}
