//! TV modules as SysMoBench writes them, untouched: a module reads the windows, picks one by `IOEnv.WINDOW_INDEX`, and its
//! invariant is violated exactly when that window conforms.
//!
//! The module is loaded and compiled once. For each window only what depends on `IOEnv` is evaluated again; its states are
//! searched breadth first, as TLC would.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bumpalo::Bump;
use hashbrown::HashSet;
use primed_engine::Flow;
use primed_engine::compile::{Compiler, Expression, Relation};
use primed_engine::env::Env;
use primed_engine::program::Program;
use primed_semantics::model::{Located, Model};
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::Span;
use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::freeze::FrozenRow;
use primed_value::host::{Limits, Result as Evaluated};
use primed_value::value::Value;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::OpenError;
use crate::files::Permissions;
use crate::load::{assumption_name, load};

/// Windows judged together.
const BATCH: usize = 512;

/// A loaded TV module.
#[derive(Debug)]
pub struct TvModule {
    model: Arc<Model>,
    warnings: Vec<Located>,
    program: Program,
    init: Relation,
    next: Relation,
    invariants: Vec<(Arc<str>, Expression)>,
    constraints: Vec<Expression>,
    action_constraints: Vec<Expression>,
    /// Most states looked at for one window.
    pub max_states: usize,
}

/// What came of one window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TvResult {
    /// The invariant of this name was violated: the window conforms.
    Conforms {
        /// The invariant.
        invariant: String,
        /// Distinct states found until then.
        states: usize,
    },
    /// No state violates an invariant: the specification does not allow the window.
    Refused {
        /// Distinct states of the whole search; 0 if the pre-state itself is impossible.
        states: usize,
        /// Initial states.
        initial: usize,
    },
    /// Evaluation failed; TLC's text, and where.
    Error {
        /// What is wrong.
        message: String,
        /// Where, innermost first.
        places: Vec<String>,
        /// A limit of Primed was reached.
        limit: bool,
    },
    /// Something that is not evaluated.
    Unsupported {
        /// Its name and place.
        message: String,
    },
}

impl TvModule {
    /// Loads a module with its configuration; relative paths inside it are taken from the module's folder.
    ///
    /// # Errors
    /// If a file cannot be read, the module is not legal, or the configuration names no behaviour or no invariant.
    pub fn open(
        module: &Path,
        config: &Path,
        libraries: &[PathBuf],
        mut permissions: Permissions,
    ) -> Result<TvModule, OpenError> {
        let model = load(module, config, libraries, &mut permissions)?;
        Self::compile(model, permissions)
    }

    fn compile(model: Arc<Model>, permissions: Permissions) -> Result<TvModule, OpenError> {
        let behaviour = &model.behaviour;
        let missing = |what: &str| OpenError::Missing(format!("the configuration of `{}` names no {what}", model.name));
        let init = behaviour.init.as_ref().ok_or_else(|| missing("initial predicate"))?;
        let next = behaviour.next.as_ref().ok_or_else(|| missing("next-state action"))?;
        if behaviour.invariants.is_empty() {
            return Err(missing("invariant"));
        }
        let not_there = [(behaviour.view.is_some(), "VIEW"), (behaviour.symmetry.is_some(), "SYMMETRY")];
        if let Some((_, what)) = not_there.iter().find(|(asked, _)| *asked) {
            return Err(OpenError::Missing(format!(
                "{what} is not supported in a TV module: take it out of the configuration"
            )));
        }
        let mut compiler = Compiler::new(&model);
        let (init, next) = (compiler.initial(init), compiler.next(next));
        let invariants = behaviour.invariants.iter().map(|i| (i.name.clone(), compiler.expression(&i.expr))).collect();
        let constraints = behaviour.constraints.iter().map(|c| compiler.expression(&c.expr)).collect();
        let action_constraints = behaviour.action_constraints.iter().map(|c| compiler.expression(&c.expr)).collect();
        let assumptions: Vec<Expression> = model.assumptions.iter().map(|a| compiler.expression(&a.expr)).collect();
        let warnings = [model.warnings.clone(), reads_no_index(&model, &compiler)].concat();
        let mut program = compiler.finish(Limits::of_search(), Arc::new(permissions));
        check_assumptions(&model, &program, &assumptions)?;
        program.limit_steps(Limits::STEPS);
        let max_states = 1_000_000;
        let model = model.clone();
        Ok(TvModule { model, warnings, program, init, next, invariants, constraints, action_constraints, max_states })
    }

