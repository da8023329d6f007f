//! The arguments of `primed evaluate`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use primed::CheckSettings;
use primed::Storage;
use primed::evaluation::{EvaluationSettings, GivenProperties, TvWindows, WindowsSource, WindowsText};

use crate::arguments::{Access, CheckArguments, Common, Lasting, Threads, TvArguments, WindowsArguments};
use crate::check::with_suffix;
use crate::cross::arguments::CrossArguments;
use crate::exit::Failure;
use crate::memory;
use crate::output::plain;

/// Scores a specification in four phases: is it legal, does it run, does it allow what was observed, do its properties hold?
///
/// The four results are kept apart. A phase that could not be run says why; an action without windows has no evidence. With
/// `--json` the result is one document.
#[derive(Debug, Args)]
pub(crate) struct EvaluateArguments {
    /// The specification.
    #[arg(value_name = "SPEC.tla")]
    pub(crate) spec: PathBuf,
    /// The configuration in TLC's format; without it the file of the same name beside the specification.
    #[arg(long, value_name = "FILE.cfg")]
    pub(crate) config: Option<PathBuf>,
    /// Windows, one a line; `-` is standard input. With an action's name before the file, windows that name no action are of that
    /// one. May be given several times.
    #[arg(long, value_name = "[ACTION=]FILE.ndjson")]
    pub(crate) windows: Vec<String>,
    /// A TV module as SysMoBench writes it, which judges the windows of one action: that of its name without `TV_`. Without a file of
    /// windows it is `windows_ACTION.ndjson` beside it; the configuration has the name of the module. May be given several times.
    #[arg(long, value_name = "TV_ACTION.tla[=FILE.ndjson]")]
    pub(crate) tv: Vec<String>,
    /// The action of windows that name none; windows that name another action are left out.
    #[arg(long, value_name = "NAME")]
    pub(crate) action: Option<String>,
    /// Properties beside those of the configuration: names of definitions, separated by commas, or a file of definitions `Name ==
    /// formula`, which may use all that the specification defines (or JSON: an array of such texts). Invariants that are named are
    /// evaluated on observed states too. May be given several times.
    #[arg(long, visible_alias = "invariant", value_name = "NAMES|FILE")]
    pub(crate) invariants: Vec<String>,
    /// A state predicate that says which values unobserved variables may have before a step; without it the initial
    /// predicate says it.
    #[arg(long, value_name = "PREDICATE")]
    pub(crate) unobserved: Option<String>,
    /// A state without successors is no error.
    #[arg(long)]
    pub(crate) no_deadlock: bool,
    /// End a search of the model after this time, in seconds, or with s, m or h.
    #[arg(long, value_name = "TIME", value_parser = memory::duration)]
    pub(crate) seconds: Option<Duration>,
    /// End a search of the model beyond this many distinct states.
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<usize>,
    /// Most memory for states and what belongs to them, with K, M, G or T: states beyond it go to disk. Without it three
    /// quarters of the machine's.
    #[arg(long, value_name = "SIZE", value_parser = memory::size)]
    pub(crate) memory: Option<usize>,
    /// Where states go that outgrow memory; without it to the folder for temporary files.
    #[arg(long, value_name = "DIR")]
    pub(crate) metadir: Option<PathBuf>,
    /// How many results of parts of the next-state relation and of invariants each worker remembers; it changes nothing but the time
    /// [default: 1048576, less if memory is short]
    #[arg(long, value_name = "N")]
    pub(crate) remember: Option<usize>,
    /// A folder with modules that the specification extends or instantiates; may be given several times. Folders in the
    /// environment variable TLA_LIBRARY come after these.
    #[arg(long = "library", value_name = "DIR")]
    pub(crate) libraries: Vec<PathBuf>,
    /// Leave out the nearest successor and the other actions that allow a refused step: they take longer than the verdict.
    #[arg(long)]
    pub(crate) brief: bool,
    /// Most kinds of refusal, of error and of finding that are shown to people.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) max_refusals: usize,
    #[command(flatten)]
    pub(crate) access: Access,
    #[command(flatten)]
    pub(crate) cross: CrossArguments,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

impl EvaluateArguments {
    /// What the library is asked for.
    ///
    /// # Errors
    /// If a file that is no part of the specification cannot be read.
    pub(crate) fn settings(&self) -> Result<EvaluationSettings, Failure> {
        let spill = self.metadir.clone().unwrap_or_else(std::env::temp_dir);
        Ok(EvaluationSettings {
            spec: with_suffix(&self.spec),
            config: self.config.clone(),
            libraries: primed::libraries_with_environment(&self.libraries),
            permissions: self.access.permissions(),
            windows: self.windows.iter().map(|text| windows(text)).collect::<Result<_, _>>()?,
            tv: self.tv.iter().map(|text| tv(text)).collect::<Result<_, _>>()?,
            action: self.action.clone(),
            unobserved: self.unobserved.clone(),
            brief: self.brief,
            properties: self.invariants.iter().map(|text| properties(text)).collect::<Result<_, _>>()?,
            check: CheckSettings {
                workers: usize::from(self.threads.count().unwrap_or(1)),
                deadlock: self.no_deadlock.then_some(false),
                max_states: self.max_states.unwrap_or(usize::MAX),
                max_bytes: self.memory.unwrap_or_else(memory::default_limit),
                remembered: self.remember.unwrap_or(CheckSettings::default().remembered),
                ..CheckSettings::default()
            },
            storage: Storage { spill: Some(spill), ..Storage::default() },
            time: self.seconds,
        })
    }

