//! A specification made ready for windows: its actions compiled by name, its variables' shapes, its invariants.

use std::sync::{Arc, Mutex, PoisonError};

use bumpalo::Bump;
use hashbrown::HashMap;
use primed_engine::Flow;
use primed_engine::compile::{Compiler, Expression, NameError, NamedAction, Relation};
use primed_engine::env::Env;
use primed_engine::program::Program;
use primed_engine::world::World;
use primed_semantics::model::{DefinitionId, ExprKind, Level, Model};
use primed_semantics::nearest;
use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::freeze::{Frozen, FrozenRow};
use primed_value::host::{Host, Limits};
use primed_value::print;
use primed_value::value::Value;

use crate::read::Models;
use crate::shape::Shape;

/// Initial states that shapes are learnt from.
const SAMPLED_STATES: usize = 200;
/// Initial states that are looked at for the values of unobserved variables.
const MAX_INITIAL_STATES: usize = 200_000;
/// Elements of a parameter's range that are kept by how they print.
const MAX_RANGE: usize = 100_000;

/// What to ask of windows besides their actions.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The action of windows that name none; windows that name another are not judged.
    pub action: Option<String>,
    /// Invariants to be evaluated on observed states, by name.
    pub invariants: Vec<String>,
    /// A state predicate that says which values unobserved variables may have before a step; without one, the initial
    /// predicate does.
    pub unobserved: Option<String>,
    /// Leave out the evidence of refusals (nearest successor, other actions).
    pub brief: bool,
    /// Bounds on evaluation.
    pub limits: Limits,
}

/// Why a specification cannot judge windows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckerError {
    /// Something asked for by name does not exist, or is not of the kind; the text says what and what there is.
    Missing(String),
    /// The initial predicate cannot be evaluated.
    Evaluation(String),
}

impl std::fmt::Display for CheckerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CheckerError::Missing(text) | CheckerError::Evaluation(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for CheckerError {}

/// An action that windows may name.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) name: Arc<str>,
    pub(crate) compiled: Result<NamedAction, NameError>,
    /// Elements of each parameter's constant range, by how they print (strings without quotes).
    pub(crate) ranges: Vec<HashMap<String, Frozen>>,
    /// It is one of those that the next-state relation is made of.
    pub(crate) in_next: bool,
    /// Said of every window that conforms to it, because TLC would not run the action as it stands.
    pub(crate) remark: Option<String>,
}

/// A state predicate that the options ask for.
#[derive(Debug)]
pub(crate) struct Invariant {
    pub(crate) name: Arc<str>,
    pub(crate) predicate: Expression,
    /// The same as a relation, whose conditions are told apart: it says which of them is false.
    pub(crate) parts: Relation,
}

/// A specification ready to judge windows. It can be shared between threads.
#[derive(Debug)]
pub struct Checker {
    pub(crate) model: Arc<Model>,
    pub(crate) program: Program,
    pub(crate) actions: Vec<Action>,
    by_name: HashMap<Arc<str>, usize>,
    pub(crate) invariants: Vec<Invariant>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) variables: HashMap<Arc<str>, usize>,
    pub(crate) models: Models,
    init: Option<Relation>,
    unobserved: Option<Relation>,
    pub(crate) options: Options,
    /// Values that the initial predicate allows for a set of variables.
    projections: Mutex<HashMap<Vec<usize>, Projection>>,
}

/// The distinct values of some variables in the initial states, or why they are not known.
type Projection = Arc<Result<Vec<FrozenRow>, String>>;

