//! `primed conformance`: the suite's cases answered by Primed, by another checker, or put before the real TLC again.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use primed_conformance::{Case, Checker, Known, Outcome, known_differences};
use primed_oracle::run;
use rayon::prelude::*;
use serde::Serialize;

use crate::arguments::Common;
use crate::exit::{Failure, GOOD, REFUSED, USAGE};
use crate::interrupt;
use crate::memory;
use crate::output::{Sink, raw_error, warn};

pub(crate) const LONG_HELP: &str = "\
Each case of the suite is a question with the answer that the real TLC, or its front end SANY, gave: expressions, windows, models and
modules. Primed answers them in this process. What is known to differ stands in `known-differences.tsv` of the suite with its reason;
it must differ.

With `--checker` another command answers the models and expressions, which takes TLC's arguments and prints what TLC prints with
`-tool`: `--checker 'java -cp tla2tools.jar tlc2.TLC'`. What is known to differ in Primed may differ or not then.

`--against-tlc` asks TLC 2.15 itself whether the answers on file are its own: it runs `confirm` of the suite, which needs Python 3.

A PATH may also be that of a case's folder, from wherever the command is called.

The exit code is 12 if an answer is another one. The last line is `N passed, N failed, N skipped`; the one before it says
by what how many cases were judged.";

/// Answers the conformance suite, whose answers are those of the real TLC.
#[derive(Debug, Args)]
pub(crate) struct ConformanceArguments {
    /// Only these cases, as their paths in the suite: `eval/except`, or all below a folder: `models`.
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// The suite; without it the folder `conformance-suite` here or above.
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
    /// Another checker with TLC's command line answers the models and expressions.
    #[arg(long, value_name = "COMMAND", conflicts_with = "against_tlc")]
    checker: Option<String>,
    /// Ask the real TLC whether the answers on file are its own.
    #[arg(long)]
    against_tlc: bool,
    /// Cases that are answered side by side; without it one for each processor.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Longest time of a checker for one case (with `--against-tlc`, for all), in seconds, or with s, m or h.
    #[arg(long, value_name = "TIME", value_parser = memory::duration)]
    timeout: Option<Duration>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// A case as `--json` writes it.
#[derive(Debug, Serialize)]
struct Answered<'c> {
    case: &'c str,
    kind: &'c str,
    passed: usize,
    failed: usize,
    skipped: bool,
    /// Who judged it.
    judge: &'static str,
    /// The answers on file are those of a newer TLC than 2.15.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    newest: bool,
    /// What has another answer, with both.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    differences: BTreeMap<String, String>,
    /// Why it could not be tried, or was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// All of them.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Sum {
    passed: usize,
    failed: usize,
    skipped: usize,
}

/// Runs; the exit code.
pub(crate) fn run(arguments: &ConformanceArguments) -> Result<u8, Failure> {
    interrupt::ends_tlc();
    let suite = match &arguments.suite {
        Some(suite) => suite.clone(),
        None => above(&arguments.paths).ok_or_else(|| {
            Failure::system(
                "there is no folder `conformance-suite` here, above, or around a path: name it with --suite",
            )
        })?,
    };
    let all = Case::all(&suite).map_err(Failure::system)?;
    let known = known_differences(&suite, &all).map_err(Failure::system)?;
    let paths: Vec<String> = arguments.paths.iter().map(|path| within(&suite, path)).collect();
    let nowhere = |path: &&String| !all.iter().any(|case| chosen(&case.name, std::slice::from_ref(path)));
    if let Some(path) = paths.iter().find(nowhere) {
        return Err(Failure::Complaint(USAGE, format!("no case of `{}` is called `{path}`", suite.display())));
    }
    let cases: Vec<Case> = all.into_iter().filter(|case| chosen(&case.name, &paths)).collect();
    if cases.is_empty() {
        return Err(Failure::Complaint(USAGE, format!("there is no case in `{}`", suite.display())));
    }
    if arguments.against_tlc {
        return against_tlc(arguments, &suite, &paths);
    }
    let time = arguments.timeout.unwrap_or(Duration::from_secs(120));
    let checker = arguments.checker.as_deref().map(|command| Checker::new(command, time)).transpose();
    let checker = checker.map_err(|message| Failure::Complaint(USAGE, message))?;
    let jobs = arguments.jobs.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(|e| Failure::system(e.to_string()))?;
    let progress = Mutex::new(Progress { done: 0, all: cases.len(), told: Instant::now() });
    let answers: Vec<Answered<'_>> = pool.install(|| {
        let answered = cases.par_iter().map(|case| {
            let answered = answer(case, checker.as_ref(), &known);
            if let Ok(mut progress) = progress.lock() {
                progress.step();
            }
            answered
        });
        answered.collect()
    });
    tell(arguments, &answers)
}

