//! The command line.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use primed::{CheckSettings, Checkpoints, Permissions, RunsCommands, Storage};

use crate::conformance::{self, ConformanceArguments};
use crate::cross::arguments::CrossArguments;
use crate::evaluate::arguments::EvaluateArguments;
use crate::exit::{self, Failure};
use crate::fuzz::{self, FuzzArguments};
use crate::minimize::MinimizeArguments;
use crate::oracle::OracleArguments;
use crate::output::{complain, raw_error};
use crate::paint::{Color, Paint};
use crate::{check, decompose, diagnostics, eval, evaluate, memory, minimize, oracle, sany, tlc, tv, windows};

/// Checks steps that were observed in a real system against TLA+ specifications, and evaluates TLA+.
#[derive(Debug, Parser)]
#[command(name = "primed", version, after_help = exit::TABLE, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(after_help = exit::TABLE, after_long_help = windows::LONG_HELP, max_term_width = 100)]
    Windows(Box<WindowsArguments>),
    #[command(after_help = exit::TABLE, after_long_help = tv::LONG_HELP, max_term_width = 100)]
    Tv(TvArguments),
    #[command(after_help = evaluate::EXIT_CODES, after_long_help = evaluate::LONG_HELP, max_term_width = 100)]
    Evaluate(Box<EvaluateArguments>),
    #[command(after_help = exit::TABLE, after_long_help = eval::LONG_HELP, max_term_width = 100)]
    Eval(Box<EvalArguments>),
    #[command(after_help = exit::TABLE, after_long_help = check::LONG_HELP, max_term_width = 100)]
    Check(Box<CheckArguments>),
    #[command(after_help = exit::TABLE, after_long_help = sany::LONG_HELP, max_term_width = 100)]
    Sany(SanyArguments),
    #[command(after_help = decompose::EXIT_CODES, after_long_help = decompose::LONG_HELP, max_term_width = 100)]
    Decompose(DecomposeArguments),
    #[command(after_help = exit::TABLE, after_long_help = oracle::LONG_HELP, max_term_width = 100)]
    Oracle(OracleArguments),
    #[command(after_help = exit::TABLE, after_long_help = minimize::LONG_HELP, max_term_width = 100)]
    Minimize(MinimizeArguments),
    #[command(after_help = exit::TABLE, after_long_help = fuzz::LONG_HELP, max_term_width = 100)]
    Fuzz(FuzzArguments),
    #[command(after_help = exit::TABLE, after_long_help = conformance::LONG_HELP, max_term_width = 100)]
    Conformance(ConformanceArguments),
    /// Checks a model as TLC does: TLC's arguments, messages and exit codes.
    #[command(after_long_help = tlc::LONG_HELP, max_term_width = 100, disable_help_flag = true)]
    Tlc(TlcArguments),
}

/// TLC's own arguments; they are not read here.
#[derive(Debug, Args)]
pub(crate) struct TlcArguments {
    /// TLC's options, and the specification.
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

/// The file of a specification, which may be named without its suffix, as TLC has it.
pub(crate) fn with_suffix(spec: PathBuf) -> PathBuf {
    let named = spec.with_extension("tla");
    if spec.extension().is_none() && !spec.exists() && named.exists() { named } else { spec }
}

fn specification() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(with_suffix)
}

/// A specification with what belongs to it.
#[derive(Clone, Debug, Args)]
pub(crate) struct Source {
    /// The specification.
    #[arg(value_name = "SPEC.tla", value_parser = specification())]
    pub(crate) spec: PathBuf,
    /// The configuration in TLC's format; without it the file of the same name beside the specification.
    #[arg(long, value_name = "FILE.cfg")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) libraries: Libraries,
}

/// Where modules are looked for.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Libraries {
    /// A folder with modules that are extended or instantiated; may be given several times. Folders in the environment variable
    /// TLA_LIBRARY come after these.
    #[arg(long = "library", value_name = "DIR")]
    folders: Vec<PathBuf>,
}

impl Libraries {
    /// The folders that were named, then those of TLA_LIBRARY.
    pub(crate) fn all(&self) -> Vec<PathBuf> {
        primed::libraries_with_environment(&self.folders)
    }
}