impl Checker {
    /// Compiles a specification.
    ///
    /// # Errors
    /// If an invariant or predicate that the options name does not exist, or the initial predicate fails.
    pub fn new(model: Arc<Model>, options: Options, world: Arc<dyn World>) -> Result<Checker, CheckerError> {
        let mut compiler = Compiler::new(&model);
        let init = model.behaviour.init.as_ref().map(|e| compiler.initial(e));
        let actions = compile_actions(&model, &mut compiler);
        let mut invariants = Vec::new();
        for name in &options.invariants {
            let definition = predicate(&model, name, "invariant")?;
            let body = &model.definition(definition).body;
            let (predicate, parts) = (compiler.expression(body), compiler.initial(body));
            invariants.push(Invariant { name: name.as_str().into(), predicate, parts });
        }
        let unobserved = match &options.unobserved {
            Some(name) => {
                let definition = predicate(&model, name, "predicate")?;
                Some(compiler.initial(&model.definition(definition).body))
            }
            None => None,
        };
        let program = compiler.finish(options.limits, world);
        let by_name = actions.iter().enumerate().map(|(i, a)| (a.name.clone(), i)).collect();
        let variables = model.variables.iter().enumerate().map(|(i, v)| (v.name.clone(), i)).collect();
        let mut checker = Checker {
            shapes: vec![Shape::Unknown; model.variables.len()],
            models: model_values(&model),
            variables,
            by_name,
            actions,
            invariants,
            init,
            unobserved,
            program,
            model: model.clone(),
            options,
            projections: Mutex::default(),
        };
        checker.learn_shapes()?;
        checker.list_ranges();
        if let Some(name) = checker.options.action.clone() {
            checker.action(&name).map_err(CheckerError::Missing)?;
        }
        Ok(checker)
    }

    /// The specification.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The names of the actions that the next-state relation is made of, in textual order.
    pub fn action_names(&self) -> impl Iterator<Item = &str> {
        self.actions.iter().filter(|a| a.in_next).map(|a| &*a.name)
    }

    /// The action of this name.
    pub(crate) fn action(&self, name: &str) -> Result<&Action, String> {
        if let Some(i) = self.by_name.get(name) {
            return Ok(&self.actions[*i]);
        }
        let known: Vec<&str> = self.action_names().collect();
        let what = match self.model.find(name) {
            Some(_) => format!("`{name}` is defined in `{}`, but it is no action", self.model.name),
            None => format!("`{}` has no action `{name}`", self.model.name),
        };
        let near = nearest(name, self.actions.iter().map(|a| &*a.name)).map(|near| format!(" ({near})"));
        Err(format!("{what}; its actions are {}{}", list(&known), near.unwrap_or_default()))
    }

    /// The shape of each variable, from the initial states.
    fn learn_shapes(&mut self) -> Result<(), CheckerError> {
        let Some(init) = &self.init else { return Ok(()) };
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let mut shapes = self.shapes.clone();
        let mut count = 0;
        let result = init.each(&mut env, &mut |env| {
            count += 1;
            let state: Vec<_> = env.current().to_vec();
            for (shape, value) in shapes.iter_mut().zip(state) {
                if let Some(value) = value {
                    *shape = std::mem::take(shape).merge(Shape::of(env, value));
                }
            }
            Ok(if count < SAMPLED_STATES { Flow::Continue } else { Flow::Stop })
        });
        if let Err(error) = result {
            let at = error.places.first().map(|p| format!(" ({})", self.model.describe(*p))).unwrap_or_default();
            let message = format!("the initial predicate of `{}` cannot be evaluated: {error}{at}", self.model.name);
            return Err(CheckerError::Evaluation(message));
        }
        self.shapes = shapes;
        Ok(())
    }

    /// The elements of constant ranges, so that an actor is found by a look-up.
    fn list_ranges(&mut self) {
        let mut all = Vec::new();
        for action in &self.actions {
            let Ok(compiled) = &action.compiled else {
                all.push(Vec::new());
                continue;
            };
            let ranges = compiled.ranges.iter().map(|range| {
                let arena = Bump::new();
                let mut env = Env::new(&self.program, &arena);
                range.as_ref().map(|r| by_text(&mut env, r)).unwrap_or_default()
            });
            all.push(ranges.collect());
        }
        for (action, ranges) in self.actions.iter_mut().zip(all) {
            action.ranges = ranges;
        }
    }

