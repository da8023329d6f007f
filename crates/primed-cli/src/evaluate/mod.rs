//! `primed evaluate`: a specification in four phases.

pub(crate) mod arguments;
mod json;
mod page;
mod watch;

use std::path::Path;

use primed::evaluation::{self, EvaluationWatch as _, WindowsText};

use crate::exit::{Failure, INTERRUPTED};
use crate::output::Sink;
use arguments::EvaluateArguments;
use watch::Watching;

pub(crate) const EXIT_CODES: &str = "\
Exit codes: that of the first phase that did not pass, 0 if all that was run passed
   10-14, 75-77, 151, 255  the model, as `primed check` (runtime); 12, 13 and 75-77 also properties
   12  a window is refused, or a property is violated
   64  the command was called wrongly
   70  a fault of Primed
   71  the time of --seconds is over, so that not all states are known
   72  something is not supported
   73  a search ended at another limit (states, memory)
   74  the real TLC disagrees (--cross-check); its verdicts stand
   75  a window cannot be read as one, or an evaluation failed
  130  interrupted
  150  the specification cannot be read or is not legal
  153  windows or properties cannot be read, or there are none";

pub(crate) const LONG_HELP: &str = "\
Phases:
  syntax       is the specification legal for SANY? Each definition of the next-state relation is judged on its own: one that is
               broken does not hide the others.
  runtime      is the finite model searched without an error? Invariants and properties are left to the last phase. --seconds,
               --max-states and --memory end a search; then the phase is incomplete.
  conformance  for each action, how many of its windows it allows. An action without windows has no evidence: it did not pass,
               nor is it part of a rate.
  invariants   each invariant and property, of the configuration and of --invariants: it holds, is violated (with the behaviour
               that shows it), could not be evaluated, or was not reached by the search.
A phase passed, failed, is incomplete (nothing is wrong, but not all was looked at) or was not run, and then it says why. Of a
specification that is not legal nothing else is run. A model that cannot be opened has no properties judged; windows need nothing
of what the configuration wants to be checked, and TV modules nothing of it at all. A deadlock or a violated invariant ends no
other phase.

The status is `draft`, until all phases passed: windows were judged of every action and conform, properties were checked and hold.
Then it is `final`.

JSON (`--json -`): one object with `status`, `exit_code` and an object for each phase; docs/json.md has the keys.

Exit codes: that of the first phase that did not pass, 0 if all that was run passed. A phase that was not given anything to do
does not count; an action without windows leaves the exit code as it is.
  150  syntax: the specification cannot be read or is not legal
   10, 11, 14, 75, 151, 255  runtime: an assumption is false, deadlock, a false Assert, an evaluation failed, the configuration does
       not fit or cannot be read, as for `primed check`
   71  runtime or invariants: the time of --seconds is over
   73  runtime or invariants: a search ended at a limit
   12  conformance: a window is refused; invariants: an invariant is violated
   13  invariants: a property is violated; 75 to 77, 150, 151 it is not legal or cannot be evaluated
   75  conformance: a window cannot be read or judged
   72  something is not supported
   74  the real TLC disagrees (--cross-check); its verdicts stand
   64  the command was called wrongly; 70 a fault of Primed; 130 interrupted
  153  windows or properties cannot be read, or there are none in a file

Examples:
  primed evaluate Lock.tla --windows trace.ndjson
  primed evaluate Lock.tla --windows Acquire=acquire.ndjson --windows Release=release.ndjson --seconds 60 --json lock.json
  primed evaluate Lock.tla --windows trace.ndjson --invariants experts.tla --cross-check sample=0.1";

/// Evaluates; the exit code.
pub(crate) fn run(arguments: &EvaluateArguments) -> Result<u8, Failure> {
    arguments.threads.apply()?;
    let settings = arguments.settings()?;
    let mut json = match &arguments.common.json {
        Some(target) => {
            let files = settings.windows.iter().filter_map(|source| match &source.text {
                WindowsText::File(path) => Some(path.as_path()),
                WindowsText::Given(..) => None,
            });
            let inputs =
                files.chain([settings.spec.as_path()]).chain(settings.tv.iter().map(|tv| tv.windows.as_path()));
            Some(sink(target, &inputs.collect::<Vec<_>>())?)
        }
        None => None,
    };
    let mut watch = Watching::new(arguments);
    let found = evaluation::evaluate(&settings, &mut watch);
    let code = match watch.is_interrupted() {
        true => INTERRUPTED,
        false => u8::try_from(found.exit_code()).unwrap_or(u8::MAX),
    };
    watch.ended();
    if let Some(mut sink) = json.take() {
        let document = json::Document::new(&settings, &found, &watch, code);
        sink.object(&document).and_then(|()| sink.finish()).map_err(|e| e.failure(code))?;
    }
    if !arguments.common.only_json() {
        let text = page::page(&settings, &found, &watch, arguments, arguments.common.color.output());
        let mut people = Sink::standard();
        people.text(&text).and_then(|()| people.finish()).map_err(|e| e.failure(code))?;
    }
    Ok(code)
}

/// What `--json` says; it must be none of the files that are read.
fn sink(target: &str, inputs: &[&Path]) -> Result<Sink, Failure> {
    let same = |input: &&&Path| {
        let (input, target) = (input.canonicalize(), Path::new(target).canonicalize());
        input.is_ok_and(|input| target.is_ok_and(|target| input == target))
    };
    Sink::json(target, inputs.iter().find(same).copied())
}
