//! What a PROPERTY of a configuration asks for: it is taken apart into what is checked on initial states, on states, on steps
//! and on behaviours (`SANY_AND_TLC.md` 4.2).

use std::sync::Arc;

use primed_semantics::model::{Builtin, Expr, ExprKind, Level, Subscripted};
use primed_value::error::{EvalError, Place};
use primed_value::host::Result;

use super::temporal::Temporal;
use super::{Compiler, Expression, Names};
use crate::world::World;

/// Parts inside each other.
const MAX_DEPTH: usize = 500;

/// What has to hold, and of what.
#[derive(Debug)]
pub enum Part {
    /// Of the initial states.
    Initial(Expression),
    /// Of every state: `[]P`.
    Invariant(Expression),
    /// Of every step: `[][A]_v`.
    Action(Expression),
    /// Of every behaviour.
    Temporal(Temporal),
}

/// A part of a property.
#[derive(Debug)]
pub struct PropertyPart {
    /// TLC's name for it: that of the innermost definition, or the text of the formula.
    pub name: Arc<str>,
    /// The formula.
    pub place: Place,
    /// What it asks for.
    pub part: Part,
}

/// What is the same all the way down.
struct Splitting<'w> {
    world: &'w Arc<dyn World>,
    parts: Vec<PropertyPart>,
}

impl<'m> Compiler<'m> {
    /// Takes a property apart. `world` is what constants are evaluated in.
    ///
    /// # Errors
    /// 2272, 2273 or 2274 for an action; 2253 for a quantifier over an empty set; as [`Compiler::temporal`].
    pub fn property(&mut self, name: &Arc<str>, expr: &'m Expr, world: &Arc<dyn World>) -> Result<Vec<PropertyPart>> {
        self.analysis.count(expr);
        let mut splitting = Splitting { world, parts: Vec::new() };
        self.take_apart(name.clone(), expr, &Names::default(), &mut splitting, (false, 0))?;
        Ok(splitting.parts)
    }

