//! Temporal formulas: their operators unfolded, what is below them compiled to state predicates and actions.
//!
//! Operators, LET and instances are written out, `\A` and `\E` over constant sets become conjunctions and disjunctions, fairness
//! is expanded, as TLC does it. What TLC cannot handle is refused with its code 2213.

use std::sync::Arc;

use primed_semantics::model::{
    Argument, Bound, Builtin, DefinitionId, Expr, ExprKind, Level, LocalDefinition, Param, Subscripted,
};
use primed_value::error::{EvalError, EvalErrorKind, Place};
use primed_value::freeze::Frozen;
use primed_value::host::{Limits, Result};
use primed_value::value::Value;
use primed_value::{functions, iterate, sets};

use super::analysis::each_child;
use super::{Binding, Compiler, Expression, Finds, Names};
use crate::actions;
use crate::coverage::Costs;
use crate::env::Env;
use crate::natives;
use crate::node::{Action, Code};
use crate::nodes::step::Step;
use crate::nodes::{control, logic};
use crate::program::{Global, Program};
use crate::world::World;

/// Formulas nested in each other.
const MAX_DEPTH: usize = 500;
/// Parts that a quantifier over a set may become.
const MAX_PARTS: usize = 100_000;

/// A temporal formula with its state predicates and actions compiled.
#[derive(Debug)]
pub enum Temporal {
    /// TRUE or FALSE.
    Constant(bool),
    /// A state predicate.
    State(Expression),
    /// An action.
    Action(Expression),
    /// `~F`.
    Not(Box<Temporal>),
    /// A conjunction.
    And(Vec<Temporal>),
    /// A disjunction.
    Or(Vec<Temporal>),
    /// `[]F`.
    Always(Box<Temporal>),
    /// `<>F`.
    Eventually(Box<Temporal>),
}

impl Temporal {
    fn negated(self) -> Temporal {
        Temporal::Not(Box::new(self))
    }

    fn always(self) -> Temporal {
        Temporal::Always(Box::new(self))
    }

    fn eventually(self) -> Temporal {
        Temporal::Eventually(Box::new(self))
    }
}

/// An element of each set that a quantifier ranges over, for each of its names.
pub(super) type Choice<'m> = Names<'m>;

impl<'m> Compiler<'m> {
    /// TLC's complaint about a formula that it cannot handle.
    pub(super) fn refused(&self, place: Place) -> Box<EvalError> {
        let text = format!("TLC cannot handle the temporal formula {}", self.model.describe(place));
        EvalError::new(2213, text).at(place)
    }

    /// The same, where TLC says why.
    fn refused_for(&self, place: Place, why: &EvalError) -> Box<EvalError> {
        let mut refused = self.refused(place);
        refused.message = format!("{}:\n{}", refused.message, why.message);
        refused
    }

    /// TLC's complaint about a constant that is no Boolean (2215).
    pub(super) fn no_boolean(&self, expr: &Expr) -> Box<EvalError> {
        let text = self.text_of(expr);
        EvalError::new(2215, format!("TLC expected a boolean value, but did not find one. {text}")).at(expr.place)
    }

    /// What TLC prints for an expression: a number, or a place.
    fn text_of(&self, expr: &Expr) -> String {
        match &*expr.kind {
            ExprKind::Int(_) => self.model.text(expr.place).to_owned(),
            _ => self.model.describe(expr.place),
        }
    }

    /// Compiles a temporal formula. `world` is what constants are evaluated in.
    ///
    /// # Errors
    /// 2213 if TLC cannot handle it; what the evaluation of a constant gives.
    pub fn temporal(&mut self, expr: &'m Expr, world: &Arc<dyn World>) -> Result<Temporal> {
        self.analysis.count(expr);
        self.formula(expr, &Names::default(), world, 0)
    }

