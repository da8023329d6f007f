//! A specification held in memory that judges windows.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use primed_semantics::model::Located;
use primed_syntax::span::SourceFile;
use primed_windows::verdict::{Outcome, Verdict};
use primed_windows::{Bound, Checker, CheckerError, HeldStep, Names, Options};
use serde::Serialize;

use crate::OpenError;
use crate::files::Permissions;
use crate::load::{ModelSettings, load_with};

/// A specification, compiled and ready. It is immutable: threads may share it.
#[derive(Debug)]
pub struct Spec {
    checker: Checker,
}

/// What to open and how, see [`Spec::builder`].
#[derive(Clone, Debug)]
#[must_use = "a builder opens nothing until `open` is called"]
pub struct SpecBuilder {
    module: PathBuf,
    config: Option<PathBuf>,
    config_text: Option<SourceFile>,
    libraries: Vec<PathBuf>,
    options: Options,
    permissions: Permissions,
}

impl Spec {
    /// Opens a specification with the configuration of the same name beside it (`Lock.tla` with `Lock.cfg`).
    ///
    /// # Errors
    /// If a file cannot be read, the specification is not legal, the configuration does not fit it, or its initial predicate
    /// fails.
    pub fn open(module: impl AsRef<Path>) -> Result<Spec, OpenError> {
        Spec::builder(module).open()
    }

    /// Opens a specification step by step.
    pub fn builder(module: impl AsRef<Path>) -> SpecBuilder {
        SpecBuilder {
            module: module.as_ref().to_path_buf(),
            config: None,
            config_text: None,
            libraries: Vec::new(),
            options: Options::default(),
            permissions: Permissions::default(),
        }
    }

    /// The root module's name.
    pub fn name(&self) -> &str {
        &self.checker.model().name
    }

    /// The actions that the next-state relation is made of, in textual order.
    pub fn actions(&self) -> Vec<&str> {
        self.checker.action_names().collect()
    }

    /// The variables in order of declaration.
    pub fn variables(&self) -> Vec<&str> {
        self.checker.model().variables.iter().map(|v| &*v.name).collect()
    }

    /// What is odd about the specification though it is legal.
    pub fn warnings(&self) -> &[Located] {
        &self.checker.model().warnings
    }

    /// Whether the named action allows the step from `pre` to `post`. Both are anything that `serde` can serialize as an
    /// object with a key for each variable; a variable that is left out is unobserved.
    pub fn check_step<P: Serialize, Q: Serialize>(&self, action: &str, pre: &P, post: &Q) -> Outcome {
        self.check_step_by(action, None::<&()>, pre, post)
    }

    /// As [`Spec::check_step`], with the actor that took the step: it fixes the action's parameter.
    pub fn check_step_by<A: Serialize, P: Serialize, Q: Serialize>(
        &self,
        action: &str,
        actor: Option<&A>,
        pre: &P,
        post: &Q,
    ) -> Outcome {
        #[derive(Serialize)]
        struct Window<'w, A, P, Q> {
            action: &'w str,
            #[serde(skip_serializing_if = "Option::is_none")]
            actor: Option<&'w A>,
            pre: &'w P,
            post: &'w Q,
        }
        let window = match serde_json::to_string(&Window { action, actor, pre, post }) {
            Ok(window) => window,
            Err(e) => return trouble(format!("a state cannot be written as JSON: {e}")),
        };
        match self.checker.judge_line(1, &window) {
            Some(verdict) => verdict.outcome,
            None => trouble("the specification was opened for another action".into()),
        }
    }

    /// Judges one window, a line of JSON; `None` if the line is empty or names another action than the one asked for.
    pub fn judge(&self, line_number: usize, window: &str) -> Option<Verdict> {
        self.checker.judge_line(line_number, window)
    }

    /// Judges every window of a reader, one a line, in parallel. Verdicts arrive in the order of the lines; `report` may end it
    /// by giving false. `progress` hears the bytes read so far.
    ///
    /// # Errors
    /// If reading fails. A bad line is a verdict, not an error.
    pub fn judge_all(
        &self,
        reader: impl BufRead,
        report: &mut dyn FnMut(Verdict) -> bool,
        progress: &mut dyn FnMut(u64),
    ) -> io::Result<()> {
        self.checker.judge_all(reader, report, progress)
    }

    /// Writes a window as it is bound, in TLA+, to be put before another checker. `names` says how model values and strings are
    /// written; the same one belongs to all windows of a run.
    ///
    /// # Errors
    /// If the window does not fit the specification, or has no text in the root module's scope; why.
    pub fn bind(&self, window: &str, names: &mut Names) -> Result<Bound, String> {
        self.checker.bind(window, names)
    }

    /// The modules that the specification is made of: name, text, and whether it is one of Primed's own. The root is the first.
    pub fn sources(&self) -> Vec<(Arc<str>, &str, bool)> {
        self.checker.model().modules().collect()
    }

    /// Reads a window once, to be judged many times.
    ///
    /// # Errors
    /// If the window does not fit the specification; the text says why.
    pub fn hold(&self, window: &str) -> Result<HeldStep, String> {
        self.checker.hold(window)
    }

    /// Judges a step that is held in memory. `scratch` is working space that the caller may reset between steps.
    pub fn judge_held(&self, step: &HeldStep, scratch: &bumpalo::Bump) -> Outcome {
        self.checker.judge_held(step, scratch)
    }
}