    /// `within`: inside an instance of a module that declares something, where TLC does not go into operators with parameters.
    fn take_apart(
        &mut self,
        name: Arc<str>,
        expr: &'m Expr,
        names: &Names<'m>,
        splitting: &mut Splitting<'_>,
        (within, depth): (bool, usize),
    ) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(self.refused(expr.place));
        }
        stacker::maybe_grow(128 << 10, 4 << 20, || {
            if within && matches!(&*expr.kind, ExprKind::Call { args, .. } if !args.is_empty()) {
                return self.whole_part(name, expr, names, splitting);
            }
            if let Some((body, inner)) = self.unfold(expr, names) {
                let within = within || self.is_instanced(expr);
                return self.take_apart(self.part_name(expr, name), body, &inner, splitting, (within, depth + 1));
            }
            match &*expr.kind {
                ExprKind::Junction { and: true, items } | ExprKind::Builtin { op: Builtin::And, args: items } => {
                    let mut each = items.iter();
                    each.try_for_each(|i| self.take_apart(self.place_name(i), i, names, splitting, (within, depth + 1)))
                }
                ExprKind::Quantified { forall: true, bounds, body } => {
                    match self.choices(bounds, names, splitting.world) {
                        Ok(choices) if choices.is_empty() => {
                            let message = "Temporal formula is a tautology (its negation is unsatisfiable).";
                            Err(EvalError::new(2253, message).at(expr.place))
                        }
                        Ok(choices) => {
                            let mut each = choices.iter();
                            each.try_for_each(|n| {
                                self.take_apart(self.place_name(body), body, n, splitting, (within, depth + 1))
                            })
                        }
                        // TLC takes the whole as one formula then.
                        Err(_) => self.whole_part(name, expr, names, splitting),
                    }
                }
                _ => self.whole_part(name, expr, names, splitting),
            }
        })
    }

    /// A formula that is not taken apart any more.
    fn whole_part(
        &mut self,
        name: Arc<str>,
        expr: &'m Expr,
        names: &Names<'m>,
        splitting: &mut Splitting<'_>,
    ) -> Result<()> {
        let compiled = |c: &mut Self, expr: &'m Expr| {
            let (code, frame) = c.in_frame(|c| c.code(expr, names));
            Expression { code, frame, pure: c.is_pure(expr, names) }
        };
        if let ExprKind::Builtin { op: Builtin::Always, args } = &*expr.kind
            && let [inner] = args.as_slice()
        {
            let (name, part) = match &*inner.kind {
                ExprKind::Subscripted { kind: Subscripted::Square, .. } => {
                    (name, Part::Action(self.in_step(|c| compiled(c, inner))))
                }
                _ if self.level(inner, names) < Level::Action => {
                    (self.invariant_name(inner, name), Part::Invariant(compiled(self, inner)))
                }
                _ => (name, Part::Temporal(self.formula(expr, names, splitting.world, 0)?)),
            };
            splitting.parts.push(PropertyPart { name, place: inner.place, part });
            return Ok(());
        }
        let part = match self.level(expr, names) {
            Level::Constant | Level::State => Part::Initial(compiled(self, expr)),
            Level::Temporal => Part::Temporal(self.formula(expr, names, splitting.world, 0)?),
            Level::Action => {
                let (code, advice) = action_level(&expr.kind);
                let place = self.model.describe(expr.place);
                let message = format!(
                    "The formula {name} at {place} is an action-level formula (i.e., it contains no temporal operators). Only \
                     temporal-level (or state-level) formulas are allowed under PROPERTY or PROPERTIES. {}",
                    advice.replace("%1%", &name).replace("%2%", &place)
                );
                return Err(EvalError::new(code, message).at(expr.place));
            }
        };
        splitting.parts.push(PropertyPart { name, place: expr.place, part });
        Ok(())
    }

    /// The name of the operator that stands there, as it is written there (`I!Op`), or the name so far.
    fn part_name(&self, expr: &Expr, name: Arc<str>) -> Arc<str> {
        match &*expr.kind {
            ExprKind::Call { definition, .. } => {
                let text = without_arguments(self.model.text(expr.place));
                match self.model.instances.contains_key(definition) && text.contains('!') {
                    true => text.into(),
                    false => self.model.definition(*definition).name.clone(),
                }
            }
            ExprKind::CallLocal { .. } => without_arguments(self.model.text(expr.place)).into(),
            // What is passed has the name of what it is passed to.
            ExprKind::Local(local) if !self.parameters.contains(local) => self.model.text(expr.place).into(),
            _ => name,
        }
    }

    /// The same of the formula behind `[]`: TLC calls it by a name that stands alone, also if that is a parameter's.
    fn invariant_name(&self, expr: &Expr, name: Arc<str>) -> Arc<str> {
        match &*expr.kind {
            ExprKind::Call { args, .. } if args.is_empty() => self.part_name(expr, name),
            ExprKind::Local(_) => self.model.text(expr.place).into(),
            _ => name,
        }
    }

    /// A call of what an instance of a module that declares something defines.
    fn is_instanced(&self, expr: &Expr) -> bool {
        matches!(&*expr.kind, ExprKind::Call { definition, .. } if self.model.instances.contains_key(definition))
    }

    /// What TLC calls a part that has no name: its place.
    fn place_name(&self, expr: &Expr) -> Arc<str> {
        self.model.describe(expr.place).into()
    }
}

/// TLC's number for a property that is an action, and its advice.
fn action_level(kind: &ExprKind) -> (u32, &'static str) {
    match kind {
        ExprKind::Subscripted { kind: Subscripted::Square, .. } => (
            2273,
            "To check that action %1% holds in *every* step of the behavior, define a temporal property by applying the \"always\" \
             temporal operator ([]) to the formula at %2% (compare page 90 of Specifying Systems at \
             https://lamport.azurewebsites.net/tla/book.html).",
        ),
        ExprKind::Subscripted { kind: Subscripted::Angle, .. } => (
            2274,
            "To check that infinitely many %1% steps occur, define a temporal property by applying the \"always eventually\" \
             temporal operator combination ([]<>) to the formula at %2% (compare page 91 of Specifying Systems at \
             https://lamport.azurewebsites.net/tla/book.html).",
        ),
        _ => (
            2272,
            "To check that action %1% holds in *every* step of the behavior, define a temporal property: Let A be the formula at \
             %2%; rewrite A as [][A]_v, where v is a state function (typically the tuple of variables) (compare page 90 of \
             Specifying Systems at https://lamport.azurewebsites.net/tla/book.html).",
        ),
    }
}

/// The text of a call without its arguments and the spaces around them.
fn without_arguments(text: &str) -> String {
    let mut depth = 0_usize;
    let outside = text.chars().filter(|c| {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                return false;
            }
            _ => {}
        }
        depth == 0 && !c.is_whitespace()
    });
    outside.collect()
}
