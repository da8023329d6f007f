//! The properties of a model, compiled: what is checked of initial states, states, steps and behaviours.

use std::sync::Arc;

use primed_engine::compile::{Compiler, Expression, Part, PropertyPart, Temporal};
use primed_engine::world::World;
use primed_explore::liveness::formula::{Atom, Formula};
use primed_explore::liveness::normal::{Problem, Refusal};
use primed_semantics::model::{Behaviour, ExprKind, Level, Located, Model};
use primed_syntax::diagnostic::{Diagnostic, Severity};
use primed_syntax::span::{SourceFile, Span};
use primed_value::error::{EvalError, Place};

use crate::OpenError;
use crate::model::spec::{Kind, Listed};

/// A named formula that is checked.
pub(super) type Named = (Arc<str>, Expression);

/// What the properties ask for.
#[derive(Debug, Default)]
pub(super) struct Properties {
    pub(super) initial: Vec<Named>,
    pub(super) invariants: Vec<Named>,
    pub(super) actions: Vec<Named>,
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

/// Properties that say something of initial states only (TLC 2255).
pub(super) fn warnings(model: &Model, behaviour: &Behaviour) -> Vec<Located> {
    let properties = behaviour.properties.iter().filter(|p| p.expr.level == Level::State);
    let defined = properties.filter(|p| matches!(&*p.expr.kind, ExprKind::Call { .. }));
    let warning = |p: &primed_semantics::model::Named| {
        let message = format!(
            "the property `{}` is a state predicate: it is checked of the initial states only; if an invariant is \
             meant, name it under INVARIANT",
            p.name
        );
        located(model, p.expr.place, Severity::Warning, 2255, message)
    };
    defined.map(warning).collect()
}
