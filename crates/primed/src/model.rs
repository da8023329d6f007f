//! Searching all states of a finite model.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bumpalo::Bump;
use primed_engine::Flow;
use primed_engine::compile::{Compiler, Expression, NamedAction, Relation};
use primed_engine::env::Env;
use primed_engine::program::Program;
use primed_explore::search::{self, End, Settings, Step};
use primed_explore::space::{StateSpace, Visit, Visited};
use primed_semantics::model::{Located, Model};
use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::host::{Limits, Result as Evaluated};
use primed_value::intern::{Interner, ValueId};
use primed_value::print;
use primed_value::value::Value;

use crate::OpenError;
use crate::files::Permissions;
use crate::load::{assumption_name, load};
use crate::startup::{self, Search};

/// A finite model, compiled and ready to be searched.
#[derive(Debug)]
pub struct ModelChecker {
    model: Arc<Model>,
    program: Program,
    init: Relation,
    next: Relation,
    invariants: Vec<(Arc<str>, Expression)>,
    constraints: Vec<Expression>,
    action_constraints: Vec<Expression>,
    assumptions: Vec<(String, Expression)>,
    actions: Vec<(Arc<str>, NamedAction)>,
    warnings: Vec<Located>,
    only_assumptions: bool,
}

/// TLC's message for a successor in which a variable has no value.
const INCOMPLETE: u32 = 2109;

/// How to search a model.
#[derive(Clone, Copy, Debug)]
pub struct CheckSettings {
    /// Workers; at least one.
    pub workers: usize,
    /// Whether a state without successors is a violation; `None` leaves it to the configuration.
    pub deadlock: Option<bool>,
    /// Most distinct states.
    pub max_states: usize,
}

impl Default for CheckSettings {
    fn default() -> CheckSettings {
        CheckSettings { workers: 1, deadlock: None, max_states: usize::MAX }
    }
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// What was found.
    pub verdict: CheckVerdict,
    /// States generated, duplicates included.
    pub generated: u64,
    /// Distinct states.
    pub distinct: usize,
    /// States found but not expanded.
    pub left: usize,
    /// Depth of the state graph, initial states being 1.
    pub depth: usize,
    /// The states that lead to what was found; empty if nothing was.
    pub trace: Vec<TraceState>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckVerdict {
    /// Every state was searched and nothing is wrong.
    Holds,
    /// An assumption is false or cannot be evaluated.
    Assumption(String),
    /// The last state of the trace has no successor.
    Deadlock,
    /// The invariant of this name is false in the last state of the trace.
    Invariant(String),
    /// Evaluation failed; TLC's exit code for where it did.
    Error {
        /// What is wrong.
        message: String,
        /// Where, innermost first.
        places: Vec<String>,
        /// 14, 75, 76 or 255.
        exit_code: i32,
    },
    /// Something that is not evaluated.
    Unsupported(String),
    /// A limit was reached.
    Limit(String),
}

impl CheckVerdict {
    /// The exit code for it: TLC's, or Primed's own for what TLC does not have.
    pub fn exit_code(&self) -> i32 {
        match self {
            CheckVerdict::Holds => 0,
            CheckVerdict::Assumption(_) => 10,
            CheckVerdict::Deadlock => 11,
            CheckVerdict::Invariant(_) => 12,
            CheckVerdict::Error { exit_code, .. } => *exit_code,
            CheckVerdict::Unsupported(_) => 72,
            CheckVerdict::Limit(_) => 73,
        }
    }
}

/// One state of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceState {
    /// The action that led to it; `None` for the initial state, or if it has no name.
    pub action: Option<String>,
    /// Variables with their values as TLC prints them, in order of declaration.
    pub values: Vec<(String, String)>,
}

impl ModelChecker {
    /// Opens a model.
    ///
    /// # Errors
    /// If a file cannot be read, the specification is not legal, or the configuration does not fit or asks for something that
    /// is not searched yet (it is named).
    pub fn open(
        module: &Path,
        config: &Path,
        libraries: &[PathBuf],
        mut permissions: Permissions,
    ) -> Result<ModelChecker, OpenError> {
        let model = load(module, config, libraries, &mut permissions)?;
        Self::compile(model, permissions)
    }

