//! `primed tlc`: a model checked as TLC does it, with TLC's arguments, messages and exit codes.

mod clock;
mod console;
mod options;
mod progress;
mod report;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use primed::{CheckSettings, Depth, ModelChecker, OpenError, Permissions, Progress};

use crate::exit::UNSUPPORTED;
use crate::sany;
use console::Console;
use options::{Mode, Options, USAGE};
use progress::Reporter;

/// TLC's exit status for wrong usage.
const USAGE_STATUS: u8 = 1;
/// TLC's exit status for a specification that is refused.
const REFUSED: u8 = 150;

pub(crate) const LONG_HELP: &str = "\
The arguments, messages and exit codes are those of the newest TLC. `primed tlc -help` lists the options.

Exit codes:
    0  no error
    1  the command was called wrongly
   10  an assumption or a post-condition is false
   11  deadlock
   12  an invariant is violated
   13  a property is violated
   14  an Assert failed
   72  an option, or something in the specification, is not supported
   73  a limit was reached
   75  an evaluation failed; 76 while an invariant was evaluated
  150  the specification cannot be read or is not legal
  151  the configuration does not fit
  255  everything else";

const HELP: &str = "\
  -config FILE            the configuration (without it the one of the module's name)
  -deadlock               do not check for deadlock
  -workers N|auto         workers (without it 1)
  -continue               go on after a violation
  -difftrace              of a trace's states only what changes
  -dump FILE              all states; dot[,colorize,actionlabels,snapshot,constrained,stuttering,strict] FILE: the graph
  -dumpTrace FORMAT FILE  the counterexample: json, tla, tlc
  -coverage N             how often each action was taken
  -inv EXPR               a further invariant
  -invlevel N             the invariant that behaviours are shorter than N
  -postCondition M!OP     a further post-condition
  -maxSetSize N           the largest set that is enumerated (without it 1000000)
  -nowarning              no warnings
  -suppressMessages CODES, -messagesAsErrors CODES
  -tool                   messages for programs
  -userFile FILE          what the specification prints goes there
  -modelcheck, -simulate, -generate, -dfid N, -depth N, -seed N, -aril N, -view, -lncheck WHEN, -checkpoint N, -recover DIR
  -metadir DIR, -cleanup, -gzip, -terse, -fp N, -fpmem X, -fpbits N, -noTE, -debug have no effect here";

/// Runs; the exit code.
pub(crate) fn run(arguments: &[OsString]) -> u8 {
    let started = Instant::now();
    let words: Vec<String> = arguments.iter().map(|a| a.to_string_lossy().into_owned()).collect();
    let tool = words.iter().any(|w| w == "-tool");
    let mut console = Console::default();
    console.tool = tool;
    let options = match Options::parse(&words) {
        Ok(options) => options,
        Err(complaint) => {
            version(&console);
            console.error(1102, &format!("{complaint}\n{USAGE}"));
            return USAGE_STATUS;
        }
    };
    if options.help {
        console.raw(&format!("{USAGE}\n\n{HELP}\n"));
        return USAGE_STATUS;
    }
    (console.no_warning, console.suppressed) = (options.no_warning, options.suppressed.clone());
    version(&console);
    let code = match options.unsupported() {
        Some(what) => {
            console.error(2156, &format!("{what} is not supported by Primed."));
            UNSUPPORTED
        }
        None => check(&options, &console, started),
    };
    let took = match tool {
        true => format!("{}ms", started.elapsed().as_millis()),
        false => clock::for_people(started.elapsed()),
    };
    console.finished(&took);
    code
}

/// The line that names the program, in the form that scripts look for.
fn version(console: &Console) {
    console.plain(2262, &format!("TLC2 Version 2.19 (Primed {})", env!("CARGO_PKG_VERSION")));
}

impl Options {
    /// What is asked for and not there, by name.
    fn unsupported(&self) -> Option<String> {
        let asked = [
            (self.mode == Mode::Simulate, "-simulate"),
            (self.mode == Mode::Generate, "-generate"),
            (self.deepening.is_some(), "-dfid"),
            (self.recover.is_some(), "-recover"),
            (self.dump.is_some(), "-dump"),
            (!self.dump_trace.is_empty(), "-dumpTrace"),
            (!self.load_trace.is_empty(), "-loadTrace"),
            (!self.postconditions.is_empty(), "-postCondition"),
            (!self.invariants.is_empty(), "-inv"),
            (!self.invariant_levels.is_empty(), "-invlevel"),
            (self.generate_spec, "-generateSpecTE"),
            (self.user_file.is_some(), "-userFile"),
            (self.debugger, "-debugger"),
        ];
        asked.iter().find(|(asked, _)| *asked).map(|(_, what)| format!("The option {what}"))
    }

    fn module(&self) -> PathBuf {
        let spec = self.spec.as_deref().unwrap_or_default();
        PathBuf::from(format!("{spec}.tla"))
    }

