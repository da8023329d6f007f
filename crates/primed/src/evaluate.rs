//! Single expressions, as TLC's `ASSUME` would see them.

use std::sync::Arc;

use bumpalo::Bump;
use primed_engine::compile::Compiler;
use primed_engine::env::Env;
use primed_semantics::Session;
use primed_semantics::library::Library;
use primed_semantics::model::{Located, Model};
use primed_syntax::span::SourceFile;
use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::host::Limits;
use primed_value::print;

use crate::OpenError;
use crate::files::Permissions;

/// Evaluates expressions in the scope of a module that extends the given ones.
#[derive(Debug)]
pub struct Evaluator<'l> {
    session: Session<'l>,
    model: Model,
    limits: Limits,
    permissions: Arc<Permissions>,
    count: usize,
}

/// Why an expression has no value.
#[derive(Debug)]
pub enum ExpressionError {
    /// It is not legal TLA+ here.
    Illegal(Vec<Located>),
    /// Its evaluation failed.
    Evaluation(Box<EvalError>),
}

impl ExpressionError {
    /// The expression is legal, but needs something that is not evaluated.
    pub fn is_unsupported(&self) -> bool {
        matches!(self, ExpressionError::Evaluation(error) if error.kind == EvalErrorKind::Unsupported)
    }

    /// The exit code for it: 150 if it is not legal, 72 if it needs something that is not evaluated, 73 if it reaches a limit, 75
    /// otherwise.
    pub fn exit_code(&self) -> i32 {
        match self {
            ExpressionError::Illegal(_) => 150,
            ExpressionError::Evaluation(error) => match error.kind {
                EvalErrorKind::Unsupported => 72,
                EvalErrorKind::Limit | EvalErrorKind::StackOverflow => 73,
                _ => 75,
            },
        }
    }
}

impl std::fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExpressionError::Illegal(complaints) => {
                let texts: Vec<String> = complaints
                    .iter()
                    .map(|c| {
                        let at = c.file.position(c.diagnostic.span.start);
                        format!("column {}: {}", at.column, c.diagnostic.message)
                    })
                    .collect();
                f.write_str(&texts.join("; "))
            }
            ExpressionError::Evaluation(error) => f.write_str(&on_one_line(&error.message)),
        }
    }
}

impl std::error::Error for ExpressionError {}

/// TLC's messages with their line breaks and indentation folded into single spaces.
fn on_one_line(message: &str) -> String {
    message.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

impl<'l> Evaluator<'l> {
    /// An evaluator over the given modules, with the given names as model values. It sees expressions as TLC's interactive
    /// mode does: outside of any run, without registers (`TLCSet`).
    ///
    /// # Errors
    /// If a module is unknown or the names clash.
    pub fn new(
        modules: &[String],
        model_values: &[String],
        library: &'l dyn Library,
        permissions: Permissions,
    ) -> Result<Evaluator<'l>, OpenError> {
        let mut text = String::from("---- MODULE Evaluation ----\n");
        if !modules.is_empty() {
            text.push_str(&format!("EXTENDS {}\n", modules.join(", ")));
        }
        let mut config = String::new();
        if !model_values.is_empty() {
            text.push_str(&format!("CONSTANTS {}\n", model_values.join(", ")));
            config.push_str("CONSTANTS\n");
            model_values.iter().for_each(|m| config.push_str(&format!("{m} = {m}\n")));
        }
        text.push_str("====\n");
        Evaluator::of_module(&text, &config, library, permissions)
    }

    /// An evaluator in the scope of a module given as text, with the text of its configuration. It sees expressions as TLC
    /// does the assumptions of a model that it runs. The module's own assumptions are resolved but not evaluated. The order of strings is TLC's, that of the first occurrences of words in the module and in those it
    /// extends: words that only occur in expressions evaluated later come after them.
    ///
    /// # Errors
    /// If the module is not legal, extends an unknown one, or the configuration does not fit it.
    pub fn of_module(
        text: &str,
        config: &str,
        library: &'l dyn Library,
        permissions: Permissions,
    ) -> Result<Evaluator<'l>, OpenError> {
        // A text has no file name that could differ from the module's.
        let name =
            text.split_once("MODULE").and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or("Evaluation");
        let root = SourceFile::new(format!("{name}.tla"), text);
        let config = SourceFile::new("Evaluation.cfg", config);
        let opened = Session::open(&root, Some(&config), library);
        let (session, model) = opened.map_err(OpenError::Specification)?;
        let permissions = Arc::new(permissions);
        Ok(Evaluator { session, model, limits: Limits::default(), permissions, count: 0 })
    }

    /// Each evaluation may take so many steps (see [`Limits::steps`]) instead of [`Limits::STEPS`].
    pub fn limit_steps(&mut self, steps: u64) {
        self.limits.steps = steps;
    }

    /// The value of an expression as TLC prints it.
    ///
    /// # Errors
    /// If it is not legal, or has no value.
    pub fn print(&mut self, expression: &str) -> Result<String, ExpressionError> {
        self.count += 1;
        let source = SourceFile::new(format!("expression {}", self.count), expression);
        let expr = self.session.expression(&source, &mut self.model).map_err(ExpressionError::Illegal)?;
        let mut compiler = Compiler::new(&self.model);
        let compiled = compiler.expression(&expr);
        let program = compiler.finish(self.limits, self.permissions.clone());
        let arena = Bump::new();
        let mut env = Env::new(&program, &arena);
        let value = compiled.value(&mut env).and_then(|v| print::print(&mut env, v));
        value.map_err(ExpressionError::Evaluation)
    }
}