/// The folder of the suite: here or above, else the one that a path leads into.
fn above(paths: &[String]) -> Option<PathBuf> {
    const NAME: &str = "conformance-suite";
    let here = std::env::current_dir().ok()?;
    let around = |path: &String| {
        let path = Path::new(path).canonicalize().ok()?;
        path.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == NAME)).map(Path::to_owned)
    };
    let found = here.ancestors().map(|folder| folder.join(NAME)).find(|folder| folder.is_dir());
    found.or_else(|| paths.iter().find_map(around))
}

/// A path in the suite: one that leads to a folder of it, from here, loses what is before.
fn within(suite: &Path, path: &str) -> String {
    let inside = || {
        let (suite, path) = (suite.canonicalize().ok()?, Path::new(path).canonicalize().ok()?);
        // A case may be named by one of its files.
        let path = if path.is_file() { path.parent()?.to_owned() } else { path };
        Some(path.strip_prefix(suite).ok()?.to_str()?.to_owned())
    };
    let of_suite = path.trim_start_matches("./").trim_start_matches("conformance-suite/").trim_end_matches('/');
    match suite.join(of_suite).exists() && !Path::new(path).is_absolute() {
        true => of_suite.to_owned(),
        false => inside().unwrap_or_else(|| path.to_owned()),
    }
}

fn chosen(name: &str, paths: &[String]) -> bool {
    paths.is_empty()
        || paths.iter().any(|path| {
            let path = path.trim_start_matches("./").trim_start_matches("conformance-suite/").trim_end_matches('/');
            name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || path.is_empty())
        })
}

struct Progress {
    done: usize,
    all: usize,
    told: Instant,
}

impl Progress {
    fn step(&mut self) {
        self.done += 1;
        if self.told.elapsed() > Duration::from_secs(5) {
            self.told = Instant::now();
            raw_error(&format!("{} of {} cases\n", self.done, self.all));
        }
    }
}

fn answer<'c>(case: &'c Case, checker: Option<&Checker>, known: &Known) -> Answered<'c> {
    let mut answered = Answered {
        case: &case.name,
        kind: case.kind(),
        passed: 0,
        failed: 0,
        skipped: false,
        judge: if checker.is_some() { "the checker" } else { "Primed" },
        newest: case.is_newest(),
        differences: BTreeMap::new(),
        message: None,
    };
    let tally = match checker {
        None => case.answer(),
        Some(checker) if checker.answers(case.kind()) => case.ask(checker),
        Some(_) => {
            answered.skipped = true;
            answered.message = Some("a checker with TLC's command line is not asked about this kind".into());
            return answered;
        }
    };
    match tally {
        Err(message) => {
            answered.failed = 1;
            answered.message = Some(message);
        }
        Ok(tally) => {
            let known = known.get(&case.name);
            let mut outcome = Outcome::of(&tally, known.filter(|_| checker.is_none()));
            if checker.is_some() {
                let before = outcome.failed.len();
                outcome.failed.retain(|asked, _| !known.is_some_and(|known| known.contains_key(asked)));
                outcome.passed += before - outcome.failed.len();
                outcome.failed.values_mut().for_each(|both| *both = both.replace("Primed: ", "the checker: "));
                answered.skipped = tally.total == 0;
            }
            answered.passed = outcome.passed;
            answered.failed = outcome.failed.len();
            answered.differences = outcome.failed;
        }
    }
    answered
}

