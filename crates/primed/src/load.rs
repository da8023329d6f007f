//! A specification and its configuration from files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use primed_semantics::Session;
use primed_semantics::library::Library;
use primed_semantics::model::{Assumption, Level, Located, Model, Named};
use primed_syntax::span::SourceFile;

use crate::files::{Folders, Permissions, folder_of, read_source};
use crate::{OpenError, startup};

/// Reads and resolves a module with its configuration. Other modules are looked for beside it, then in the libraries; the
/// specification may read files below its own folder, from which relative paths are taken unless a base is given.
pub(crate) fn load(
    module: &Path,
    config: &Path,
    libraries: &[PathBuf],
    permissions: &mut Permissions,
) -> Result<Arc<Model>, OpenError> {
    let (config, libraries) = (Some(config.to_path_buf()), libraries.to_vec());
    let given = std::mem::take(permissions);
    let mut settings = ModelSettings { config, libraries, permissions: given, ..ModelSettings::default() };
    let model = load_with(module, &mut settings);
    *permissions = settings.permissions;
    model
}

/// What a model is made of beside its module.
#[derive(Clone, Debug, Default)]
pub struct ModelSettings {
    /// The configuration; without one, nothing is configured.
    pub config: Option<PathBuf>,
    /// The configuration as a text, in place of a file.
    pub config_text: Option<SourceFile>,
    /// A root module as a text, in place of the file, whose folder is where modules and data are looked for all the same.
    pub root: Option<SourceFile>,
    /// Modules as texts, by name: they are not looked for in folders.
    pub modules: Vec<(String, SourceFile)>,
    /// Folders with modules that the specification extends or instantiates.
    pub libraries: Vec<PathBuf>,
    /// What the specification may do outside itself.
    pub permissions: Permissions,
    /// The largest set that is enumerated.
    pub max_set_size: Option<usize>,
    /// Further invariants, as TLA+ expressions in the root module's scope (TLC's `-inv`). They may use other modules by
    /// `LET M == INSTANCE M IN ...`.
    pub invariants: Vec<String>,
    /// Further post-conditions: modules, and their operators (TLC's `-postCondition`).
    pub postconditions: Vec<(String, String)>,
    /// A POSTCONDITION of the configuration that cannot be evaluated is told after the search, as TLC does; otherwise the model is
    /// refused.
    pub late_postconditions: bool,
    /// Properties of the process, as Java's `-Dname=value` gives them to TLC: names and values.
    pub properties: Vec<(String, String)>,
    /// How often each expression is evaluated is counted ([`crate::Coverage::expressions`]), which takes time.
    pub count_expressions: bool,
    /// Actions that TLC does not tell apart are counted each ([`crate::ModelChecker::action_counts`]), which takes time where there
    /// are such.
    pub count_actions: bool,
}

/// Modules that are given, then those in folders.
struct Given {
    modules: Vec<(String, SourceFile)>,
    folders: Folders,
}

impl Library for Given {
    fn find(&self, name: &str) -> Result<Option<SourceFile>, String> {
        match self.modules.iter().find(|(given, _)| given == name) {
            Some((_, file)) => Ok(Some(file.clone())),
            None => self.folders.find(name),
        }
    }
}

/// As [`load`], with further invariants and post-conditions.
pub(crate) fn load_with(module: &Path, settings: &mut ModelSettings) -> Result<Arc<Model>, OpenError> {
    let root = match settings.root.take() {
        Some(root) => root,
        None => read_source(module).map_err(OpenError::File)?,
    };
    let config = match settings.config_text.take() {
        Some(config) => Some(config),
        None => settings.config.as_deref().map(read_config).transpose().map_err(OpenError::Configuration)?,
    };
    let folder = folder_of(module);
    if settings.permissions.base.as_os_str().is_empty() {
        settings.permissions.base = folder.clone();
    }
    settings.permissions.read.push(folder.clone());
    let folders = Folders([vec![folder], settings.libraries.clone()].concat());
    let folders = Given { modules: std::mem::take(&mut settings.modules), folders };
    let empty = SourceFile::new("no configuration", "");
    let config = config.unwrap_or(empty);
    let opened = Session::open(&root, Some(&config), &folders).map_err(OpenError::Specification);
    let (mut session, mut model) = opened?;
    model.properties = std::mem::take(&mut settings.properties);
    if let Some(unusable) = model.behaviour.unusable_postcondition.clone()
        && !settings.late_postconditions
    {
        return Err(OpenError::Specification(vec![unusable]));
    }
    for text in &settings.invariants {
        let source = SourceFile::new("further invariant", text.clone());
        let expr = session.expression(&source, &mut model).map_err(OpenError::Specification)?;
        model.behaviour.invariants.push(Named { name: text.as_str().into(), expr });
    }
    for (module, operator) in &settings.postconditions {
        let source = SourceFile::new("further post-condition", format!("LET M_ == INSTANCE {module} IN M_!{operator}"));
        let mut expr = session.expression(&source, &mut model).map_err(OpenError::Specification)?;
        expr.place = model.body(&expr).place;
        model.behaviour.postconditions.push(Named { name: operator.as_str().into(), expr });
    }
    possible(&mut session, &mut model)?;
    Ok(Arc::new(model))
}