    pub(super) fn formula(
        &mut self,
        expr: &'m Expr,
        names: &Names<'m>,
        world: &Arc<dyn World>,
        depth: usize,
    ) -> Result<Temporal> {
        if depth > MAX_DEPTH {
            let message = format!("a temporal formula is nested more than {MAX_DEPTH} levels deep");
            return Err(EvalError::of_kind(EvalErrorKind::Limit, 1000, message).at(expr.place));
        }
        let level = self.level(expr, names);
        if level != Level::Temporal {
            self.constant_parts(expr, names, world, 0)?;
        }
        stacker::maybe_grow(256 << 10, 8 << 20, || match level {
            Level::Temporal => self.above(expr, names, world, depth + 1),
            Level::Constant => self.constant_formula(expr, names, world),
            Level::State => Ok(Temporal::State(self.leaf(|c| c.code(expr, names)))),
            Level::Action => match &*expr.kind {
                ExprKind::Subscripted { kind: Subscripted::Angle, action, subscript } => {
                    Ok(self.step(action, subscript, expr.place, names))
                }
                _ => Ok(Temporal::Action(self.leaf(|c| c.code(expr, names)))),
            },
        })
    }

    fn leaf(&mut self, compile: impl FnOnce(&mut Self) -> Code) -> Expression {
        let (code, frame) = self.in_frame(compile);
        Expression { code, frame, pure: false }
    }