    /// The values that unobserved variables may have before a step: each row has one value for each of `missing`, in order.
    /// With a predicate of the options, the environment's current state says what was observed.
    pub(crate) fn candidates<'a>(
        &'a self,
        env: &mut Env<'a>,
        missing: &[usize],
    ) -> Result<Vec<Vec<Value<'a>>>, Box<EvalError>> {
        if let Some(relation) = &self.unobserved {
            let mut seen: hashbrown::HashSet<FrozenRow> = hashbrown::HashSet::new();
            let mut rows: Vec<FrozenRow> = Vec::new();
            relation.each_partial(env, &mut |env| {
                if seen.insert(project(env, missing)?) {
                    rows.push(project(env, missing)?);
                }
                if rows.len() > MAX_INITIAL_STATES {
                    let message =
                        format!("the predicate for unobserved variables allows more than {MAX_INITIAL_STATES} values");
                    return Err(EvalError::of_kind(EvalErrorKind::Limit, 1000, message));
                }
                Ok(Flow::Continue)
            })?;
            return Ok(copy(env, &rows));
        }
        let known = self.projections.lock().unwrap_or_else(PoisonError::into_inner).get(missing).cloned();
        let projection = match known {
            Some(projection) => projection,
            None => {
                let projection: Projection = Arc::new(self.project_initial(missing));
                let mut projections = self.projections.lock().unwrap_or_else(PoisonError::into_inner);
                projections.entry(missing.to_vec()).or_insert(projection).clone()
            }
        };
        match &*projection {
            Ok(rows) => Ok(copy(env, rows)),
            Err(message) => Err(EvalError::new(1000, message.clone())),
        }
    }

    fn project_initial(&self, missing: &[usize]) -> Result<Vec<FrozenRow>, String> {
        let names = || -> Vec<&str> { missing.iter().map(|i| &*self.model.variables[*i].name).collect() };
        let Some(init) = &self.init else {
            return Err(format!(
                "{} unobserved, and the configuration names no initial predicate that could say what values to try",
                is_are(&names())
            ));
        };
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let mut rows: hashbrown::HashSet<FrozenRow> = hashbrown::HashSet::new();
        let mut ordered = Vec::new();
        let mut count = 0;
        let result = init.each(&mut env, &mut |env| {
            count += 1;
            if count > MAX_INITIAL_STATES {
                let message =
                    format!("there are more than {MAX_INITIAL_STATES} initial states to try for {}", list(&names()));
                return Err(EvalError::of_kind(EvalErrorKind::Limit, 1000, message));
            }
            let row = project(env, missing)?;
            if rows.insert(row) {
                ordered.push(project(env, missing)?);
            }
            Ok(Flow::Continue)
        });
        result.map_err(|e| e.message.clone())?;
        Ok(ordered)
    }
}

/// Compiles what windows may name: the actions of the next-state relation, and every other definition that is an action.
fn compile_actions<'m>(model: &'m Model, compiler: &mut Compiler<'m>) -> Vec<Action> {
    let next = model.behaviour.next.as_ref();
    let in_next = next.map(|n| compiler.action_definitions(n)).unwrap_or_default();
    let mut chosen: Vec<(Arc<str>, DefinitionId, bool)> = Vec::new();
    for id in in_next {
        let exported = model.exports.iter().find(|(_, d)| *d == id);
        let name = exported.map_or_else(|| model.definition(id).name.clone(), |(name, _)| name.clone());
        chosen.push((name, id, true));
    }
    for (name, id) in &model.exports {
        let definition = model.definition(*id);
        let action = compiler.is_action(&definition.body) && definition.level <= Level::Action && !definition.standard;
        if action && !chosen.iter().any(|(n, ..)| n == name) {
            chosen.push((name.clone(), *id, false));
        }
    }
    let compile = |(name, id, in_next): (Arc<str>, DefinitionId, bool)| {
        let compiled = compiler.named(id, next);
        let remark = compiled.as_ref().ok().and_then(|c: &NamedAction| open_variables(model, &name, c));
        Action { name, compiled, ranges: Vec::new(), in_next, remark }
    };
    chosen.into_iter().map(compile).collect()
}