/// How a model is searched.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Searching {
    /// A state without successors is no error.
    #[arg(long)]
    pub(crate) no_deadlock: bool,
    /// End a search beyond this many distinct states.
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<usize>,
    /// End a search after this time, in seconds, or with s, m or h, and show what was found until then.
    #[arg(long, value_name = "TIME", value_parser = memory::duration)]
    pub(crate) seconds: Option<Duration>,
    /// How many results of parts of the next-state relation and of invariants each worker remembers; it changes nothing but the time
    /// [default: 1048576, less if memory is short]
    #[arg(long, value_name = "N")]
    pub(crate) remember: Option<usize>,
    /// Most memory for states and what belongs to them, with K, M, G or T: states beyond it go to disk. Without it three
    /// quarters of the machine's.
    #[arg(long, value_name = "SIZE", value_parser = memory::size)]
    pub(crate) memory: Option<usize>,
    /// Where states go that outgrow memory; without it to the folder of checkpoints, or else the one for temporary files.
    #[arg(long, value_name = "DIR")]
    pub(crate) metadir: Option<PathBuf>,
}

impl Searching {
    /// What the library is asked for.
    pub(crate) fn settings(&self, threads: &Threads) -> CheckSettings {
        CheckSettings {
            workers: usize::from(threads.count().unwrap_or(1)),
            deadlock: self.no_deadlock.then_some(false),
            max_states: self.max_states.unwrap_or(usize::MAX),
            max_bytes: self.memory.unwrap_or_else(memory::default_limit),
            remembered: self.remember.unwrap_or(CheckSettings::default().remembered),
            ..CheckSettings::default()
        }
    }
}

/// How steps are judged.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Steps {
    /// The action of windows that name none; windows that name another action are left out.
    #[arg(long, value_name = "NAME")]
    pub(crate) action: Option<String>,
    /// A state predicate that says which values unobserved variables may have before a step; without it the initial
    /// predicate says it.
    #[arg(long, value_name = "PREDICATE")]
    pub(crate) unobserved: Option<String>,
    /// Leave out the nearest successor and the other actions that allow a refused step: they take longer than the verdict.
    #[arg(long)]
    pub(crate) brief: bool,
    #[command(flatten)]
    pub(crate) bound: Bound,
}

/// How long an evaluation may take.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Bound {
    /// Most steps of one evaluation: elements that are gone through, and calls. By default 200 million, some seconds to a minute.
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
}

/// Searches all states of a finite model: assumptions, invariants, deadlock.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) search: Searching,
    /// Show how often each action was taken.
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Show how often each expression was evaluated, and which never were. It takes time, and after --recover it begins anew.
    #[arg(long)]
    pub(crate) expression_counts: bool,
    /// Say how many bytes states, their values and the queue took.
    #[arg(long)]
    pub(crate) bytes: bool,
    /// Write the counterexample to a file in the Informal Trace Format.
    #[arg(long, value_name = "FILE.itf.json")]
    pub(crate) trace_itf: Option<PathBuf>,
    /// Write the counterexample to a file in the JSON of TLC's `-dumpTrace json`.
    #[arg(long, value_name = "FILE.json")]
    pub(crate) trace_json: Option<PathBuf>,
    /// Write the state graph to a file in the language of GraphViz.
    #[arg(long, value_name = "FILE.dot")]
    pub(crate) graph: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) access: Access,
    #[command(flatten)]
    pub(crate) lasting: Lasting,
    #[command(flatten)]
    pub(crate) cross: CrossArguments,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// What a specification may do outside itself.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(crate) struct Access {
    /// A further folder whose files the specification may read; may be given several times. That of a file it may always read.
    #[arg(long, value_name = "DIR")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// A folder whose files the specification may write, and read; may be given several times. Without it none is written.
    #[arg(long, value_name = "DIR")]
    pub(crate) allow_write: Vec<PathBuf>,
    /// The specification may run commands (IOUtils), with all that the user may do.
    #[arg(long)]
    pub(crate) allow_commands: bool,
}

