//! The properties of a model, compiled: what is checked of initial states, states, steps and behaviours.

use std::sync::Arc;

use primed_engine::compile::{Compiler, Expression, Part, PropertyPart, Temporal};
use primed_engine::world::World;
use primed_explore::liveness::formula::{Atom, Formula};
use primed_explore::liveness::normal::{Branch, Problem, Refusal};
use primed_semantics::model::{Behaviour, ExprKind, Level, Located, Model, Named};
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::{SourceFile, Span};
use primed_value::error::{EvalError, Place};

use crate::OpenError;
use crate::model::spec::{Kind, Listed};

/// A formula that is checked, with its name.
pub(super) type Checked = (Arc<str>, Expression);

/// What the properties ask for.
#[derive(Debug, Default)]
pub(super) struct Properties {
    pub(super) initial: Vec<Checked>,
    pub(super) invariants: Vec<Checked>,
    pub(super) actions: Vec<Checked>,
    pub(super) temporal: Option<TemporalProperties>,
    /// All of them, for `TLCGet("spec")`.
    pub(super) listed: Vec<Listed>,
}

/// What is checked of behaviours.
#[derive(Debug)]
pub(super) struct TemporalProperties {
    /// The state predicates, as [`Atom::State`] counts them.
    pub(super) states: Vec<Expression>,
    /// The actions, as [`Atom::Step`] counts them.
    pub(super) steps: Vec<Expression>,
    /// The properties by the names that the configuration gives them; one name may stand for several.
    pub(super) claims: Vec<(Arc<str>, Formula)>,
    pub(super) problem: Problem,
}

/// Numbers the atoms of formulas.
#[derive(Default)]
struct Atoms {
    states: Vec<Expression>,
    steps: Vec<Expression>,
}

impl Atoms {
    fn formula(&mut self, temporal: Temporal) -> Formula {
        match temporal {
            Temporal::Constant(b) => Formula::Constant(b),
            Temporal::State(expression) => {
                self.states.push(expression);
                Formula::Atom(Atom::State(self.states.len() as u32 - 1))
            }
            Temporal::Action(expression) => {
                self.steps.push(expression);
                Formula::Atom(Atom::Step(self.steps.len() as u32 - 1))
            }
            Temporal::Not(inner) => self.formula(*inner).negated(),
            Temporal::And(items) => Formula::And(items.into_iter().map(|i| self.formula(i)).collect()),
            Temporal::Or(items) => Formula::Or(items.into_iter().map(|i| self.formula(i)).collect()),
            Temporal::Always(inner) => self.formula(*inner).always(),
            Temporal::Eventually(inner) => self.formula(*inner).eventually(),
        }
    }
}

impl Properties {
    /// Compiles the properties of a model, and its fairness conditions if they matter.
    ///
    /// # Errors
    /// If a property is not one, is a tautology, or cannot be checked; the code says which.
    pub(super) fn compile<'m>(
        model: &'m Model,
        compiler: &mut Compiler<'m>,
        world: &Arc<dyn World>,
    ) -> Result<Properties, OpenError> {
        let failed = |error: Box<EvalError>| refused(model, &error);
        let mut properties = Properties::default();
        let mut atoms = Atoms::default();
        let mut claims = Vec::new();
        for property in &model.behaviour.properties {
            let parts = compiler.property(&property.name, &property.expr, world).map_err(failed)?;
            for PropertyPart { name, place, part } in parts {
                let kind = match &part {
                    Part::Initial(_) => Kind::Initial,
                    Part::Invariant(_) => Kind::Invariant,
                    Part::Action(_) => Kind::Action,
                    Part::Temporal(_) => Kind::Temporal,
                };
                properties.listed.push((kind, name.clone(), place));
                match part {
                    Part::Initial(expression) => properties.initial.push((name, expression)),
                    Part::Invariant(expression) => properties.invariants.push((name, expression)),
                    Part::Action(expression) => properties.actions.push((name, expression)),
                    Part::Temporal(formula) => claims.push((property.name.clone(), atoms.formula(formula))),
                }
            }
        }
        // Fairness alone is nothing to check.
        if claims.is_empty() {
            return Ok(properties);
        }
        let mut fairness = Vec::new();
        for formula in &model.behaviour.fairness {
            fairness.push(atoms.formula(compiler.temporal(formula, world).map_err(failed)?));
        }
        let formulas: Vec<Formula> = claims.iter().map(|(_, claim)| claim.clone()).collect();
        let place = model.behaviour.properties.first().map_or_else(Place::default, |p| p.expr.place);
        let complain = |code, message: &str| failed(EvalError::new(code, message).at(place));
        let problem = Problem::new(&fairness, &formulas).map_err(|refusal| match refusal {
            Refusal::Step => complain(2214, "Temporal formulas containing actions must be of forms <>[]A or []<>A."),
            Refusal::TooLarge => complain(
                2213,
                "TLC cannot handle the temporal formula because it exceeds the maximum supported size in disjunctive \
                 normal form.",
            ),
            Refusal::Tableau => OpenError::Missing("the tableau of the temporal properties is too large".into()),
        })?;
        if problem.branches.is_empty() {
            return Err(complain(2253, "Temporal formula is a tautology (its negation is unsatisfiable)."));
        }
        properties.temporal = Some(TemporalProperties { states: atoms.states, steps: atoms.steps, claims, problem });
        Ok(properties)
    }
}