    /// Each window may take so many steps (see [`Limits::steps`]) instead of [`Limits::STEPS`].
    pub fn limit_steps(&mut self, steps: u64) {
        self.program.limit_steps(steps);
    }

    /// The module's name.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// The modules that it is made of: name, text, and whether it is one of Primed's own. The root is the first.
    pub fn sources(&self) -> Vec<(Arc<str>, &str, bool)> {
        self.model.modules().collect()
    }

    /// What is odd about the module though it is legal.
    pub fn warnings(&self) -> &[Located] {
        &self.warnings
    }

    /// Judges the windows from 1 to `count` in parallel. Results arrive in order, each with its number; `report` may end it by
    /// giving false.
    pub fn judge_all(&self, count: usize, report: &mut dyn FnMut(usize, TvResult) -> bool) {
        self.judge_some(&(1..=count).collect::<Vec<_>>(), report);
    }

    /// The same for the windows of these numbers.
    pub fn judge_some(&self, indices: &[usize], report: &mut dyn FnMut(usize, TvResult) -> bool) {
        for batch in indices.chunks(BATCH) {
            let results: Vec<TvResult> = batch.par_iter().map(|index| self.judge(*index)).collect();
            for (index, result) in batch.iter().zip(results) {
                if !report(*index, result) {
                    return;
                }
            }
        }
    }

    /// Judges the window of this number, from 1, as `WINDOW_INDEX` says it.
    pub fn judge(&self, index: usize) -> TvResult {
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        env.set_variable("WINDOW_INDEX", &index.to_string());
        match self.search(&mut env) {
            Ok(result) => result,
            Err(error) => self.failed(&error),
        }
    }

    fn failed(&self, error: &EvalError) -> TvResult {
        let places: Vec<String> = error.places.iter().map(|p| self.model.describe(*p)).collect();
        if error.kind == EvalErrorKind::Unsupported {
            let at = places.first().map(|p| format!(" ({p})")).unwrap_or_default();
            return TvResult::Unsupported { message: format!("{}{at}", error.message) };
        }
        let limit = matches!(error.kind, EvalErrorKind::Limit | EvalErrorKind::StackOverflow);
        TvResult::Error { message: error.message.clone(), places, limit }
    }