fn tell(arguments: &ConformanceArguments, answers: &[Answered<'_>]) -> Result<u8, Failure> {
    let mut sum = Sum::default();
    for answered in answers {
        sum.passed += answered.passed;
        sum.failed += answered.failed;
        sum.skipped += usize::from(answered.skipped);
    }
    let code = if sum.failed > 0 { REFUSED } else { GOOD };
    if let Some(target) = &arguments.common.json {
        let mut sink = Sink::json(target, None)?;
        let written = answers.iter().try_for_each(|answered| sink.object(answered)).and_then(|()| sink.object(&sum));
        written.and_then(|()| sink.finish()).map_err(|e| e.failure(code))?;
    }
    if !arguments.common.only_json() {
        let mut people = Sink::standard();
        let text = text(answers, sum);
        people.text(&text).and_then(|()| people.finish()).map_err(|e| e.failure(code))?;
    }
    Ok(code)
}

fn text(answers: &[Answered<'_>], sum: Sum) -> String {
    let mut text = String::new();
    for Answered { case, passed, failed, differences, message, .. } in answers.iter().filter(|a| a.failed > 0) {
        text.push_str(&format!("FAILED  {case} ({passed} of {})\n", passed + failed));
        if let Some(message) = message {
            text.push_str(&format!("    {message}\n"));
        }
        for (asked, both) in differences {
            text.push_str(&format!("    {asked}\n        {both}\n"));
        }
    }
    let kinds: Vec<&str> = answers.iter().filter(|a| a.skipped).map(|a| a.kind).collect();
    for kind in ["eval", "windows", "model", "sany"] {
        let skipped = kinds.iter().filter(|k| **k == kind).count();
        if skipped > 0 {
            text.push_str(&format!("skipped {skipped} cases of kind {kind}, which the checker cannot judge\n"));
        }
    }
    text.push_str(&judged(answers));
    text + &format!("{} passed, {} failed, {} skipped\n", sum.passed, sum.failed, sum.skipped)
}

/// By what the cases were judged, and what is known to differ.
fn judged(answers: &[Answered<'_>]) -> String {
    let by = |judge: &str| answers.iter().filter(|a| a.judge == judge && !a.skipped).count();
    let judges = ["Primed", "the checker"].map(|judge| (judge, by(judge)));
    let judges = judges.iter().filter(|(_, count)| *count > 0).map(|(judge, count)| format!("{count} by {judge}"));
    let judges: Vec<String> = judges.collect();
    let newest = answers.iter().filter(|a| a.newest && !a.skipped).count();
    let newest = if newest > 0 {
        format!("; the answers of {newest} are those of a TLC newer than 2.15")
    } else {
        String::new()
    };
    format!("cases judged: {}{newest}\n", if judges.is_empty() { "none".into() } else { judges.join(", ") })
}

/// Runs the suite's own `confirm`.
fn against_tlc(arguments: &ConformanceArguments, suite: &Path, paths: &[String]) -> Result<u8, Failure> {
    let script = suite.join("confirm");
    let script =
        script.canonicalize().map_err(|e| Failure::system(format!("cannot run `{}`: {e}", script.display())))?;
    let jobs = arguments.jobs.map(|jobs| ["--jobs".to_owned(), jobs.to_string()]);
    let words = jobs.into_iter().flatten().chain(paths.iter().map(|path| format!("{path}/"))).map(OsString::from);
    let words: Vec<OsString> = std::iter::once(script.into_os_string()).chain(words).collect();
    let time = arguments.timeout.unwrap_or(Duration::from_secs(3600));
    raw_error("asking TLC 2.15, which takes about a second for each case\n");
    let ended = run::run(Path::new("python3"), &words, suite, time);
    let ended = ended.map_err(|trouble| Failure::system(format!("`confirm` of the suite (Python 3): {trouble}")))?;
    let last = ended.output.lines().next_back().unwrap_or_default();
    let Some(sum) = numbers(last).filter(|_| matches!(ended.status, 0 | 1)) else {
        return Err(Failure::system(format!(
            "`confirm` ended with status {}:\n{}",
            ended.status,
            ended.output.trim_end()
        )));
    };
    let code = if sum.failed > 0 { REFUSED } else { GOOD };
    if let Some(target) = &arguments.common.json {
        let mut sink = Sink::json(target, None)?;
        sink.object(&sum).and_then(|()| sink.finish()).map_err(|e| e.failure(code))?;
    }
    if !arguments.common.only_json() {
        let mut people = Sink::standard();
        people.text(&ended.output).and_then(|()| people.finish()).map_err(|e| e.failure(code))?;
    }
    if sum.passed + sum.failed == 0 {
        warn(arguments.common.color.error(), "TLC 2.15 cannot judge any of these");
    }
    Ok(code)
}

/// `N passed, N failed, N skipped`.
fn numbers(line: &str) -> Option<Sum> {
    let mut parts = line.split(", ").map(|part| part.split_once(' '));
    let mut next = |what: &str| {
        let (number, word) = parts.next()??;
        (word == what).then(|| number.parse().ok())?
    };
    Some(Sum { passed: next("passed")?, failed: next("failed")?, skipped: next("skipped")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_a_case_or_all_below_it() {
        let paths = |path: &str| vec![path.to_owned()];
        assert!(chosen("eval/except", &[]) && chosen("eval/except", &paths("eval")));
        assert!(chosen("eval/except", &paths("conformance-suite/eval/except/")));
        assert!(!chosen("eval/except-more", &paths("eval/except")) && !chosen("models/except", &paths("eval")));
    }

    #[test]
    fn the_last_line_of_confirm_is_read() {
        let sum = numbers("12 passed, 3 failed, 4 skipped").unwrap();
        assert_eq!((sum.passed, sum.failed, sum.skipped), (12, 3, 4));
        assert!(numbers("nothing").is_none());
    }
}