/// What _POSSIBLE names, as TLC does it: each formula is counted as a constraint is evaluated (an action constraint, if it is an
/// action), and a post-condition, with the formula's own name and place, is false if it was never true.
///
/// # Errors
/// If a formula is a value (2233) or temporal (2230).
fn possible(session: &mut Session<'_>, model: &mut Model) -> Result<(), OpenError> {
    for Named { name, expr } in model.behaviour.possible.clone() {
        let refused = |code, text| Err(OpenError::Startup { code, text });
        if startup::may_be_value(model, &expr) {
            return refused(2233, format!("The possible {name} cannot be a constant."));
        }
        if expr.level == Level::Temporal {
            let kind = "a temporal formula; only state- and action-level predicates are supported";
            return refused(2230, format!("The possible of {name} is equal to {kind}"));
        }
        let mut further = |operator: &str| {
            let text = format!("LET M_ == INSTANCE _Possible IN M_!{operator}");
            session.expression(&SourceFile::new("_POSSIBLE", text), model).map_err(OpenError::Specification)
        };
        let tracked = further(&format!("_Track({name}, \"{name}\")"))?;
        let mut checked = further(&format!("_CheckName(\"{name}\")"))?;
        checked.place = model.body(&expr).place;
        let constraints = match expr.level {
            Level::Action => &mut model.behaviour.action_constraints,
            _ => &mut model.behaviour.constraints,
        };
        constraints.push(Named { name: name.clone(), expr: tracked });
        model.behaviour.postconditions.push(Named { name, expr: checked });
    }
    Ok(())
}

/// Reads a configuration, as TLC does before it looks at the specification.
///
/// # Errors
/// If the file cannot be read, or what it says is malformed (5002 to 5006).
pub fn check_configuration(path: &Path) -> Result<(), OpenError> {
    let file = read_config(path).map_err(OpenError::Configuration)?;
    let (_, complaints) = primed_syntax::cfg::parse_config(&file);
    let located = complaints.into_iter().map(|diagnostic| Located { file: file.clone(), diagnostic });
    let located: Vec<Located> = located.collect();
    if located.is_empty() { Ok(()) } else { Err(OpenError::Specification(located)) }
}

/// A configuration: a file of its own, or, in a file `X.tla`, what stands below a line `---- CONFIG X ----`, up to a line
/// `====`. The lines around it are left out, but keep their numbers.
pub(crate) fn read_config(path: &Path) -> Result<SourceFile, String> {
    let file = read_source(path)?;
    if path.extension().is_none_or(|e| e != "tla") {
        return Ok(file);
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let begins = |line: &str| {
        let inner = line.strip_prefix("----").map(|l| l.trim_matches('-').trim());
        let title = inner.and_then(|l| l.strip_prefix("CONFIG"));
        title.is_some_and(|t| t.starts_with(char::is_whitespace) && t.trim() == name)
            && line.trim_end().ends_with("----")
    };
    let mut text = String::with_capacity(file.text().len());
    let (mut inside, mut found) = (false, false);
    for line in file.text().lines() {
        if inside && line.starts_with("====") {
            inside = false;
        }
        if inside {
            text.push_str(line);
        }
        text.push('\n');
        if !found && begins(line) {
            (inside, found) = (true, true);
        }
    }
    if !found {
        return Err(format!("`{}` has no line `---- CONFIG {name} ----`", path.display()));
    }
    Ok(SourceFile::new(file.name(), text))
}

/// An assumption as TLC speaks of it: by its place, even if it has a name.
pub(crate) fn assumption_name(model: &Model, assumption: &Assumption) -> String {
    model.describe(assumption.expr.place)
}
