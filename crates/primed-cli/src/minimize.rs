//! `primed minimize`: a smaller disagreement with the real TLC.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use primed::{CheckSettings, ModelChecker, PieceKind, Spec, TvModule, UnitVerdict};
use primed_oracle::dispute::{Bundle, minimal};
use primed_oracle::scratch::Scratch;
use serde_json::json;

use crate::arguments::{Common, Disputed, of_dispute};
use crate::cross::arguments::TlcChoice;
use crate::cross::{Summary, model, text_of, tv, windows};
use crate::exit::{EVALUATION, Failure, GOOD};
use crate::interrupt;
use crate::output::{Sink, raw_error};
use crate::paint::harmless;

pub(crate) const LONG_HELP: &str = "\
A folder that --cross-check wrote is made smaller: windows are left out, then units of its modules, as long as both sides still
read it and still disagree. Every try asks the real TLC once or twice.

JSON (`--json -`): one object: {`folder`, `windows`, `units`, `tries`}; the counts are [before, after].

Exit codes:
    0  the smaller one is written
   64  the command was called wrongly
   75  the disagreement does not show again
  153  the folder cannot be read, or the smaller one not written";

/// Makes a disagreement with the real TLC smaller.
#[derive(Debug, Args)]
pub(crate) struct MinimizeArguments {
    /// The folder with the disagreement.
    #[arg(value_name = "DIR")]
    bundle: PathBuf,
    /// Where the smaller one goes; without it beside the folder, with `-minimal` behind its name.
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Most tries.
    #[arg(long, value_name = "N", default_value_t = 200)]
    tries: usize,
    #[command(flatten)]
    tlc: TlcChoice,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// A unit of a module: the module's number, and its place in the text.
type Unit = (usize, usize, usize);

/// Makes it smaller; the exit code.
pub(crate) fn run(arguments: &MinimizeArguments) -> Result<u8, Failure> {
    interrupt::ends_tlc();
    let bundle = Bundle::read(&arguments.bundle).map_err(|e| Failure::system(e.to_string()))?;
    if let Err(trouble) = arguments.tlc.find() {
        return Err(Failure::system(trouble.to_string()));
    }
    let mut tries = arguments.tries;
    if !disagrees(&bundle, arguments) {
        let shown = arguments.bundle.display();
        return Err(Failure::Complaint(EVALUATION, format!("the disagreement in `{shown}` does not show again")));
    }
    let windows = if bundle.dispute.windows.is_some() { bundle.windows.clone() } else { Vec::new() };
    let kept = minimal(&windows, &mut tries, &mut |some| {
        say(arguments, &format!("{} windows", some.len()));
        disagrees(&Bundle { windows: some.to_vec(), ..bundle.clone() }, arguments)
    });
    let mut smaller = Bundle { windows: kept, ..bundle.clone() };
    if smaller.dispute.kind == "windows" {
        // What a configuration has checked is no matter of windows, but would keep its definitions.
        let mut bare = smaller.clone();
        bare.spec.config = primed_oracle::specification::bare(&bare.spec.config);
        smaller = if disagrees(&bare, arguments) { bare } else { smaller };
    }
    let units = units(&smaller);
    let left = minimal(&units, &mut tries, &mut |some| {
        say(arguments, &format!("{} units", some.len()));
        disagrees(&only(&smaller, &units, some), arguments)
    });
    let mut smallest = only(&smaller, &units, &left);
    smallest.dispute.answers.retain(|answer| answer.line <= 1);
    let folder = output(arguments);
    fs::create_dir_all(&folder).map_err(|e| Failure::system(format!("cannot make `{}`: {e}", folder.display())))?;
    smallest.write(&folder).map_err(|e| Failure::system(e.to_string()))?;
    let counts = ([windows.len(), smallest.windows.len()], [units.len(), left.len()]);
    report(arguments, &folder, counts, arguments.tries - tries)
}

fn say(arguments: &MinimizeArguments, what: &str) {
    if !arguments.common.only_json() {
        raw_error(&format!("trying {what}\n"));
    }
}

fn output(arguments: &MinimizeArguments) -> PathBuf {
    arguments.output.clone().unwrap_or_else(|| {
        let mut name = arguments.bundle.file_name().unwrap_or_default().to_os_string();
        name.push("-minimal");
        arguments.bundle.with_file_name(name)
    })
}

fn report(
    arguments: &MinimizeArguments,
    folder: &Path,
    (windows, units): ([usize; 2], [usize; 2]),
    tries: usize,
) -> Result<u8, Failure> {
    if let Some(target) = &arguments.common.json {
        let mut sink = Sink::json(target, None)?;
        let object = json!({ "folder": folder, "windows": windows, "units": units, "tries": tries });
        sink.object(&object).and_then(|()| sink.finish()).map_err(|e| e.failure(GOOD))?;
    }
    if !arguments.common.only_json() {
        let shown = folder.display().to_string();
        let text = format!(
            "{}: {} of {} windows, {} of {} units of modules are left, after {tries} tries\n",
            harmless(&shown),
            windows[1],
            windows[0],
            units[1],
            units[0]
        );
        let mut people = Sink::standard();
        people.text(&text).and_then(|()| people.finish()).map_err(|e| e.failure(GOOD))?;
    }
    Ok(GOOD)
}

/// The top-level units of the modules that may be left out.
fn units(bundle: &Bundle) -> Vec<Unit> {
    let Ok(scratch) = written(bundle) else { return Vec::new() };
    let mut found = Vec::new();
    for (number, module) in bundle.spec.modules.iter().enumerate() {
        let path = scratch.path().join(format!("{}.tla", module.name));
        let Ok(decomposed) = primed::decompose(&path, &[]) else { continue };
        let sound = decomposed.units.iter().filter(|u| u.verdict == UnitVerdict::Ok && u.kind != PieceKind::Extends);
        found.extend(sound.map(|u| (number, u.span.start as usize, u.span.end as usize)));
    }
    found
}

/// The bundle with some of the units only.
fn only(bundle: &Bundle, all: &[Unit], kept: &[Unit]) -> Bundle {
    let mut smaller = bundle.clone();
    // From the end, so that places before it stay.
    for (module, start, end) in all.iter().rev().filter(|unit| !kept.contains(unit)) {
        if let Some(module) = smaller.spec.modules.get_mut(*module)
            && module.text.get(*start..*end).is_some()
        {
            let from = module.text[..*start]
                .rfind('\n')
                .map_or(*start, |at| if blank(&module.text[at..*start]) { at } else { *start });
            module.text.replace_range(from..*end, "");
        }
    }
    smaller
}

fn blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn written(bundle: &Bundle) -> Result<Scratch, primed_oracle::Trouble> {
    let scratch = Scratch::new()?;
    bundle.write(scratch.path())?;
    Ok(scratch)
}

/// Whether both sides read it and disagree for no known cause.
fn disagrees(bundle: &Bundle, arguments: &MinimizeArguments) -> bool {
    let Ok(scratch) = written(bundle) else { return false };
    let within = |name: &str| scratch.path().join(name).to_string_lossy().into_owned();
    let dispute = &bundle.dispute;
    let mut words = vec!["primed".to_owned(), dispute.kind.clone(), within(&dispute.spec)];
    words.extend(["--config".to_owned(), within(&dispute.config), "--cross-check".to_owned(), "all".to_owned()]);
    words.extend(["--disputes".to_owned(), within("again"), "--json".to_owned(), "-".to_owned()]);
    if let Some(windows) = &dispute.windows {
        words.extend(["--windows".to_owned(), within(windows)]);
    }
    if let Some(jar) = &arguments.tlc.tlc_jar {
        words.extend(["--tlc-jar".to_owned(), jar.to_string_lossy().into_owned()]);
    }
    words.extend(dispute.arguments.iter().cloned());
    match of_dispute(&words) {
        Some(Disputed::Windows(mut of)) => {
            (of.cross.tlc.tlc_timeout, of.cross.tlc.tlc_memory) = (arguments.tlc.tlc_timeout, arguments.tlc.tlc_memory);
            windows_differ(&of, &bundle.windows)
        }
        Some(Disputed::Check(of)) => {
            let spec = of.source.spec.clone();
            let Some(config) = of.source.config.clone() else { return false };
            let opened = ModelChecker::open(&spec, &config, &[], primed::Permissions::default());
            let Ok(checker) = opened else { return false };
            let settings = CheckSettings {
                deadlock: of.search.no_deadlock.then_some(false),
                max_states: 1_000_000,
                ..CheckSettings::default()
            };
            let report = checker.check(settings);
            let crossed = model::cross(&checker, &text_of(&config), &of, 1, &report);
            // Another disagreement, such as a text that only one side reads, is not this one.
            crossed.is_some_and(|crossed| crossed.disputed() && dispute.answers.first().is_none_or(|a| crossed.is(a)))
        }
        Some(Disputed::Tv(of)) => {
            let Some(config) = of.config.clone() else { return false };
            let permissions = primed::Permissions { read: vec![of.windows.clone()], ..Default::default() };
            let Ok(module) = TvModule::open(&of.module, &config, &[], permissions) else { return false };
            let mut results: Vec<_> = (1..=bundle.windows.len()).map(|index| (index, module.judge(index))).collect();
            let lines = bundle.windows.as_slice();
            let (crossed, summary) = (BTreeMap::new(), Summary::default());
            let mut crossing =
                tv::Crossing { module: &module, arguments: &of, config: &config, lines, crossed, summary };
            crossing.run(&mut results);
            crossing.summary.disputed > 0
        }
        None => false,
    }
}

fn windows_differ(of: &crate::arguments::WindowsArguments, lines: &[String]) -> bool {
    let mut builder = Spec::builder(&of.source.spec).brief();
    if let Some(config) = &of.source.config {
        builder = builder.config(config);
    }
    if let Some(action) = &of.steps.action {
        builder = builder.action(action);
    }
    if let Some(predicate) = &of.steps.unobserved {
        builder = builder.unobserved(predicate);
    }
    let Ok(spec) = builder.open() else { return false };
    let mut verdicts: Vec<_> = lines.iter().enumerate().filter_map(|(i, line)| spec.judge(i + 1, line)).collect();
    let (crossed, summary) = (BTreeMap::new(), Summary::default());
    let mut crossing = windows::Crossing { spec: &spec, arguments: of, lines, crossed, summary };
    crossing.run(&mut verdicts);
    crossing.summary.disputed > 0
}
