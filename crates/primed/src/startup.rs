//! What TLC looks at before it searches a model: whether there is something to search, and whether formulas that the
//! configuration names are mere values.

use std::sync::Arc;

use bumpalo::Bump;
use primed_engine::compile::Compiler;
use primed_engine::env::Env;
use primed_engine::world::World;
use primed_semantics::model::{Argument, Builtin, Expr, ExprKind, Level, Located, Model, Named};
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::Span;
use primed_value::error::Place;
use primed_value::host::Limits;
use primed_value::{print, sets};

use crate::OpenError;
use crate::files::Permissions;

/// Operators whose value depends on the search, though they read no variable.
const ASK_THE_RUN: [(&str, &str); 5] = [
    ("TLC", "TLCGet"),
    ("TLCExt", "Trace"),
    ("TLCExt", "CounterExample"),
    ("TLCExt", "TLCGetOrDefault"),
    ("TLCExt", "TLCGetAndSet"),
];

/// What is to be searched.
pub(crate) struct Search {
    pub(crate) init: Expr,
    pub(crate) next: Expr,
    /// Nothing: there are only assumptions.
    pub(crate) only_assumptions: bool,
}

/// The initial predicate and the next-state relation of a model.
///
/// # Errors
/// If one is missing though there is something to search (2231, 2232, 2115).
pub(crate) fn search(model: &Model) -> Result<Search, OpenError> {
    let behaviour = &model.behaviour;
    let demands = !behaviour.invariants.is_empty() || !behaviour.properties.is_empty();
    let error = |code: u32, text: &str| Err(OpenError::Startup { code, text: text.into() });
    match (&behaviour.init, &behaviour.next) {
        (Some(init), Some(next)) => Ok(Search { init: init.clone(), next: next.clone(), only_assumptions: false }),
        (None, _) if demands || !model.variables.is_empty() => {
            error(2231, "The configuration file did not specify the initial state predicate.")
        }
        (_, None) if demands => error(2232, "The configuration file did not specify the next state predicate."),
        (Some(_), None) => error(2115, "No next state actions defined to generate successor states from."),
        (None, _) => {
            let nowhere = Place { file: 0, start: 0, end: 0 };
            let truth = |b| Expr { kind: Box::new(ExprKind::Bool(b)), place: nowhere, level: Level::Constant };
            Ok(Search { init: truth(true), next: truth(false), only_assumptions: true })
        }
    }
}

/// What the next-state relation is split into must not be a number or a string as it is written. TLC finds that where it expects no
/// error; inside of quantifiers and operators only when it gets there.
///
/// # Errors
/// If there is one.
pub(crate) fn literal_actions(model: &Model, next: &Expr) -> Result<(), OpenError> {
    let mut todo = vec![model.body(next)];
    while let Some(action) = todo.pop() {
        let text = match &*action.kind {
            ExprKind::Int(_) => model.text(action.place).to_owned(),
            ExprKind::String(_) => model.describe(action.place),
            ExprKind::Junction { and: false, items } | ExprKind::Builtin { op: Builtin::Or, args: items } => {
                todo.extend(items.iter().rev());
                continue;
            }
            ExprKind::Let { body, .. } => {
                todo.push(body);
                continue;
            }
            _ => continue,
        };
        let text = format!("The next state relation is not a boolean expression.\n{text}");
        return Err(refused(model, action, 1000, text));
    }
    Ok(())
}

/// SPECIFICATION must not be a value (2230).
///
/// # Errors
/// If it is one.
pub(crate) fn constant_specification(model: &Model, permissions: &Arc<Permissions>) -> Result<(), OpenError> {
    let Some(Named { name, expr }) = &model.behaviour.specification else { return Ok(()) };
    match value(model, expr, permissions) {
        Some(value) => Err(refused(model, expr, 2230, format!("The value of {name} is equal to {value}"))),
        None => Ok(()),
    }
}