fn trouble(message: String) -> Outcome {
    Outcome::Error(primed_windows::verdict::Trouble::new(message))
}

impl SpecBuilder {
    /// The configuration, if it is not the one of the same name beside the specification.
    pub fn config(mut self, config: impl AsRef<Path>) -> SpecBuilder {
        self.config = Some(config.as_ref().to_path_buf());
        self
    }

    /// The configuration as a text, in place of a file.
    pub fn config_text(mut self, config: SourceFile) -> SpecBuilder {
        self.config_text = Some(config);
        self
    }

    /// A further folder with modules.
    pub fn library(mut self, folder: impl AsRef<Path>) -> SpecBuilder {
        self.libraries.push(folder.as_ref().to_path_buf());
        self
    }

    /// The action of windows that name none; windows that name another are left out.
    pub fn action(mut self, name: impl Into<String>) -> SpecBuilder {
        self.options.action = Some(name.into());
        self
    }

    /// A state predicate to be evaluated on the observed states of every window.
    pub fn invariant(mut self, name: impl Into<String>) -> SpecBuilder {
        self.options.invariants.push(name.into());
        self
    }

    /// A state predicate that says which values unobserved variables may have before a step.
    pub fn unobserved(mut self, predicate: impl Into<String>) -> SpecBuilder {
        self.options.unobserved = Some(predicate.into());
        self
    }

    /// Each evaluation may take so many steps (elements gone through and calls) instead of 200 million.
    pub fn max_steps(mut self, steps: u64) -> SpecBuilder {
        self.options.limits.steps = steps;
        self
    }

    /// Leaves out the nearest successor and the other actions of a refusal.
    pub fn brief(mut self) -> SpecBuilder {
        self.options.brief = true;
        self
    }

    /// Lets the specification read files below a further folder; its own it may always read.
    pub fn allow_read(mut self, folder: impl AsRef<Path>) -> SpecBuilder {
        self.permissions.read.push(folder.as_ref().to_path_buf());
        self
    }

    /// Opens it.
    ///
    /// # Errors
    /// As [`Spec::open`]; also if an action, invariant or predicate that was named does not exist.
    pub fn open(self) -> Result<Spec, OpenError> {
        let config = Some(self.config.unwrap_or_else(|| self.module.with_extension("cfg")));
        let (config_text, libraries, permissions) = (self.config_text, self.libraries, self.permissions);
        let mut settings = ModelSettings { config, config_text, libraries, permissions, ..ModelSettings::default() };
        let model = load_with(&self.module, &mut settings)?;
        let checker = Checker::new(model, self.options, Arc::new(settings.permissions));
        let checker = checker.map_err(|e| match e {
            CheckerError::Missing(text) => OpenError::Missing(text),
            CheckerError::Evaluation(text) => OpenError::Evaluation(text),
        })?;
        Ok(Spec { checker })
    }
}