impl Access {
    /// That, and nothing else.
    pub(crate) fn permissions(&self) -> Permissions {
        let commands: Option<Arc<dyn RunsCommands>> =
            if self.allow_commands { Some(Arc::new(crate::commands::Processes)) } else { None };
        Permissions {
            read: self.allow_read.clone(),
            write: self.allow_write.clone(),
            commands,
            ..Permissions::default()
        }
    }
}

/// Searches that last long.
#[derive(Debug, Default, Args)]
pub(crate) struct Lasting {
    /// Write the search down now and then, in this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "graph")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// From one checkpoint to the next, in seconds, or with s, m or h.
    #[arg(long, value_name = "TIME", default_value = "30m", requires = "checkpoint", value_parser = memory::duration)]
    pub(crate) checkpoint_every: Duration,
    /// Go on from the newest checkpoint in the folder of --checkpoint.
    #[arg(long, requires = "checkpoint")]
    pub(crate) recover: bool,
}

impl Lasting {
    /// What the search may put on disk.
    pub(crate) fn storage(&self, search: &Searching) -> Storage {
        let every = self.checkpoint_every;
        let checkpoints = self.checkpoint.clone().map(|folder| Checkpoints { folder, every, asked: true });
        let spill = search.metadir.clone().or_else(|| self.checkpoint.clone()).unwrap_or_else(std::env::temp_dir);
        Storage {
            spill: Some(spill),
            spill_bytes: None,
            recover: self.checkpoint.clone().filter(|_| self.recover),
            checkpoints,
        }
    }
}

