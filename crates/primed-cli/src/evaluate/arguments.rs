//! The arguments of `primed evaluate`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use primed::Storage;
use primed::evaluation::{EvaluationSettings, GivenProperties, TvWindows, WindowsSource, WindowsText};

use crate::arguments::{
    Access, CheckArguments, Common, Lasting, Searching, Source, Steps, Threads, TvArguments, WindowsArguments,
    with_suffix,
};
use crate::cross::arguments::CrossArguments;
use crate::exit::Failure;
use crate::output::plain;

/// Scores a specification in four phases: is it legal, does it run, does it allow what was observed, do its properties hold?
///
/// The four results are kept apart. A phase that could not be run says why; an action without windows has no evidence. With
/// `--json` the result is one document.
#[derive(Debug, Args)]
pub(crate) struct EvaluateArguments {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Windows, one a line; `-` is standard input. With an action's name before the file, windows that name no action are of that
    /// one. May be given several times.
    #[arg(long, value_name = "[ACTION=]FILE.ndjson")]
    pub(crate) windows: Vec<String>,
    /// A TV module as SysMoBench writes it, which judges the windows of one action: that of its name without `TV_`. Without a file of
    /// windows it is `windows_ACTION.ndjson` beside it; the configuration has the name of the module. May be given several times.
    #[arg(long, value_name = "TV_ACTION.tla[=FILE.ndjson]")]
    pub(crate) tv: Vec<String>,
    /// Properties beside those of the configuration: names of definitions, separated by commas, or a file of definitions `Name ==
    /// formula`, which may use all that the specification defines (or JSON: an array of such texts). Invariants that are named are
    /// evaluated on observed states too. May be given several times.
    #[arg(long, visible_alias = "invariant", value_name = "NAMES|FILE")]
    pub(crate) invariants: Vec<String>,
    #[command(flatten)]
    pub(crate) steps: Steps,
    #[command(flatten)]
    pub(crate) search: Searching,
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
        let spill = self.search.metadir.clone().unwrap_or_else(std::env::temp_dir);
        Ok(EvaluationSettings {
            spec: self.source.spec.clone(),
            config: self.source.config.clone(),
            libraries: self.source.libraries.all(),
            permissions: self.access.permissions(),
            windows: self.windows.iter().map(|text| windows(text)).collect::<Result<_, _>>()?,
            tv: self.tv.iter().map(|text| tv(text)).collect::<Result<_, _>>()?,
            action: self.steps.action.clone(),
            unobserved: self.steps.unobserved.clone(),
            brief: self.steps.brief,
            max_steps: self.steps.bound.max_steps,
            properties: self.invariants.iter().map(|text| properties(text)).collect::<Result<_, _>>()?,
            check: self.search.settings(&self.threads),
            storage: Storage { spill: Some(spill), ..Storage::default() },
            time: self.search.seconds,
        })
    }

    /// The same as `primed windows` takes it.
    pub(crate) fn of_windows(&self, source: &WindowsSource) -> WindowsArguments {
        WindowsArguments {
            source: self.source.clone(),
            windows: source.name(),
            steps: Steps { action: source.action.clone().or_else(|| self.steps.action.clone()), ..self.steps.clone() },
            invariants: Vec::new(),
            allow_read: self.access.allow_read.clone(),
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
            bound: self.steps.bound,
            libraries: self.source.libraries.clone(),
            cross: self.cross.clone(),
            common: self.common.clone(),
            threads: self.threads.clone(),
        }
    }

    /// The same as `primed check` takes it.
    pub(crate) fn of_check(&self, no_deadlock: bool) -> CheckArguments {
        CheckArguments {
            source: self.source.clone(),
            search: Searching { no_deadlock, ..self.search.clone() },
            coverage: false,
            expression_counts: false,
            bytes: false,
            trace_itf: None,
            trace_json: None,
            graph: None,
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
    let module = with_suffix(module.to_owned());
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
