//! `primed tlc`: a model checked as TLC does it, with TLC's arguments, messages and exit codes.

mod clock;
mod console;
mod coverage;
pub(crate) mod dump;
pub(crate) mod dump_trace;
mod nested;
mod options;
mod progress;
mod report;

use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use primed::{
    CheckReport, CheckSettings, CheckVerdict, Checkpoints, Depth, HearsWarnings, Located, ModelChecker, ModelSettings,
    OpenError, Permissions, PrintTo, Progress, Storage,
};

use crate::exit::UNSUPPORTED;
use crate::interrupt;
use crate::memory;
use crate::sany;
use console::Console;
use dump::Writer;
use options::{Mode, Options, USAGE};
use progress::Reporter;
use report::Run;

/// TLC's exit status for wrong usage.
const USAGE_STATUS: u8 = 1;
/// Minutes between checkpoints if nothing is said.
const CHECKPOINT_MINUTES: u32 = 30;
/// TLC keeps at least so many bytes of states in memory, whatever -fpmem says.
const LEAST_STATES: usize = 10 << 20;
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
  130  interrupted (Ctrl-C, or asked to end)
  153  a checkpoint cannot be used, or the disk failed
   75  an evaluation failed; 76 while an invariant was evaluated
  150  the specification cannot be read or is not legal
  151  the configuration does not fit
  255  everything else";