/// Judges windows: does the action allow exactly the step that was observed?
///
/// A window is a line of JSON with the state before a step, the action, and the state after it. For people the result is a
/// table by action, then what was refused and why. With `--json` every window's verdict is an object.
#[derive(Debug, Args)]
pub(crate) struct WindowsArguments {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The windows, one a line; `-` is standard input.
    #[arg(long, value_name = "FILE.ndjson")]
    pub(crate) windows: String,
    #[command(flatten)]
    pub(crate) steps: Steps,
    /// A state predicate to be evaluated on both observed states of every window; may be given several times.
    #[arg(long = "invariant", value_name = "NAME")]
    pub(crate) invariants: Vec<String>,
    /// A further folder whose files the specification may read; may be given several times. Its own it may always read.
    #[arg(long, value_name = "DIR")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// Most kinds of refusal, of error and of finding that are shown to people.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) max_refusals: usize,
    #[command(flatten)]
    pub(crate) cross: CrossArguments,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// Runs a TV module, as SysMoBench writes it, for every window.
///
/// The module reads the windows itself and picks one by `IOEnv.WINDOW_INDEX`; its invariant is violated exactly when that
/// window conforms. It is loaded once.
#[derive(Debug, Args)]
pub(crate) struct TvArguments {
    /// The TV module. Files that it reads are looked for from its folder.
    #[arg(value_name = "TV.tla", value_parser = specification())]
    pub(crate) module: PathBuf,
    /// The module's configuration; also spelt `-config`, as TLC does. Without it the file of the same name beside the module.
    #[arg(long, value_name = "FILE.cfg")]
    pub(crate) config: Option<PathBuf>,
    /// The file that the module reads: it tells how many windows there are, and their ids. Blank lines do not count.
    #[arg(long, value_name = "FILE.ndjson")]
    pub(crate) windows: PathBuf,
    #[command(flatten)]
    pub(crate) bound: Bound,
    #[command(flatten)]
    pub(crate) libraries: Libraries,
    #[command(flatten)]
    pub(crate) cross: CrossArguments,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// Evaluates expressions and prints their values as TLC does.
///
/// Complaints go to standard error; with `--json` they are answers like the values.
#[derive(Debug, Args)]
pub(crate) struct EvalArguments {
    /// The expressions; without any, each line of standard input is one, and is answered as soon as it is read.
    #[arg(value_name = "EXPR", value_parser = expression)]
    pub(crate) expressions: Vec<String>,
    /// The modules whose operators the expressions may use.
    #[arg(long, value_name = "MODULES", value_delimiter = ',', default_value = "Integers,Sequences,FiniteSets,TLC")]
    pub(crate) extends: Vec<String>,
    /// Names that stand for model values.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) model_values: Vec<String>,
    #[command(flatten)]
    pub(crate) bound: Bound,
    #[command(flatten)]
    pub(crate) libraries: Libraries,
    #[command(flatten)]
    pub(crate) access: Access,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Finds what is wrong in specifications, as SANY does: syntax, names, arities, levels, proofs.
#[derive(Debug, Args)]
pub(crate) struct SanyArguments {
    /// The specifications.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Exit codes that tell what is wrong: 2 for the syntax, 4 for the rest.
    #[arg(long)]
    pub(crate) error_codes: bool,
    /// Go on with the next file after one that is refused; the exit code is that of the first refused one.
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Look at the syntax only.
    #[arg(short = 's', visible_short_alias = 'S', long)]
    pub(crate) syntax_only: bool,
    /// Leave out levels.
    #[arg(short = 'l', visible_short_alias = 'L', long)]
    pub(crate) no_levels: bool,
    /// Leave out the warning about fields that are named like definitions (4802).
    #[arg(short = 'g', visible_short_alias = 'G', long)]
    pub(crate) no_linting: bool,
    /// Codes of warnings that are left out.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) suppress_messages: Vec<u32>,
    /// Codes of warnings that count as errors.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) messages_as_errors: Vec<u32>,
    #[command(flatten)]
    pub(crate) libraries: Libraries,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Judges each definition of a module on its own, although others are broken.
///
/// The module is cut into its top-level units by layout. Each has a verdict: `ok`, `syntax` (it does not parse) or `semantic`
/// (names, arities or levels are wrong). Names that mean nothing, or that only a broken unit would define, are stubbed with
/// the arity that they are used with, and listed.
#[derive(Debug, Args)]
pub(crate) struct DecomposeArguments {
    /// The specification.
    #[arg(value_name = "SPEC.tla", value_parser = specification())]
    pub(crate) spec: PathBuf,
    #[command(flatten)]
    pub(crate) libraries: Libraries,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What every sub-command takes.
#[derive(Clone, Debug, Args)]
pub(crate) struct Common {
    /// Write every result as a JSON object on a line of its own: to a file, or with `-` to standard output in place of what
    /// people read.
    #[arg(long, value_name = "FILE|-")]
    pub(crate) json: Option<String>,
    /// When to use colours.
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: Color,
}

impl Common {
    /// Standard output has the JSON, and nothing for people.
    pub(crate) fn only_json(&self) -> bool {
        self.json.as_deref() == Some("-")
    }
}

/// How many workers.
#[derive(Clone, Debug, Args)]
pub(crate) struct Threads {
    /// Workers; without it one for each processor (`check`: one).
    #[arg(long, visible_alias = "workers", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The number that was asked for.
    pub(crate) fn count(&self) -> Option<u16> {
        self.threads
    }