/// A complaint about the configuration or the properties it names.
fn refused(model: &Model, error: &EvalError) -> OpenError {
    let place = error.places.first().copied().unwrap_or_default();
    OpenError::Specification(vec![located(model, place, Severity::Error, error.code, error.message.clone())])
}

fn located(model: &Model, place: Place, severity: Severity, code: u32, message: String) -> Located {
    let span = Span::new(place.start, place.end);
    let file = model.sources.get(place.file as usize).cloned().unwrap_or_else(|| SourceFile::new("", ""));
    Located { file, diagnostic: Diagnostic { severity, ..Diagnostic::error(code, message, span) } }
}

/// A property that is the fairness condition of the specification itself (2258), symmetry where temporal properties are checked
/// (2279).
pub(super) fn dangers(model: &Model, properties: &Properties) -> Vec<Located> {
    let behaviour = &model.behaviour;
    let mut warnings = Vec::new();
    let mut warn = |code, place, text: String| warnings.push(located(model, place, Severity::Warning, code, text));
    if let (Some(specification), [property]) = (&behaviour.specification, behaviour.properties.as_slice())
        && let (ExprKind::Call { definition: whole, .. }, ExprKind::Call { definition: claimed, .. }) =
            (&*specification.expr.kind, &*property.expr.kind)
        && !behaviour.fairness.is_empty()
    {
        let (claim, inside) = (model.definition(*claimed), model.definition(*claimed).body.place);
        let within = |p: Place| p.file == inside.file && inside.start <= p.start && p.end <= inside.end;
        if behaviour.fairness.iter().all(|f| within(f.place)) {
            let (name, spec) = (&property.name, &specification.name);
            let (place, of) = (model.describe(claim.place), model.describe(model.definition(*whole).place));
            let text = format!(
                "Implied-temporal checking is a tautology.\nThe temporal formula {name} at {place} equals\nthe fairness \
                 constraints of the behavior specification {spec} at {of}.\nTherefore, checking whether {spec} => {name} using \
                 TLC will never result in a violation of {name}."
            );
            warn(2258, property.expr.place, text);
        }
    }
    if let Some(symmetry) = behaviour.symmetry.as_ref().filter(|_| properties.temporal.is_some()) {
        let text = "Declaring symmetry during liveness checking is dangerous. It might cause TLC to miss violations of the \
                    stated liveness properties. Please check liveness without symmetry defined.";
        warn(2279, symmetry.expr.place, text.into());
    }
    warnings
}

/// What TLC says under a counterexample that stutters where no fairness condition forbids it: 2259, and 2257 without SPECIFICATION.
/// It says nothing if the properties are such that a finite behaviour can violate them.
pub(super) fn unfair(model: &Model, problem: &Problem) -> Option<(u32, String)> {
    let cycles = |branch: &Branch| !branch.demands.is_empty();
    let promised = problem.tableaux.iter().any(|tableau| tableau.promises_always());
    let behaviour = &model.behaviour;
    if !behaviour.fairness.is_empty() || !(promised || problem.branches.iter().any(cycles)) {
        return None;
    }
    let see =
        "(compare Chapter 8, page 87ff of Specifying Systems at https://lamport.azurewebsites.net/tla/book.html).";
    let Some(Named { name, expr }) = &behaviour.specification else {
        let text = format!(
            "The stuttering counterexample above may be caused by the absence of a behavior specification (SPECIFICATION). Only \
             INIT and NEXT have been provided, so TLC permits infinite stuttering. To rule out such counterexamples, use \
             SPECIFICATION Spec, with Spec asserting a suitable fairness constraint {see}"
        );
        return Some((2257, text));
    };
    let ExprKind::Call { definition, .. } = &*expr.kind else { return None };
    let place = model.describe(model.definition(*definition).place);
    let text = format!(
        "The stuttering counterexample above may be caused by the absence of a fairness constraint in the behavior specification \
         {name} defined at {place}. To rule out such counterexamples, conjoin a suitable fairness constraint to {name} {see}"
    );
    Some((2259, text))
}

/// Properties that say something of initial states only (TLC 2255).
pub(super) fn warnings(model: &Model, behaviour: &Behaviour) -> Vec<Located> {
    let properties = behaviour.properties.iter().filter(|p| p.expr.level == Level::State);
    let defined = properties.filter(|p| matches!(&*p.expr.kind, ExprKind::Call { .. }));
    let warning = |p: &Named| {
        let name = &p.name;
        let message = format!(
            "The formula {name} is a state-level formula, but it was used as a PROPERTY (or PROPERTIES), where a temporal formula \
             is typically expected. State-level formulas used as PROPERTY or PROPERTIES are only checked in the initial state. To \
             verify that the formula {name} holds in all states of every behavior, use INVARIANT {name} instead. Alternatively, \
             applying the \"always\" temporal operator ([]) to the state-level formula {name} changes it into a temporal formula, \
             asserting that {name} holds in all states of every behavior. See \
             https://explain.tlapl.us/invariants-and-properties for additional details."
        );
        located(model, p.expr.place, Severity::Warning, 2255, message)
    };
    defined.map(warning).collect()
}