    /// A formula that contains temporal operators.
    fn above(&mut self, expr: &'m Expr, names: &Names<'m>, world: &Arc<dyn World>, depth: usize) -> Result<Temporal> {
        let each = |c: &mut Self, items: &'m [Expr]| -> Result<Vec<Temporal>> {
            items.iter().map(|i| c.formula(i, names, world, depth)).collect()
        };
        match &*expr.kind {
            ExprKind::Junction { and, items } => {
                let items = each(self, items)?;
                Ok(if *and { Temporal::And(items) } else { Temporal::Or(items) })
            }
            ExprKind::Builtin { op, args } => {
                use Builtin::{Always, And, Eventually, Implies, LeadsTo, Not, Or};
                if !matches!(op, And | Or | Implies | LeadsTo | Not | Always | Eventually) {
                    return Err(self.refused(expr.place));
                }
                let mut items = each(self, args)?;
                let last = items.pop().ok_or_else(|| self.refused(expr.place))?;
                let first = items.pop();
                match (op, first) {
                    (And, Some(first)) => Ok(Temporal::And(vec![first, last])),
                    (Or, Some(first)) => Ok(Temporal::Or(vec![first, last])),
                    (Implies, Some(first)) => Ok(Temporal::Or(vec![first.negated(), last])),
                    (LeadsTo, Some(first)) => Ok(Temporal::Or(vec![first.negated(), last.eventually()]).always()),
                    (Not, None) => Ok(last.negated()),
                    (Always, None) => Ok(last.always()),
                    (Eventually, None) => Ok(last.eventually()),
                    _ => Err(self.refused(expr.place)),
                }
            }
            ExprKind::If(condition, yes, no) => {
                let mut guard = || self.formula(condition, names, world, depth);
                let (guard, not) = (guard()?, guard()?.negated());
                let (yes, no) = (self.formula(yes, names, world, depth)?, self.formula(no, names, world, depth)?);
                Ok(Temporal::Or(vec![Temporal::And(vec![guard, yes]), Temporal::And(vec![not, no])]))
            }
            ExprKind::Quantified { forall, bounds, body } => {
                self.quantified(expr, (*forall, bounds, body), names, world, depth)
            }
            ExprKind::Subscripted { kind, action, subscript } => {
                self.fairness(*kind, action, subscript, expr.place, names)
            }
            // TLC does not look into what is passed to an operator here.
            ExprKind::Local(local) if self.parameters.contains(local) => Err(self.refused(expr.place)),
            _ => match self.unfold(expr, names) {
                Some((body, names)) => {
                    let formula = self.formula(body, &names, world, depth);
                    match &*expr.kind {
                        // What goes wrong inside an operator's definition is forgotten.
                        ExprKind::Call { .. } | ExprKind::CallLocal { .. } => {
                            formula.map_err(|e| self.outside(expr, e))
                        }
                        _ => formula,
                    }
                }
                None => Err(self.refused(expr.place)),
            },
        }
    }

    /// A complaint about a part, as TLC makes it of the whole. A limit of Primed stays what it is.
    fn outside(&self, expr: &Expr, error: Box<EvalError>) -> Box<EvalError> {
        if error.kind == EvalErrorKind::Limit { error } else { self.refused(expr.place) }
    }

    /// A conjunction or disjunction of what the body says for each element.
    fn quantified(
        &mut self,
        expr: &'m Expr,
        (forall, bounds, body): (bool, &'m [Bound], &'m Expr),
        names: &Names<'m>,
        world: &Arc<dyn World>,
        depth: usize,
    ) -> Result<Temporal> {
        let parts = self.choices(bounds, names, world).and_then(|choices| {
            choices.iter().map(|names| self.formula(body, names, world, depth)).collect::<Result<Vec<_>>>()
        });
        match parts {
            Ok(parts) if parts.is_empty() => Ok(Temporal::Constant(forall)),
            Ok(parts) if forall => Ok(Temporal::And(parts)),
            Ok(parts) => Ok(Temporal::Or(parts)),
            Err(error) if error.kind == EvalErrorKind::Limit => Err(error),
            // TLC says why of `\A` only.
            Err(error) if forall => Err(self.refused_for(expr.place, &error)),
            Err(_) => Err(self.refused(expr.place)),
        }
    }

    /// `WF_v(A)` is `[]<>(~ENABLED <<A>>_v \/ <<A>>_v)`, `SF_v(A)` is `<>[]~ENABLED <<A>>_v \/ []<><<A>>_v`.
    fn fairness(
        &mut self,
        kind: Subscripted,
        action: &'m Expr,
        subscript: &'m Expr,
        place: Place,
        names: &Names<'m>,
    ) -> Result<Temporal> {
        let inside = names.in_enabled();
        let enabled = self.leaf(|c| {
            let names = &inside;
            // Every variable of the subscript must have got a value, also if another one shows the change (TLC 2148).
            let right = c.code(subscript, names);
            let left = c.code(subscript, &Names { primed: true, ..names.clone() });
            let places = [place, subscript.place, subscript.place];
            let condition = Box::new(logic::Equal { negated: true, left, right, places });
            let changes = Box::new(actions::Guard { condition, place });
            let steps: Vec<Box<dyn Action>> = vec![c.action(action, names, Finds::Next), changes];
            Box::new(control::Enabled { action: Box::new(actions::All(steps)), variables: c.state_width() })
        });
        let disabled = Temporal::State(enabled).negated();
        let step = self.step(action, subscript, place, names);
        match kind {
            Subscripted::WeakFairness => Ok(Temporal::Or(vec![disabled, step]).eventually().always()),
            Subscripted::StrongFairness => {
                Ok(Temporal::Or(vec![disabled.always().eventually(), step.eventually().always()]))
            }
            Subscripted::Square | Subscripted::Angle => Err(self.refused(place)),
        }
    }

    /// `<<A>>_v` as a formula by itself: TLC looks at the subscript first.
    fn step(&mut self, action: &'m Expr, subscript: &'m Expr, place: Place, names: &Names<'m>) -> Temporal {
        Temporal::Action(self.leaf(|c| {
            let rest = c.changes(subscript, place, names);
            if c.is_next_relation(action) {
                return rest;
            }
            Box::new(Step { square: false, action: c.code(action, names), rest, late: true, place })
        }))
    }

    /// The action is the next-state relation: every step that changes something is one of it.
    fn is_next_relation(&self, action: &Expr) -> bool {
        let definition = |expr: &Expr| match &*expr.kind {
            ExprKind::Call { definition, args } if args.is_empty() => Some(*definition),
            _ => None,
        };
        let next = self.model.behaviour.next.as_ref().and_then(definition);
        next.is_some() && next == definition(action)
    }

    /// `v' # v`.
    fn changes(&mut self, subscript: &'m Expr, place: Place, names: &Names<'m>) -> Code {
        let operand = self.unchanged(subscript, place, names);
        Box::new(logic::Not { operand, operand_place: subscript.place, place })
    }

    fn constant_formula(&mut self, expr: &'m Expr, names: &Names<'m>, world: &Arc<dyn World>) -> Result<Temporal> {
        let value = self.constant_value(expr, names, world)?;
        match value.get() {
            Value::Bool(b) => Ok(Temporal::Constant(b)),
            _ => Err(self.no_boolean(expr)),
        }
    }

    /// The value of a constant expression.
    pub(super) fn constant_value(
        &mut self,
        expr: &'m Expr,
        names: &Names<'m>,
        world: &Arc<dyn World>,
    ) -> Result<Frozen> {
        let expression = self.leaf(|c| c.code(expr, names));
        let program = self.program_so_far(world);
        let arena = bumpalo::Bump::new();
        let mut env = Env::new(&program, &arena);
        let value = expression.value(&mut env)?;
        Frozen::new(&mut env, value)
    }

    fn program_so_far(&self, world: &Arc<dyn World>) -> Program {
        let (names, symbols) = (self.model.variables.clone(), self.model.symbols.clone());
        Program::new(
            names,
            symbols,
            Limits::of_search(),
            world.clone(),
            (self.functions.clone(), Costs::default()),
            false,
        )
    }

    /// Every way to bind the names of a quantifier over constant sets.
    ///
    /// # Errors
    /// If a set is not constant, cannot be evaluated or cannot be listed.
    pub(super) fn choices(
        &mut self,
        bounds: &'m [Bound],
        names: &Names<'m>,
        world: &Arc<dyn World>,
    ) -> Result<Vec<Choice<'m>>> {
        let mut choices = vec![names.clone()];
        for bound in bounds {
            let Some(expr) = &bound.set else { return Err(self.refused(Place::default())) };
            let place = expr.place;
            // In no state a variable is an error, as for TLC.
            let set = self.constant_value(expr, names, world).map_err(|error| self.in_no_state(error))?;
            let program = self.program_so_far(world);
            let arena = bumpalo::Bump::new();
            let mut env = Env::new(&program, &arena);
            if !sets::is_enumerable(set.get()) {
                let why = iterate::non_enumerable_bound(&mut env, set.get());
                return Err(self.of_bound(expr, why));
            }
            let elements = sets::elements(&mut env, set.get())?;
            let groups: Vec<Vec<&Param>> = match bound.tuple {
                true => vec![bound.locals.iter().collect()],
                false => bound.locals.iter().map(|local| vec![local]).collect(),
            };
            for group in groups {
                if choices.len().saturating_mul(elements.len()) > MAX_PARTS {
                    return Err(EvalError::of_kind(EvalErrorKind::Limit, 1000, "a quantifier has too many parts"));
                }
                let mut more = Vec::new();
                for names in &choices {
                    for element in elements {
                        let bound = bind(&mut env, names, &group, *element, bound.tuple)?;
                        more.push(bound.ok_or_else(|| self.refused(place))?);
                    }
                }
                choices = more;
            }
        }
        Ok(choices)
    }

    /// TLC tells the place of a variable that has no value in its words.
    fn in_no_state(&self, mut error: Box<EvalError>) -> Box<EvalError> {
        if let (EvalErrorKind::Incomplete, Some(place)) = (&error.kind, error.places.first()) {
            error.message = format!("{}\n{}", error.message, self.model.describe(*place));
        }
        error
    }

    /// And that of what a quantifier cannot enumerate: behind it, or before what follows about infinite sets.
    fn of_bound(&self, expr: &Expr, mut error: Box<EvalError>) -> Box<EvalError> {
        let text = self.text_of(expr);
        error.message = match error.message.split_once("\nThe set ") {
            Some((bound, about)) => format!("{bound}\n{text}\nThe set {about}"),
            None => format!("{}\n{text}", error.message),
        };
        error
    }

    /// Writes out what stands at the top of an expression, a name, LET or operator: its body, with the names in there. `None`
    /// if there is nothing to write out.
    pub(super) fn unfold(&mut self, expr: &'m Expr, names: &Names<'m>) -> Option<(&'m Expr, Names<'m>)> {
        match &*expr.kind {
            ExprKind::Instanced { instance, body } => Some((body, Names { instance: *instance, ..names.clone() })),
            ExprKind::StandIn { value, .. } => Some((value, names.clone())),
            ExprKind::Let { definitions, body } => Some((body, written_let(definitions, names))),
            ExprKind::Local(local) => match names.bindings.get(local) {
                Some(Binding::Written { expr, names }) => Some((expr, names.clone())),
                _ => None,
            },
            ExprKind::CallLocal { local, args } => match names.bindings.get(local) {
                Some(Binding::Operator { params, body, names: inner }) => {
                    self.parameters.extend(params.iter().map(|p| p.local));
                    Some((body, written_arguments(params, args, names, inner)))
                }
                _ => None,
            },
            ExprKind::Call { definition, args } => {
                let definition = self.model.definition(*definition);
                if definition.recursive || natives::lookup(definition).is_some() {
                    return None;
                }
                self.parameters.extend(definition.params.iter().map(|p| p.local));
                Some((&definition.body, written_arguments(&definition.params, args, names, names)))
            }
            _ => None,
        }
    }

    /// The level of an expression, with what its names stand for.
    pub(super) fn level(&mut self, expr: &'m Expr, names: &Names<'m>) -> Level {
        if self.is_temporal(expr, names, 0) {
            return Level::Temporal;
        }
        let facts = self.whole_facts(expr, names);
        match (facts.next, facts.current || facts.moment) {
            (true, _) => Level::Action,
            (false, true) => Level::State,
            (false, false) => Level::Constant,
        }
    }

    fn is_temporal(&mut self, expr: &'m Expr, names: &Names<'m>, depth: usize) -> bool {
        if depth > MAX_DEPTH || self.mentions_temporal(expr) {
            return true;
        }
        let free = self.analysis.facts(expr).free.clone();
        free.iter().any(|local| match names.bindings.get(local).cloned() {
            Some(Binding::Written { expr, names }) => self.is_temporal(expr, &names, depth + 1),
            Some(Binding::Operator { body, names, .. }) => self.is_temporal(body, &names, depth + 1),
            _ => false,
        })
    }

    /// A temporal operator occurs in an expression or in what it calls.
    fn mentions_temporal(&mut self, expr: &'m Expr) -> bool {
        let mut found = false;
        match &*expr.kind {
            ExprKind::TemporalQuantified { .. } => return true,
            ExprKind::Builtin { op, .. } => {
                use Builtin::{Always, Eventually, Guarantees, LeadsTo};
                found = matches!(op, Always | Eventually | LeadsTo | Guarantees);
            }
            ExprKind::Subscripted { kind, .. } => {
                found = matches!(kind, Subscripted::WeakFairness | Subscripted::StrongFairness);
            }
            ExprKind::Call { definition, .. } => found = self.definition_mentions_temporal(*definition),
            _ => {}
        }
        stacker::maybe_grow(128 << 10, 4 << 20, || {
            each_child(expr, &mut |child| found = found || self.mentions_temporal(child));
        });
        found
    }

    fn definition_mentions_temporal(&mut self, id: DefinitionId) -> bool {
        if let Some(known) = self.temporal_definitions.get(&id) {
            return *known;
        }
        // A definition that only calls itself has no temporal operator of its own.
        self.temporal_definitions.insert(id, false);
        let definition = self.model.definition(id);
        let found = natives::lookup(definition).is_none() && self.mentions_temporal(&definition.body);
        self.temporal_definitions.insert(id, found);
        found
    }
}