    fn search<'a>(&'a self, env: &mut Env<'a>) -> Evaluated<TvResult> {
        let mut seen: HashSet<FrozenRow> = HashSet::new();
        let mut level: Vec<FrozenRow> = Vec::new();
        let mut violated = None;
        let mut initial = 0;
        self.init.each(env, &mut |env| {
            initial += 1;
            let state: Vec<Value<'a>> = env.current().iter().filter_map(|v| *v).collect();
            let flow = self.visit(env, &state, &mut seen, &mut level, &mut violated)?;
            Ok(flow)
        })?;
        while violated.is_none() && !level.is_empty() {
            for state in std::mem::take(&mut level) {
                let row = primed_value::freeze::copy_row(primed_value::host::Host::arena(env), state.get());
                env.set_current(row);
                env.clear_next();
                self.next.each(env, &mut |env| {
                    for constraint in &self.action_constraints {
                        if !env.as_state(|env| constraint.holds(env))? {
                            return Ok(Flow::Continue);
                        }
                    }
                    let state: Vec<Value<'a>> = env.next().iter().filter_map(|v| *v).collect();
                    self.visit(env, &state, &mut seen, &mut level, &mut violated)
                })?;
                if violated.is_some() {
                    break;
                }
            }
        }
        let states = seen.len();
        Ok(match violated {
            Some(invariant) => TvResult::Conforms { invariant, states },
            None => TvResult::Refused { states, initial },
        })
    }

    /// Looks at a state: is it new, within the constraints, and does it violate an invariant?
    fn visit<'a>(
        &'a self,
        env: &mut Env<'a>,
        state: &[Value<'a>],
        seen: &mut HashSet<FrozenRow>,
        level: &mut Vec<FrozenRow>,
        violated: &mut Option<String>,
    ) -> Evaluated<Flow> {
        let row = FrozenRow::new(env, state)?;
        if seen.contains(&row) {
            return Ok(Flow::Continue);
        }
        if seen.len() >= self.max_states {
            let message = format!("more than {} states were found for one window", self.max_states);
            return Err(EvalError::of_kind(EvalErrorKind::Limit, 1000, message));
        }
        let (current, next) = (env.current().to_vec(), env.next().to_vec());
        env.set_current(state);
        env.clear_next();
        let verdict = self.check(env);
        restore(env, &current, &next);
        let (broken, inside) = verdict?;
        if let Some(name) = broken {
            *violated = Some(name);
            seen.insert(row);
            return Ok(Flow::Stop);
        }
        if inside {
            level.push(FrozenRow::new(env, state)?);
            seen.insert(row);
        }
        Ok(Flow::Continue)
    }

    /// The first violated invariant, and whether the constraints hold.
    fn check<'a>(&'a self, env: &mut Env<'a>) -> Evaluated<(Option<String>, bool)> {
        for (name, invariant) in &self.invariants {
            if !invariant.holds(env)? {
                return Ok((Some(name.to_string()), true));
            }
        }
        for constraint in &self.constraints {
            if !constraint.holds(env)? {
                return Ok((None, false));
            }
        }
        Ok((None, true))
    }
}

fn restore<'a>(env: &mut Env<'a>, current: &[Option<Value<'a>>], next: &[Option<Value<'a>>]) {
    for (i, value) in current.iter().enumerate() {
        env.set_current_variable(i, *value);
    }
    for (i, value) in next.iter().enumerate() {
        env.set_next_variable(i, *value);
    }
}

/// TLC evaluates the assumptions before anything else; a false one ends the run.
fn check_assumptions(model: &Model, program: &Program, assumptions: &[Expression]) -> Result<(), OpenError> {
    for (assumption, compiled) in model.assumptions.iter().zip(assumptions) {
        let arena = Bump::new();
        let mut env = Env::new(program, &arena);
        env.set_variable("WINDOW_INDEX", "1");
        let name = assumption_name(model, assumption);
        match compiled.holds(&mut env) {
            Ok(true) => {}
            Ok(false) => return Err(OpenError::Evaluation(format!("assumption {name} is false"))),
            Err(e) => return Err(OpenError::Evaluation(format!("evaluating assumption {name} failed: {e}"))),
        }
    }
    Ok(())
}

/// A module that does not look at its index says the same of each window, and nothing of any.
fn reads_no_index(model: &Model, compiler: &Compiler<'_>) -> Vec<Located> {
    let written = || model.modules().any(|(_, text, own)| !own && text.contains("WINDOW_INDEX"));
    if compiler.asks("IOUtils", "IOEnv") && written() {
        return Vec::new();
    }
    let Some(file) = model.sources.first().cloned() else { return Vec::new() };
    let text = "the module never reads `IOEnv.WINDOW_INDEX`, so that it has the same answer for every window";
    let diagnostic = Diagnostic { severity: Severity::Warning, ..Diagnostic::error(0, text, Span::new(0, 0)) };
    vec![Located { file, diagnostic }]
}