    fn compile(model: Arc<Model>, permissions: Permissions) -> Result<ModelChecker, OpenError> {
        let behaviour = &model.behaviour;
        let permissions = Arc::new(permissions);
        let Search { init, next, only_assumptions } = startup::search(&model)?;
        let warnings = [model.warnings.clone(), startup::constant_formulas(&model, &permissions)?].concat();
        let not_yet = [
            (!behaviour.properties.is_empty(), "PROPERTY"),
            (behaviour.symmetry.is_some(), "SYMMETRY"),
            (behaviour.view.is_some(), "VIEW"),
            (!behaviour.postconditions.is_empty(), "POSTCONDITION"),
        ];
        if let Some((_, what)) = not_yet.iter().find(|(asked, _)| *asked) {
            return Err(OpenError::Missing(format!("{what} is not supported yet: take it out of the configuration")));
        }
        let mut compiler = Compiler::new(&model);
        let ids = compiler.action_definitions(&next);
        let name = |id| model.exports.iter().find(|(_, d)| *d == id).map_or(&model.definition(id).name, |(n, _)| n);
        let actions = ids.iter().filter_map(|id| Some((name(*id).clone(), compiler.named(*id, Some(&next)).ok()?)));
        let actions = actions.collect();
        let (init, next) = (compiler.initial(&init), compiler.next(&next));
        let invariants = behaviour.invariants.iter().map(|i| (i.name.clone(), compiler.expression(&i.expr))).collect();
        let constraints = behaviour.constraints.iter().map(|c| compiler.expression(&c.expr)).collect();
        let action_constraints = behaviour.action_constraints.iter().map(|c| compiler.expression(&c.expr)).collect();
        let assumptions = model.assumptions.iter().map(|a| (assumption_name(&model, a), compiler.expression(&a.expr)));
        let assumptions = assumptions.collect();
        let program = compiler.finish(Limits::default(), permissions);
        Ok(ModelChecker {
            model: model.clone(),
            program,
            init,
            next,
            invariants,
            constraints,
            action_constraints,
            assumptions,
            actions,
            warnings,
            only_assumptions,
        })
    }

    /// Warnings about the specification.
    pub fn warnings(&self) -> &[Located] {
        &self.warnings
    }

    /// The root module's name.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// Searches all states.
    pub fn check(&self, settings: CheckSettings) -> CheckReport {
        if let Some(verdict) = self.false_assumption() {
            return CheckReport { verdict, generated: 0, distinct: 0, left: 0, depth: 0, trace: Vec::new() };
        }
        if self.only_assumptions {
            let verdict = CheckVerdict::Holds;
            return CheckReport { verdict, generated: 0, distinct: 0, left: 0, depth: 0, trace: Vec::new() };
        }
        let space = ModelSpace { checker: self, interner: Interner::new() };
        let deadlock = settings.deadlock.or(self.model.behaviour.check_deadlock).unwrap_or(true);
        let settings = Settings { workers: settings.workers.max(1), deadlock, max_states: settings.max_states };
        let report = search::search(&space, settings);
        let (verdict, path) = match report.end {
            End::Complete => (CheckVerdict::Holds, Vec::new()),
            End::Deadlock(path) => (CheckVerdict::Deadlock, path),
            End::Violation(invariant, path) => {
                (CheckVerdict::Invariant(self.invariants[invariant].0.to_string()), path)
            }
            End::Failure(failure, path) => (self.failed(&failure, path.is_empty()), path),
            End::Limit => (CheckVerdict::Limit(format!("more than {} states", settings.max_states)), Vec::new()),
        };
        CheckReport {
            verdict,
            generated: report.generated,
            distinct: report.distinct,
            left: report.left,
            depth: report.depth,
            trace: self.trace(&space.interner, &path),
        }
    }