    /// The configuration's file: as given, else beside the module.
    fn configuration(&self) -> PathBuf {
        let name = self.config.as_deref().or(self.spec.as_deref()).unwrap_or_default();
        let file = PathBuf::from(format!("{name}.cfg"));
        let module = self.module();
        let folder = module.parent().unwrap_or(Path::new(""));
        // TLC looks for a relative name from the module's folder.
        match self.config.is_some() && !file.exists() && file.is_relative() {
            true => folder.join(file),
            false => file,
        }
    }
}

/// Reads and searches a model; the exit code.
fn check(options: &Options, console: &Console, started: Instant) -> u8 {
    banner(options, console);
    let module = options.module();
    let libraries = primed::libraries_with_environment(&[]);
    let accepted = analysed(options, console, &module, &libraries);
    console.starting();
    if !accepted {
        console.error(3002, "Parsing or semantic analysis failed.");
        return REFUSED;
    }
    let environment = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .collect();
    let permissions = Permissions { print: true, environment, ..Permissions::default() };
    let checker = match ModelChecker::open(&module, &options.configuration(), &libraries, permissions) {
        Ok(checker) => checker,
        Err(error) => return refused(console, &error),
    };
    let settings = CheckSettings {
        workers: options.workers.unwrap_or(1),
        deadlock: options.no_deadlock.then_some(false),
        keep_going: options.keep_going,
        short_circuit: !options.no_warning,
        ..CheckSettings::default()
    };
    if let Err(error) = rayon::ThreadPoolBuilder::new().num_threads(settings.workers).build_global() {
        console.error(1000, &format!("The workers cannot be started: {error}"));
        return GENERAL;
    }
    let progress = Progress::default();
    let reporter = Reporter::new(console, &progress);
    let result = std::thread::scope(|scope| {
        scope.spawn(|| reporter.report());
        let result = checker.check_watched(settings, &progress, &reporter);
        reporter.stop();
        result
    });
    report::report(console, options, &result, started);
    u8::try_from(result.verdict.exit_code()).unwrap_or(u8::MAX)
}

/// TLC's exit status for what has none of its own.
const GENERAL: u8 = 255;

/// What SANY says; whether the specification is accepted.
fn analysed(options: &Options, console: &Console, module: &Path, libraries: &[PathBuf]) -> bool {
    if console.tool {
        console.plain(2220, "Starting SANY...");
    }
    let accepted = match primed::analyse(module, libraries, Depth { semantics: true, levels: true, lint: true }) {
        Ok(analysis) => {
            let of_user = |name: &str| {
                let file = analysis.parsed.iter().find(|(parsed, _)| **parsed == *name);
                file.is_some_and(|(_, file)| !file.name().starts_with("<built-in>"))
            };
            let linted = analysis.processed.iter().filter(|m| of_user(&m.name));
            let linted: String = linted.map(|m| format!("Linting of module {}\n", m.name)).collect();
            let suppressed = if options.no_warning { vec![4800, 4801] } else { options.suppressed.clone() };
            let report = sany::Report::new(module.display().to_string(), analysis, &suppressed, &options.as_errors);
            console.raw(&report.body());
            if report.accepted() {
                console.raw(&linted);
            }
            report.accepted()
        }
        Err(why) => {
            console.raw(&format!("Cannot find the specified file {}.\n{why}\n", module.display()));
            false
        }
    };
    if console.tool {
        console.plain(2219, "SANY finished.");
    }
    accepted
}

/// Says why a model cannot be searched; the exit code.
fn refused(console: &Console, error: &OpenError) -> u8 {
    match error {
        OpenError::Specification(complaints) => {
            for complaint in complaints {
                let diagnostic = &complaint.diagnostic;
                if diagnostic.severity == primed::Severity::Error {
                    console.error(diagnostic.code, &diagnostic.message);
                    break;
                }
            }
        }
        other => console.error(1000, &other.to_string()),
    }
    u8::try_from(error.exit_code()).unwrap_or(u8::MAX)
}

/// The line that says how the model is searched, in the form that scripts look for.
fn banner(options: &Options, console: &Console) {
    let workers = options.workers.unwrap_or(1);
    let plural = if workers == 1 { "" } else { "s" };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let system = format!("{system} {} {machine}", kernel.trim());
    console.plain(
        2187,
        &format!(
            "Running breadth-first search Model-Checking with fp {} and seed {} with {workers} worker{plural} on {cores} \
             cores with {}MB heap and 0MB offheap memory [pid: {}] ({system}, Primed {} {machine}, ExactStateSet, \
             LevelStateQueue).",
            options.fingerprint.unwrap_or(0),
            options.seed.unwrap_or(0),
            memory(),
            std::process::id(),
            env!("CARGO_PKG_VERSION"),
        ),
    );
}

/// The machine's memory in MB; 0 if it is not known.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = text.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