/// Formulas of constant level that the configuration names: TLC takes their value for them. Of an invariant that is TRUE comes a
/// warning (2149).
///
/// # Errors
/// If such a formula is not TRUE (2230), or is the initial predicate or the next-state action (2233).
pub(crate) fn constant_formulas(model: &Model, permissions: &Arc<Permissions>) -> Result<Vec<Located>, OpenError> {
    let behaviour = &model.behaviour;
    let mut warnings = Vec::new();
    let kinds = [
        ("invariant", &behaviour.invariants),
        ("property", &behaviour.properties),
        ("constraint", &behaviour.constraints),
        ("action constraint", &behaviour.action_constraints),
    ];
    for (kind, formulas) in kinds {
        for formula in formulas {
            let name = &formula.name;
            match value(model, &formula.expr, permissions).as_deref() {
                Some("TRUE") if kind == "invariant" => {
                    let text = format!(
                        "The invariant {name} is a constant-level formula (i.e., it contains no variables, primes, or temporal operators) and evaluates to TRUE. To assert constant-level formulas in your spec, use ASSUME ConstInv. If you optionally want to give the assumption a name, write ASSUME YourAssumption == ConstInv instead. See https://explain.tlapl.us/assumptions-and-invariants for additional details."
                    );
                    warnings.extend(located(model, &formula.expr, Severity::Warning, 2149, text));
                }
                Some("TRUE") | None => {}
                Some(other) => {
                    let text = format!("The {kind} of {name} is equal to {other}");
                    return Err(refused(model, &formula.expr, 2230, text));
                }
            }
        }
    }
    let parts = [("initial predicate", &behaviour.init), ("next state action", &behaviour.next)];
    let view = behaviour.view.as_ref().map(|view| ("view function", &view.expr));
    let parts =
        parts.into_iter().filter(|_| behaviour.named_parts).filter_map(|(kind, part)| Some((kind, part.as_ref()?)));
    for (kind, expr) in parts.chain(view) {
        if value(model, expr, permissions).is_some() {
            return Err(not_constant(model, (kind, 2233), expr));
        }
    }
    // What TLC takes from the specification as it is written.
    let reward = behaviour.rl_reward.as_ref().filter(|r| configured(model, &r.expr));
    if let Some(reward) = reward {
        return Err(not_constant(model, ("rlreward", 2233), &reward.expr));
    }
    Ok(warnings)
}

/// Why the post-conditions cannot be evaluated, if one of them is not defined, has parameters, or is a value for TLC, which finds it
/// where it expects no error.
pub(crate) fn unusable_postcondition(model: &Model, permissions: &Arc<Permissions>) -> Option<OpenError> {
    if let Some(unusable) = &model.behaviour.unusable_postcondition {
        return Some(OpenError::Specification(vec![unusable.clone()]));
    }
    let condition = model.behaviour.postconditions.iter().find(|p| value(model, &p.expr, permissions).is_some())?;
    Some(not_constant(model, ("post condition", 1000), &condition.expr))
}

/// Sets whose permutations SYMMETRY names though they have less than two elements (TLC 2300).
pub(crate) fn small_symmetry(model: &Model, world: &Arc<dyn World>) -> Vec<Located> {
    let Some(symmetry) = &model.behaviour.symmetry else { return Vec::new() };
    let ExprKind::Call { definition, .. } = &*symmetry.expr.kind else { return Vec::new() };
    let body = &model.definition(*definition).body;
    let arguments: Vec<&Expr> = match &*body.kind {
        ExprKind::Call { args, .. } => args.iter().filter_map(value_argument).collect(),
        ExprKind::Builtin { args, .. } => args.iter().collect(),
        _ => return Vec::new(),
    };
    let Some(functions) = size(model, body, world) else { return Vec::new() };
    // TLC looks at each set only if there are more functions than sets.
    let all = arguments.len() >= functions;
    let small = |argument: &&Expr| all || permuted(model, argument).and_then(|set| size(model, set, world)) == Some(1);
    let names: Vec<&str> = arguments
        .iter()
        .filter(|argument| small(argument))
        .map(|argument| model.text(permuted(model, argument).unwrap_or(argument).place))
        .collect();
    let (sets, have, contain) = if names.len() > 1 { ("s", "have", "") } else { ("", "has", "s") };
    let text = format!(
        "The set{sets} {} {have} been defined to be a symmetry set but contain{contain} less than two elements.",
        names.join(", and ")
    );
    let warning = located(model, &symmetry.expr, Severity::Warning, 2300, text);
    warning.into_iter().filter(|_| !names.is_empty()).collect()
}