    fn false_assumption(&self) -> Option<CheckVerdict> {
        self.assumptions.iter().find_map(|(name, assumption)| {
            let arena = Bump::new();
            let mut env = Env::new(&self.program, &arena);
            match assumption.holds(&mut env) {
                Ok(true) => None,
                Ok(false) => Some(CheckVerdict::Assumption(format!("Assumption {name} is false."))),
                Err(error) if error.kind == EvalErrorKind::Unsupported => {
                    Some(CheckVerdict::Unsupported(error.message.clone()))
                }
                Err(error) => {
                    Some(CheckVerdict::Assumption(format!("Evaluating assumption {name} failed.\n{}", error.message)))
                }
            }
        })
    }

    fn failed(&self, failure: &Failure, initial: bool) -> CheckVerdict {
        let error = &failure.error;
        let places: Vec<String> = error.places.iter().map(|p| self.model.describe(*p)).collect();
        let at = places.first().map(|p| format!(" ({p})")).unwrap_or_default();
        let exit_code = match (error.kind.clone(), failure.invariant) {
            (EvalErrorKind::Unsupported, _) => return CheckVerdict::Unsupported(format!("{}{at}", error.message)),
            (EvalErrorKind::Limit, _) => return CheckVerdict::Limit(format!("{}{at}", error.message)),
            (EvalErrorKind::Assert, _) => 14,
            (_, true) if !initial => 76,
            _ if error.code == 2106 => 255,
            _ => 75,
        };
        CheckVerdict::Error { message: error.message.clone(), places, exit_code }
    }

    fn trace(&self, interner: &Interner, path: &[Step]) -> Vec<TraceState> {
        let mut trace = Vec::with_capacity(path.len());
        for (i, step) in path.iter().enumerate() {
            let before = i.checked_sub(1).and_then(|i| path.get(i));
            trace.push(self.trace_state(interner, before, step));
        }
        trace
    }

    fn trace_state(&self, interner: &Interner, before: Option<&Step>, step: &Step) -> TraceState {
        let arena = Bump::new();
        named(self, interner, &arena, before, step)
    }
}

/// A state of a trace with the name of the action that leads to it.
fn named<'a>(
    checker: &'a ModelChecker,
    interner: &'a Interner,
    arena: &'a Bump,
    before: Option<&Step>,
    step: &Step,
) -> TraceState {
    let mut env = Env::new(&checker.program, arena);
    let values: Vec<Value<'a>> = step.row.iter().map(|id| interner.get(ValueId(*id))).collect();
    let mut action = None;
    if let Some(before) = before {
        let current: Vec<Value<'a>> = before.row.iter().map(|id| interner.get(ValueId(*id))).collect();
        env.set_current(&current);
        env.set_next(&values);
        let found = checker.actions.iter().find(|(_, action)| action.relation.holds(&mut env).unwrap_or(false));
        action = found.map(|(name, _)| name.to_string());
    }
    let names = checker.model.variables.iter().map(|v| v.name.to_string());
    let values = values.iter().map(|v| print::print_short(&mut env, *v, usize::MAX));
    TraceState { action, values: names.zip(values).collect() }
}

/// Why the model could not be searched on.
#[derive(Debug)]
struct Failure {
    error: Box<EvalError>,
    /// While an invariant was evaluated.
    invariant: bool,
}

impl From<Box<EvalError>> for Failure {
    fn from(error: Box<EvalError>) -> Failure {
        Failure { error, invariant: false }
    }
}

/// A model as a state space: rows of interned values.
struct ModelSpace<'m> {
    checker: &'m ModelChecker,
    interner: Interner,
}

/// A violated invariant and the state.
struct Violated {
    invariant: usize,
    row: Vec<u32>,
}