const HELP: &str = "  -config FILE            the configuration (without it the one of the module's name)
  -deadlock               do not check for deadlock
  -workers N|auto         workers (without it 1)
  -continue               go on after a violation
  -difftrace              of a trace's states only what changes
  -dump FILE              all states; dot[,colorize,actionlabels,snapshot,constrained,stuttering,strict] FILE: the graph
  -dumpTrace FORMAT FILE  the counterexample: json, tla, tlcplain, tlctespec, tlcaction, dot
  -coverage N             how often each action was taken, and each expression evaluated (which takes time)
  -seed N                 of random behaviours and of operators such as RandomElement; without it each run has its own
  -inv EXPR               a further invariant
  -invlevel N             the invariant that behaviours are shorter than N
  -postCondition M!OP     a further post-condition
  -maxSetSize N           the largest set that is enumerated (without it 1000000)
  -nowarning              no warnings
  -suppressMessages CODES, -messagesAsErrors CODES
  -view                   states of behaviours are shown as the VIEW gives them
  -tool                   messages for programs
  -userFile FILE          what the specification prints goes there
  -simulate [num=N[,file=F]]  random behaviours, each in a file F_WORKER_NUMBER; -generate is the same here; stats= and sched=
                          are refused
  -depth N, -aril N       of random behaviours
  -dfid N                 states up to level N only
  -checkpoint MINUTES     from one checkpoint to the next (without it 30, 0 for none); if it is given, a last one is written
                          when the search is stopped or reaches a limit
  -metadir DIR            checkpoints go into a folder below it (without it below states, beside the specification); there
                          is no folder before the first
  -recover FOLDER         go on from a checkpoint: the folder is the one that TLC's message 2195 names
  -fpmem X                the part of the memory from which on states go to disk, or if it is more than 1, the bytes
  -DNAME=VALUE            as for Java: a property of the process, which TLCGet(\"-DNAME\") shows;
                          -Dtlc2.tool.impl.Tool.cdot=true lets A \\cdot B be evaluated
  -XmxSIZE                as for Java: the most memory for states and what belongs to them (without it three quarters of the
                          machine's); if what must stay in memory takes more, the search ends with exit code 73
  -XX:OPTION, -XmsSIZE, -XssSIZE (Java's), -modelcheck, -cleanup, -gzip, -terse, -lncheck WHEN, -fp N, -fpbits N, -noTE, -teSpecOutDir DIR and -debug are accepted
  and have no effect: no file is written that was not asked for
  -loadTrace, -generateSpecTE, -debugger and -dump class are refused: exit 72
  --allow-read DIR, --allow-write DIR, --allow-commands
                          what the specification may do outside itself; TLC allows everything";

/// Runs; the exit code.
pub(crate) fn run(arguments: &[OsString]) -> u8 {
    let started = Instant::now();
    let words: Vec<String> = arguments.iter().map(|a| a.to_string_lossy().into_owned()).collect();
    let tool = words.iter().any(|w| w == "-tool");
    let mut console = Console::default();
    console.tool = tool;
    let options = match Options::parse(&words) {
        Ok(options) => Options { lot: lot(), ..options },
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
    let console = Arc::new(console);
    version(&console);
    let code = match options.unsupported() {
        Some(what) => {
            console.error(2156, &format!("{what} is not supported by Primed."));
            UNSUPPORTED
        }
        None => check(&options, &console, started),
    };
    ended(&options, &console, started);
    code
}

/// Says that the run is over.
fn ended(options: &Options, console: &Console, started: Instant) {
    let took = match options.tool {
        true => format!("{}ms", started.elapsed().as_millis()),
        false => clock::for_people(started.elapsed()),
    };
    console.finished(&took);
}

/// A number that differs from run to run: the standard library draws the keys of its hash tables by lot.
fn lot() -> i64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish() as i64
}

/// The line that names the program, in the form that scripts look for.
fn version(console: &Console) {
    console.plain(2262, &format!("TLC2 Version 2.19 (Primed {})", env!("CARGO_PKG_VERSION")));
}

impl Options {
    /// What is asked for and not there, by name.
    fn unsupported(&self) -> Option<String> {
        let format = self.dump_trace.iter().find(|(format, _)| dump_trace::UNSUPPORTED.contains(&format.as_str()));
        if let Some((format, _)) = format {
            return Some(format!("The format {format} of -dumpTrace"));
        }
        if let Some(setting) = &self.unsupported_setting {
            return Some(format!("The setting {setting} of -simulate"));
        }
        let asked = [
            (self.dump_class, "-dump class"),
            (self.recover.is_some() && self.dump.is_some(), "-recover together with -dump"),
            (self.recover.is_some() && self.mode != Mode::ModelCheck, "-recover for random behaviours"),
            (!self.load_trace.is_empty(), "-loadTrace"),
            (self.generate_spec, "-generateSpecTE"),
            (self.debugger, "-debugger"),
        ];
        asked.iter().find(|(asked, _)| *asked).map(|(_, what)| format!("The option {what}"))
    }

    /// What TLC does not do depth first.
    fn too_deep(&self, checker: &ModelChecker) -> Option<&'static str> {
        self.deepening?;
        match checker.branches() {
            _ if self.workers.unwrap_or(1) > 1 => Some("multiple workers"),
            Some(_) => Some("checking liveness properties"),
            None => None,
        }
    }

    fn module(&self) -> PathBuf {
        let spec = self.spec.as_deref().unwrap_or_default();
        PathBuf::from(format!("{spec}.tla"))
    }

    /// The configuration's file: as given, else beside the module. TLC looks for a relative name from the module's folder too.
    fn configuration(&self) -> PathBuf {
        let name = self.config.as_deref().or(self.spec.as_deref()).unwrap_or_default();
        let file = PathBuf::from(if name.ends_with(".tla") { name.to_owned() } else { format!("{name}.cfg") });
        let beside = self.module().parent().map(|folder| folder.join(&file)).filter(|f| !file.exists() && f.exists());
        beside.unwrap_or(file)
    }

    /// A file whose name may begin with `${metadir}`, TLC's folder for its own files.
    fn placed(&self, file: &Path) -> PathBuf {
        match file.strip_prefix("${metadir}") {
            Ok(rest) => Path::new(self.metadir.as_deref().unwrap_or(".")).join(rest),
            Err(_) => file.to_path_buf(),
        }
    }

    fn settings(&self) -> CheckSettings {
        let mode = match self.mode {
            Mode::Simulate | Mode::Generate => primed::Mode::Simulation {
                behaviours: self.traces,
                steps: self.depth.map_or(100, |depth| usize::try_from(depth).unwrap_or(usize::MAX)),
                // TLC skips numbers of a seed that was given only.
                skip: self.aril.filter(|_| self.seed.is_some()).unwrap_or(0).unsigned_abs(),
                step_by_step: self.mode == Mode::Generate,
            },
            Mode::ModelCheck => match self.deepening {
                Some(depth) => primed::Mode::Bounded(depth as usize),
                None => primed::Mode::BreadthFirst,
            },
        };
        CheckSettings {
            mode,
            workers: self.workers.unwrap_or(1),
            seed: self.seed.unwrap_or(self.lot),
            deadlock: self.no_deadlock.then_some(false),
            keep_going: self.keep_going,
            liveness: match self.liveness.as_deref() {
                Some("off") => primed::Liveness::Never,
                Some("final" | "seqfinal") => primed::Liveness::AtEnd,
                _ => primed::Liveness::Meanwhile,
            },
            all_ways: self.no_warning,
            max_bytes: self.memory.unwrap_or_else(memory::default_limit),
            ..CheckSettings::default()
        }
    }

    /// What the search may put on disk, and where: TLC's folder for its own files.
    fn storage(&self) -> Storage {
        let beside = self.module().parent().map_or("states".into(), |folder| folder.join("states"));
        let below = self.metadir.as_ref().map_or(beside, PathBuf::from);
        let recover = self.recover.as_ref().map(PathBuf::from);
        let minutes = self.checkpoint.unwrap_or(CHECKPOINT_MINUTES);
        let checkpoints = (minutes > 0 && self.mode == Mode::ModelCheck).then(|| Checkpoints {
            folder: recover.clone().unwrap_or_else(|| below.join(clock::for_folder())),
            every: Duration::from_secs(u64::from(minutes) * 60),
            asked: self.checkpoint.is_some(),
        });
        let memory = self.memory.or_else(memory::machine).unwrap_or(usize::MAX);
        let spill_bytes = self.state_memory.map(|part| match part {
            0.0..=1.0 => (memory as f64 * part) as usize,
            bytes => bytes as usize,
        });
        // Where no folder of TLC's would be, none is made for states.
        let spill = self.metadir.as_ref().map_or_else(std::env::temp_dir, PathBuf::from);
        Storage { spill: Some(spill), spill_bytes: spill_bytes.map(|b| b.max(LEAST_STATES)), checkpoints, recover }
    }

    fn model(&self, libraries: Vec<PathBuf>, console: &Arc<Console>) -> std::io::Result<ModelSettings> {
        let warnings: Option<Arc<dyn HearsWarnings>> = Some(console.clone());
        let print_to = match &self.user_file {
            None => PrintTo::StandardOutput,
            Some(file) => PrintTo::File(Arc::new(Mutex::new(std::fs::File::create(file)?))),
        };
        let environment = std::env::vars_os()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
            .collect();
        let level =
            |n: &i32| format!("LET T_ == INSTANCE TLC N_ == INSTANCE Naturals IN N_!<(T_!TLCGet(\"level\"), {n})");
        // As for Java, the name of a file is taken from the folder in which the command was given.
        let base = ".".into();
        Ok(ModelSettings {
            config: Some(self.configuration()),
            libraries,
            permissions: Permissions {
                print: true,
                print_to,
                environment,
                warnings,
                base,
                ..self.access.permissions()
            },
            max_set_size: self.max_set_size.map(|n| n as usize),
            invariants: self.invariants.iter().cloned().chain(self.invariant_levels.iter().map(level)).collect(),
            postconditions: self.postconditions.clone(),
            late_postconditions: true,
            properties: self.properties.clone(),
            count_expressions: self.coverage.is_some(),
            ..ModelSettings::default()
        })
    }
}

/// Reads and searches a model; the exit code.
fn check(options: &Options, console: &Arc<Console>, started: Instant) -> u8 {
    banner(options, console);
    let module = options.module();
    let configuration = options.configuration();
    match primed::check_configuration(&configuration) {
        Err(error @ OpenError::Specification(_)) => return refused(console, &error),
        _ if !configuration.exists() => {
            let name = configuration.display();
            let text = format!(
                "TLC encountered the following error when trying to read the configuration file {name}:\nFile not found."
            );
            return trouble(console, &report::unexpected("tlc2.tool.ConfigFileException", &text));
        }
        _ => {}
    }
    let libraries = primed::libraries_with_environment(&[]);
    let accepted = analysed(options, console, &module, &libraries);
    console.starting();
    if !accepted {
        console.error(3002, "Parsing or semantic analysis failed.");
        return REFUSED;
    }
    let opened =
        options.model(libraries, console).map_err(|e| format!("The file for the user's output cannot be written: {e}"));
    let opened = opened.map(|settings| ModelChecker::open_with(&module, settings));
    let mut checker = match opened {
        Ok(Ok(checker)) => checker,
        Ok(Err(error)) => return refused(console, &error),
        Err(why) => return trouble(console, &why),
    };
    if options.view {
        checker.show_views();
    }
    if let Some(code) = warned(console, options, &checker) {
        return code;
    }
    if let Some(code) = announced(console, options, &checker) {
        return code;
    }
    let settings = options.settings();
    if let Err(error) = rayon::ThreadPoolBuilder::new().num_threads(settings.workers).build_global() {
        return trouble(console, &format!("The workers cannot be started: {error}"));
    }
    let open = |dump: &options::Dump| {
        let file = options.placed(&dump.file);
        if file != dump.file {
            // TLC makes the folder for its own files.
            file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        }
        let shown = |flag: &String| flag != "stuttering" || checker.branches().is_some();
        let flags = dump.dot.as_ref().map(|flags| flags.iter().filter(|f| shown(f)).cloned().collect());
        Writer::open(&file, flags)
    };
    let writer = match options.dump.as_ref().map(open).transpose() {
        Ok(writer) => writer.map(Mutex::new),
        Err(error) => return trouble(console, &format!("The file for the states cannot be written: {error}")),
    };
    let progress = Arc::new(Progress::default());
    interrupt::ends(&progress);
    let reporter = Reporter::new(console, &progress, options, &checker, writer.as_ref());
    let result = std::thread::scope(|scope| {
        scope.spawn(|| reporter.report());
        let search = || checker.check_stored(settings, &options.storage(), &progress, &reporter);
        let cut_off = || {
            let run = Run { started, progress: &progress, checking: None, pass: reporter.pass() };
            report::report(console, options, &CheckReport::cut_off(&progress), &run, true);
            ended(options, console, started);
        };
        let result = interrupt::patiently(&progress, options.checkpoint.is_some(), cut_off, search);
        reporter.stop();
        result
    });
    let told = reporter.told(&result.verdict) && !result.trace.is_empty();
    let run = Run { started, progress: &progress, checking: reporter.checking(), pass: reporter.pass() };
    report::report(console, options, &result, &run, told);
    if let Some(Err(error)) = writer.map(|w| w.into_inner().unwrap_or_else(PoisonError::into_inner).finish()) {
        return trouble(console, &format!("The states cannot be written: {error}"));
    }
    if options.deepening.is_some_and(|levels| levels < 2) && result.verdict == CheckVerdict::Holds {
        // There was no pass, and TLC has no answer.
        return GENERAL;
    }
    u8::try_from(result.verdict.tlc_exit_code()).unwrap_or(u8::MAX)
}

/// Says what is checked of behaviours; the exit code if TLC does not do it.
fn announced(console: &Console, options: &Options, checker: &ModelChecker) -> Option<u8> {
    if let Some(branches) = checker.branches() {
        let text = format!("Implied-temporal checking--satisfiability problem has {branches} branches.");
        console.plain(2212, &text);
    }
    if let Some(what) = options.too_deep(checker) {
        console.error(
            1000,
            &format!(
                "Depth-First Iterative Deepening mode does not support {what} \
                 (https://github.com/tlaplus/tlaplus/issues/548).  Please {}",
                if what.starts_with("multiple") {
                    "run TLC with a single worker."
                } else {
                    "check liveness properties in Breadth-First-Search mode."
                }
            ),
        );
        return Some(GENERAL);
    }
    None
}

/// The machine does not do what was asked; the exit code.
fn trouble(console: &Console, why: &str) -> u8 {
    console.error(1000, why);
    GENERAL
}

/// TLC's own warnings about the model; the exit code if one of them counts as an error.
fn warned(console: &Console, options: &Options, checker: &ModelChecker) -> Option<u8> {
    // SANY's warnings were printed with its other words.
    let warnings = checker.warnings().iter().map(|w| &w.diagnostic).filter(|d| d.code < 4000);
    for warning in warnings {
        if options.as_errors.contains(&warning.code) {
            console.error(warning.code, &warning.message);
            return Some(u8::try_from(primed::exit_status(warning.code)).unwrap_or(u8::MAX));
        }
        console.say(console::Class::Warning, warning.code, &warning.message);
    }
    None
}

/// TLC's exit status for what has none of its own.
const GENERAL: u8 = 255;

/// What SANY says; whether the specification is accepted.
fn analysed(options: &Options, console: &Console, module: &Path, libraries: &[PathBuf]) -> bool {
    if console.tool {
        console.plain(2220, "Starting SANY...");
    }
    let accepted = match primed::analyse(module, libraries, Depth::default()) {
        Ok(analysis) => {
            let linted = analysis.processed.iter().filter(|m| !analysis.is_built_in(&m.name));
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
    let message = error.tlc();
    if let (OpenError::Specification(complaints), 3002) = (error, message.code) {
        // SANY had nothing to say about the specification: these are about what the command line adds to it.
        for Located { file, diagnostic } in complaints {
            console.raw(&format!("{}: {}\n\n{}\n\n", file.name(), file.range(diagnostic.span), diagnostic.message));
        }
    }
    let text = match message.code {
        // TLC does not catch what goes wrong with a configuration's text.
        5001..=5006 => report::unexpected("tlc2.tool.ConfigFileException", &message.text),
        1000 => report::unexpected("java.lang.RuntimeException", &message.text),
        _ => message.text,
    };
    console.error(if (5001..=5006).contains(&message.code) { 1000 } else { message.code }, &text);
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
    let memory = options.memory.or_else(memory::machine).unwrap_or(0) >> 20;
    let (process, version) = (std::process::id(), env!("CARGO_PKG_VERSION"));
    let seed = options.settings().seed;
    let on = format!(
        "with {workers} worker{plural} on {cores} cores with {memory}MB heap and 0MB offheap memory [pid: {process}] ({system}, \
         Primed {version} {machine}"
    );
    let fingerprint = options.fingerprint.unwrap_or(0);
    match (options.mode, options.deepening) {
        (Mode::Simulate | Mode::Generate, _) => {
            console.plain(2188, &format!("Running Random Simulation with seed {seed} {on})."));
        }
        (_, Some(_)) => console.plain(
            2271,
            &format!("Running depth-first search Model-Checking with fp {fingerprint} and seed {seed} {on})."),
        ),
        (_, None) => console.plain(
            2187,
            &format!(
                "Running breadth-first search Model-Checking with fp {fingerprint} and seed {seed} {on}, ExactStateSet, \
                 LevelStateQueue)."
            ),
        ),
    }
}