fn value_argument(argument: &Argument) -> Option<&Expr> {
    match argument {
        Argument::Value(expr) => Some(expr),
        Argument::Operator(_) => None,
    }
}

/// The set in `Permutations(set)`.
fn permuted<'m>(model: &Model, expr: &'m Expr) -> Option<&'m Expr> {
    match &*expr.kind {
        ExprKind::Call { definition, args } if &*model.definition(*definition).name == "Permutations" => {
            args.first().and_then(value_argument)
        }
        _ => None,
    }
}

/// How many elements a constant set has, if that can be found.
fn size(model: &Model, expr: &Expr, world: &Arc<dyn World>) -> Option<usize> {
    let mut compiler = Compiler::new(model);
    let compiled = compiler.expression(expr);
    let program = compiler.finish(Limits::of_search(), world.clone());
    let arena = Bump::new();
    let mut env = Env::new(&program, &arena);
    let set = compiled.value(&mut env).ok()?;
    usize::try_from(sets::cardinality(&mut env, set).ok()?).ok()
}

fn not_constant(model: &Model, (kind, code): (&str, u32), expr: &Expr) -> OpenError {
    let name = match &*expr.kind {
        ExprKind::Call { definition, .. } => model.definition(*definition).name.to_string(),
        _ => model.text(expr.place).to_owned(),
    };
    refused(model, expr, code, format!("The {kind} {name} cannot be a constant."))
}

/// Whether an operator's value stands in the configuration.
fn configured(model: &Model, expr: &Expr) -> bool {
    let ExprKind::Call { definition, .. } = &*expr.kind else { return true };
    let definition = model.definition(*definition);
    definition.body.place.file != definition.place.file
}

/// TLC takes the value of an operator of constant level for the operator, unless its definition is a number or a string.
pub(crate) fn may_be_value(model: &Model, expr: &Expr) -> bool {
    let literal = matches!(*model.body(expr).kind, ExprKind::Int(_) | ExprKind::String(_));
    primed_engine::is_constant(model, expr) && (!literal || configured(model, expr))
}

/// The value of a formula, if it is one for TLC.
fn value(model: &Model, expr: &Expr, permissions: &Arc<Permissions>) -> Option<String> {
    if !may_be_value(model, expr) {
        return None;
    }
    let mut compiler = Compiler::new(model);
    let compiled = compiler.expression(expr);
    // TLC takes what depends on the search for a state function.
    if ASK_THE_RUN.iter().any(|(module, name)| compiler.asks(module, name)) {
        return None;
    }
    let program = compiler.finish(Limits::of_search(), permissions.clone());
    let arena = Bump::new();
    let mut env = Env::new(&program, &arena);
    let value = compiled.value(&mut env).and_then(|v| print::print(&mut env, v));
    value.ok()
}

fn located(model: &Model, expr: &Expr, severity: Severity, code: u32, message: String) -> Option<Located> {
    let file = model.sources.get(expr.place.file as usize)?.clone();
    let span = Span::new(expr.place.start, expr.place.end);
    Some(Located { file, diagnostic: Diagnostic { severity, code, message, span, help: None, notes: Vec::new() } })
}

fn refused(model: &Model, expr: &Expr, code: u32, text: String) -> OpenError {
    match located(model, expr, Severity::Error, code, text.clone()) {
        Some(complaint) => OpenError::Specification(vec![complaint]),
        None => OpenError::Startup { code, text },
    }
}