impl ModelSpace<'_> {
    /// A state was generated: intern it, ask whether it is new, check it. The environment's next state is it (the current one,
    /// if `initial`).
    fn found<'a>(
        &'a self,
        env: &mut Env<'a>,
        initial: bool,
        before: &[u32],
        visit: &mut dyn FnMut(Visit<'_>) -> Visited,
    ) -> Result<Option<Violated>, Failure> {
        let mut row = Vec::with_capacity(self.width());
        for variable in 0..self.width() {
            let state = if initial { env.current() } else { env.next() };
            let Some(value) = state[variable] else { continue };
            // What an UNCHANGED copied needs no look-up.
            let same = !initial && env.current()[variable].is_some_and(|old| same_word(old, value));
            row.push(match before.get(variable) {
                Some(id) if same => *id,
                _ => self.interner.intern(env, value)?.0,
            });
        }
        let mut inside = true;
        if !initial {
            for constraint in &self.checker.action_constraints {
                inside = inside && constraint.holds(env)?;
            }
        }
        let look = |env: &mut Env<'a>| -> Evaluated<Result<Option<usize>, Failure>> {
            for constraint in &self.checker.constraints {
                inside = inside && constraint.holds(env)?;
            }
            if visit(Visit { row: &row, inside, action: 0 }) == Visited::Known {
                return Ok(Ok(None));
            }
            for (number, (_, invariant)) in self.checker.invariants.iter().enumerate() {
                match invariant.holds(env) {
                    Ok(true) => {}
                    Ok(false) => return Ok(Ok(Some(number))),
                    Err(error) => return Ok(Err(Failure { error, invariant: true })),
                }
            }
            Ok(Ok(None))
        };
        let violated = if initial { env.as_state(look) } else { env.in_next(look) }??;
        Ok(violated.map(|invariant| Violated { invariant, row }))
    }

    fn run<'a>(
        &'a self,
        arena: &'a Bump,
        state: Option<&[u32]>,
        visit: &mut dyn FnMut(Visit<'_>) -> Visited,
    ) -> Result<Option<Violated>, Failure> {
        let mut env = Env::new(&self.checker.program, arena);
        let relation = if state.is_some() { &self.checker.next } else { &self.checker.init };
        if let Some(state) = state {
            let values: Vec<Value<'a>> = state.iter().map(|id| self.interner.get(ValueId(*id))).collect();
            env.set_current(&values);
        }
        let mut end = Ok(None);
        let run = relation.each(&mut env, &mut |env| {
            end = self.found(env, state.is_none(), state.unwrap_or(&[]), visit);
            Ok(if matches!(end, Ok(None)) { Flow::Continue } else { Flow::Stop })
        });
        match run {
            Ok(_) => end,
            Err(error) => {
                if error.code == INCOMPLETE {
                    // TLC counts the state that a variable is missing in.
                    visit(Visit { row: &[], inside: false, action: 0 });
                }
                Err(error.into())
            }
        }
    }
}

/// The same word: a scalar of the same value, or the same reference.
fn same_word<'a>(a: Value<'a>, b: Value<'a>) -> bool {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) => std::ptr::eq(a, b),
        (Value::Record(a), Value::Record(b)) => std::ptr::eq(a, b),
        (Value::Function(a), Value::Function(b)) => std::ptr::eq(a, b),
        (Value::Set(a), Value::Set(b)) => std::ptr::eq(a, b),
        _ => false,
    }
}

impl StateSpace for ModelSpace<'_> {
    type Worker = Bump;
    type Found = Violated;
    type Violation = usize;
    type Failure = Failure;

    fn width(&self) -> usize {
        self.checker.model.variables.len()
    }

    fn worker(&self) -> Bump {
        Bump::new()
    }

    fn initial(
        &self,
        worker: &mut Bump,
        visit: &mut dyn FnMut(Visit<'_>) -> Visited,
    ) -> Result<Option<Violated>, Failure> {
        worker.reset();
        self.run(worker, None, visit)
    }

    fn successors(
        &self,
        worker: &mut Bump,
        state: &[u32],
        visit: &mut dyn FnMut(Visit<'_>) -> Visited,
    ) -> Result<Option<Violated>, Failure> {
        worker.reset();
        self.run(worker, Some(state), visit)
    }

    fn split(&self, found: Violated) -> (usize, Step) {
        (found.invariant, Step { row: found.row, action: 0 })
    }
}