    /// The same as `primed windows` takes it.
    pub(crate) fn of_windows(&self, source: &WindowsSource) -> WindowsArguments {
        WindowsArguments {
            spec: with_suffix(&self.spec),
            config: self.config.clone(),
            windows: source.name(),
            action: source.action.clone().or_else(|| self.action.clone()),
            invariants: Vec::new(),
            unobserved: self.unobserved.clone(),
            libraries: self.libraries.clone(),
            allow_read: self.access.allow_read.clone(),
            brief: self.brief,
            max_refusals: self.max_refusals,
            cross: self.cross.clone(),
            common: self.common.clone(),
            threads: self.threads.clone(),
        }
    }

    /// The same as `primed tv` takes it.
    pub(crate) fn of_tv(&self, source: &TvWindows) -> TvArguments {
        TvArguments {
            module: source.module.clone(),
            config: Some(source.config.clone()),
            windows: source.windows.clone(),
            libraries: self.libraries.clone(),
            cross: self.cross.clone(),
            common: self.common.clone(),
            threads: self.threads.clone(),
        }
    }

    /// The same as `primed check` takes it.
    pub(crate) fn of_check(&self, no_deadlock: bool) -> CheckArguments {
        CheckArguments {
            spec: with_suffix(&self.spec),
            config: self.config.clone(),
            no_deadlock,
            max_states: self.max_states,
            remember: self.remember,
            coverage: false,
            expression_counts: false,
            trace_itf: None,
            trace_json: None,
            graph: None,
            libraries: self.libraries.clone(),
            access: self.access.clone(),
            lasting: Lasting::default(),
            cross: self.cross.clone(),
            common: self.common.clone(),
            threads: self.threads.clone(),
        }
    }
}

/// Whether a text is a name of TLA+.
fn is_name(text: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(part) && text.contains(|c: char| c.is_ascii_alphabetic())
}

/// `FILE` or `ACTION=FILE`.
fn windows(text: &str) -> Result<WindowsSource, Failure> {
    let named = text.split_once('=').filter(|(action, _)| action.split('!').all(is_name) && !Path::new(text).exists());
    let (action, file) = named.map_or((None, text), |(action, file)| (Some(action.to_owned()), file));
    if file == "-" {
        let read = std::io::read_to_string(std::io::stdin());
        let read = read.map_err(|e| Failure::system(format!("cannot read standard input: {}", plain(&e))))?;
        return Ok(WindowsSource { text: WindowsText::Given("standard input".into(), Arc::from(read)), action });
    }
    readable(Path::new(file))?;
    Ok(WindowsSource { text: WindowsText::File(file.into()), action })
}

/// `TV_ACTION.tla` or `TV_ACTION.tla=FILE`.
fn tv(text: &str) -> Result<TvWindows, Failure> {
    let (module, windows) = match text.split_once('=').filter(|_| !Path::new(text).exists()) {
        Some((module, windows)) => (Path::new(module), Some(PathBuf::from(windows))),
        None => (Path::new(text), None),
    };
    let module = with_suffix(module);
    let stem = module.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let action = stem.strip_prefix("TV_").unwrap_or(&stem).to_owned();
    let windows = windows.unwrap_or_else(|| module.with_file_name(format!("windows_{action}.ndjson")));
    readable(&module)?;
    readable(&windows)?;
    Ok(TvWindows { action, config: module.with_extension("cfg"), module, windows })
}

/// A file, if there is one, or names.
fn properties(text: &str) -> Result<GivenProperties, Failure> {
    let path = Path::new(text);
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    if !path.is_file() && names.iter().all(|name| name.split('!').all(is_name)) {
        return Ok(GivenProperties::Names(names));
    }
    let file = primed::read_source(path).map_err(|why| {
        let names = if text.contains(['.', '/']) { "" } else { ", and these are no names either" };
        Failure::system(format!("{why}{names}"))
    })?;
    let given = GivenProperties::Text(file);
    given.check().map_err(Failure::system)?;
    Ok(given)
}

fn readable(path: &Path) -> Result<(), Failure> {
    let unreadable = |e: std::io::Error| Failure::system(format!("cannot read `{}`: {}", path.display(), plain(&e)));
    let file = std::fs::File::open(path).map_err(unreadable)?;
    match file.metadata().map_err(unreadable)?.is_dir() {
        true => Err(Failure::system(format!("cannot read `{}`: it is a folder", path.display()))),
        false => Ok(()),
    }
}