    /// Sets the number of workers of this process.
    pub(crate) fn apply(&self) -> Result<(), Failure> {
        let Some(threads) = self.threads else { return Ok(()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
        pool.build_global().map_err(|e| Failure::system(format!("cannot start {threads} workers: {e}")))
    }
}

/// Runs the command that the arguments say.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.collect();
    // TLC's options are not of the form that clap knows.
    if let [_, command, rest @ ..] = arguments.as_slice()
        && command == "tlc"
    {
        return ExitCode::from(tlc::run(rest));
    }
    let arguments = arguments.into_iter();
    let parsed = match Arguments::try_parse_from(with_long_config(arguments)) {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and the version are what was asked for; everything else is wrong usage.
            let code = if error.use_stderr() { exit::USAGE } else { exit::GOOD };
            drop(error.print());
            return ExitCode::from(code);
        }
    };
    let (result, color) = match &parsed.command {
        Command::Windows(arguments) => (windows::run(arguments), arguments.common.color),
        Command::Tv(arguments) => (tv::run(arguments), arguments.common.color),
        Command::Fuzz(arguments) => (fuzz::run(arguments), arguments.common.color),
        Command::Conformance(arguments) => (conformance::run(arguments), arguments.common.color),
        Command::Eval(arguments) => (eval::run(arguments), arguments.common.color),
        Command::Evaluate(arguments) => (evaluate::run(arguments), arguments.common.color),
        Command::Check(arguments) => (check::run(arguments), arguments.common.color),
        Command::Sany(arguments) => (sany::run(arguments), arguments.common.color),
        Command::Decompose(arguments) => (decompose::run(arguments), arguments.common.color),
        Command::Oracle(arguments) => (oracle::run(arguments), arguments.common.color),
        Command::Minimize(arguments) => (minimize::run(arguments), arguments.common.color),
        Command::Tlc(TlcArguments { arguments }) => return ExitCode::from(tlc::run(arguments)),
    };
    drop(std::io::stdout().flush());
    ExitCode::from(result.unwrap_or_else(|failure| say(failure, color.error())))
}

/// The arguments of `primed windows`, `primed check` or `primed tv` that are written in a dispute.
pub(crate) fn of_dispute(words: &[String]) -> Option<Disputed> {
    match Arguments::try_parse_from(words).ok()?.command {
        Command::Windows(arguments) => Some(Disputed::Windows(arguments)),
        Command::Check(arguments) => Some(Disputed::Check(arguments)),
        Command::Tv(arguments) => Some(Disputed::Tv(Box::new(arguments))),
        _ => None,
    }
}

/// A command whose verdicts can be disputed.
#[derive(Debug)]
pub(crate) enum Disputed {
    Windows(Box<WindowsArguments>),
    Check(Box<CheckArguments>),
    Tv(Box<TvArguments>),
}

/// An expression, without the blank that [`with_long_config`] may have put before it.
fn expression(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.strip_prefix(' ').filter(|rest| rest.starts_with('-')).unwrap_or(text).to_owned())
}

/// TLC writes `-config`; clap knows no long option with one dash. Nor does it know that `-x % 3` is an expression: it gets a blank.
fn with_long_config(arguments: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut literal = false;
    let mut place = 0;
    let mut evaluates = false;
    arguments.map(move |argument| {
        literal |= argument == "--";
        place += 1;
        evaluates |= place == 2 && argument == "eval";
        let option = |rest: &str| rest.is_empty() || rest == "h" || rest == "V" || rest.starts_with('-');
        match argument.to_str() {
            Some(text) if evaluates && !literal && text.strip_prefix('-').is_some_and(|rest| !option(rest)) => {
                format!(" {text}").into()
            }
            Some("-config") if !literal => "--config".into(),
            Some(text) if !literal && text.starts_with("-config=") => format!("-{text}").into(),
            Some(text) if !literal => match of_sany(text) {
                Some(long) => long.into(),
                None => argument,
            },
            _ => argument,
        }
    })
}

/// SANY's options with one dash, in any case of letters.
fn of_sany(text: &str) -> Option<&'static str> {
    match text.to_lowercase().as_str() {
        "-error-codes" => Some("--error-codes"),
        "-suppressmessages" => Some("--suppress-messages"),
        "-messagesaserrors" => Some("--messages-as-errors"),
        _ => None,
    }
}

/// Says why there is no result; the exit code.
fn say(failure: Failure, paint: Paint) -> u8 {
    match failure {
        Failure::Complaint(code, message) => {
            complain(paint, &message);
            code
        }
        Failure::Open(error) => {
            match &*error {
                primed::OpenError::Specification(complaints) => raw_error(&diagnostics::render(complaints, paint)),
                other => complain(paint, &other.to_string()),
            }
            u8::try_from(error.exit_code()).unwrap_or(u8::MAX)
        }
        Failure::NoReader(code) => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        <Arguments as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn the_configuration_may_have_one_dash() {
        let words = ["primed", "-config", "a", "-config=b", "--", "-config"];
        let changed: Vec<OsString> = with_long_config(words.iter().map(OsString::from)).collect();
        assert_eq!(changed, ["primed", "--config", "a", "--config=b", "--", "-config"]);
    }
}