/// The variables that an action leaves without a value: as a condition it allows any, TLC refuses to run it.
fn open_variables(model: &Model, name: &str, action: &NamedAction) -> Option<String> {
    let open = action.relation.leaves_open(model.variables.len());
    let names: Vec<&str> = open.iter().map(|i| &*model.variables[*i].name).collect();
    let all = !names.is_empty();
    all.then(|| {
        format!("`{name}` seems to give {} no value on some way, so that it allows any; TLC refuses that", list(&names))
    })
}

/// A state predicate by name, without parameters.
fn predicate(model: &Model, name: &str, what: &str) -> Result<DefinitionId, CheckerError> {
    let Some(id) = model.find(name) else {
        let own = model.exports.iter().filter(|(_, id)| !model.definition(*id).standard).map(|(name, _)| &**name);
        let near = nearest(name, own).map(|near| format!("; {near}")).unwrap_or_default();
        return Err(CheckerError::Missing(format!("`{}` does not define the {what} `{name}`{near}", model.name)));
    };
    let definition = model.definition(id);
    if !definition.params.is_empty() {
        return Err(CheckerError::Missing(format!("the {what} `{name}` takes parameters")));
    }
    if definition.level > Level::State {
        let message = format!("the {what} `{name}` is not a state predicate: it has primes or temporal operators");
        return Err(CheckerError::Missing(message));
    }
    Ok(id)
}

/// The model values that occur in definitions: the configuration put them there.
fn model_values(model: &Model) -> Models {
    let mut found = Models::new();
    let mut todo: Vec<&primed_semantics::model::Expr> = model.definitions.iter().map(|d| &d.body).collect();
    while let Some(expr) = todo.pop() {
        match &*expr.kind {
            ExprKind::Model(value) => {
                found.insert(model.symbols.text(value.name), *value);
            }
            ExprKind::SetEnum(items) => todo.extend(items),
            _ => {}
        }
    }
    found
}

/// A range's elements by how they print, strings without their quotes.
fn by_text<'a>(env: &mut Env<'a>, range: &'a Expression) -> HashMap<String, Frozen> {
    let mut found = HashMap::new();
    let Ok(set) = range.value(env) else { return found };
    let Ok(elements) = primed_value::sets::elements(env, set) else { return found };
    for element in elements.iter().take(MAX_RANGE) {
        let text = match element {
            Value::String(symbol) => env.symbols().text(*symbol).to_string(),
            other => match print::print(env, *other) {
                Ok(text) => text,
                Err(_) => continue,
            },
        };
        if let Ok(frozen) = Frozen::new(env, *element) {
            found.insert(text, frozen);
        }
    }
    found
}

fn project<'a>(env: &mut Env<'a>, variables: &[usize]) -> Result<FrozenRow, Box<EvalError>> {
    let row: Option<Vec<Value<'a>>> = variables.iter().map(|i| env.current()[*i]).collect();
    match row {
        Some(row) => FrozenRow::new(env, &row),
        None => Err(EvalError::of_kind(
            EvalErrorKind::Incomplete,
            2106,
            "the predicate for unobserved variables leaves one of them without a value",
        )),
    }
}

fn copy<'a>(env: &mut Env<'a>, rows: &[FrozenRow]) -> Vec<Vec<Value<'a>>> {
    rows.iter().map(|row| primed_value::freeze::copy_row(env.arena(), row.get()).to_vec()).collect()
}

/// Names in backticks with commas.
pub(crate) fn list(names: &[&str]) -> String {
    match names {
        [] => "none".into(),
        names => names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "),
    }
}

fn is_are(names: &[&str]) -> String {
    format!("{} {}", list(names), if names.len() == 1 { "is" } else { "are" })
}