/// The names with an element, or its components, bound; `None` if it has not as many.
fn bind<'a, 'm>(
    env: &mut Env<'a>,
    names: &Names<'m>,
    locals: &[&Param],
    element: Value<'a>,
    tuple: bool,
) -> Result<Option<Names<'m>>> {
    let components = match tuple {
        true => match functions::as_sequence(env, element).filter(|c| c.len() == locals.len()) {
            Some(components) => components,
            None => return Ok(None),
        },
        false => env.copied(&[element]),
    };
    let mut names = names.clone();
    for (local, value) in locals.iter().zip(components) {
        let value = Arc::new(Global::known(Frozen::new(env, *value)?));
        names.bindings.insert(local.local, Binding::Known(value));
    }
    Ok(Some(names))
}

fn written_let<'m>(definitions: &'m [LocalDefinition], names: &Names<'m>) -> Names<'m> {
    let mut inner = names.clone();
    for LocalDefinition { local, params, body, .. } in definitions {
        let names = inner.clone();
        let binding = match params.is_empty() {
            true => Binding::Written { expr: body, names },
            false => Binding::Operator { params, body, names },
        };
        inner.bindings.insert(*local, binding);
    }
    inner
}

fn written_arguments<'m>(params: &'m [Param], args: &'m [Argument], outer: &Names<'m>, inner: &Names<'m>) -> Names<'m> {
    let mut names = inner.clone();
    for (param, arg) in params.iter().zip(args) {
        let binding = match arg {
            Argument::Value(expr) => Binding::Written { expr, names: outer.clone() },
            Argument::Operator(lambda) => {
                Binding::Operator { params: &lambda.params, body: &lambda.body, names: outer.clone() }
            }
        };
        names.bindings.insert(param.local, binding);
    }
    names
}
