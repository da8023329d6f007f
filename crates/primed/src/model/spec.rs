//! What `TLCGet("spec")` tells of the specification: its actions, formulas and variables with their names and places.

use std::borrow::Cow;
use std::sync::Arc;

use bumpalo::Bump;
use primed_engine::env::Env;
use primed_engine::world::Answer;
use primed_engine::{Flow, TakenParameter};
use primed_semantics::model::{Builtin, Expr, ExprKind, Named};
use primed_value::error::Place;
use primed_value::freeze::Frozen;

use crate::model::ModelChecker;
use crate::model::counterexample::Location;

/// Definitions looked into below each other.
const DEPTH: usize = 200;

/// What a property consists of, by TLC's words for it in `TLCGet("spec")`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Initial,
    Invariant,
    Action,
    Temporal,
}

/// A part of a property: its kind, its name, its formula.
pub(super) type Listed = (Kind, Arc<str>, Place);

type Fields = Vec<(Cow<'static, str>, Answer)>;

impl ModelChecker {
    /// `TLCGet("spec")`; `None` if the actions cannot be listed.
    pub(super) fn spec(&self) -> Option<Answer> {
        let behaviour = &self.model.behaviour;
        let listed = |kind| self.properties.listed.iter().filter(move |l| l.0 == kind);
        let parts = |kind| listed(kind).map(|(_, name, place)| self.formula(Some(name), *place)).collect();
        let invariants = behaviour.invariants.iter().map(|i| self.formula(Some(&i.name), self.body(&i.expr).place));
        let invariants =
            invariants.chain(listed(Kind::Invariant).map(|(_, name, place)| self.formula(Some(name), *place)));
        let constraints = |named: &[Named]| named.iter().map(|c| self.constraint(c)).collect();
        let variables = self.model.variables.iter().map(|v| self.formula(Some(&v.name), v.place));
        let fields = [
            (
                "inits",
                self.initial_parts().into_iter().map(|(name, place)| self.formula(name.as_ref(), place)).collect(),
            ),
            ("actions", self.listed_actions()?),
            ("temporals", self.fairness_parts().into_iter().map(|place| self.formula(None, place)).collect()),
            ("invariants", invariants.collect()),
            ("impliedinits", parts(Kind::Initial)),
            ("impliedactions", parts(Kind::Action)),
            ("impliedtemporals", parts(Kind::Temporal)),
            ("variables", variables.collect()),
            ("actionconstraints", constraints(&behaviour.action_constraints)),
            ("constraints", constraints(&behaviour.constraints)),
        ];
        Some(Answer::Record(fields.into_iter().map(|(name, all)| (name.into(), Answer::Set(all))).collect()))
    }

    /// The initial predicate's parts: one if INIT names it, else the conjuncts of SPECIFICATION. Each with its name, if it is an
    /// operator's, and its formula.
    pub(super) fn initial_parts(&self) -> Vec<(Option<Arc<str>>, Place)> {
        let Some(init) = &self.model.behaviour.init else { return Vec::new() };
        let mut parts = Vec::new();
        match &*init.kind {
            ExprKind::Junction { and: true, items } | ExprKind::Builtin { op: Builtin::And, args: items }
                if !self.model.behaviour.named_parts =>
            {
                parts.extend(items);
            }
            _ => parts.push(init),
        }
        let named = |part: &Expr| match &*part.kind {
            ExprKind::Call { definition, .. } => Some(self.model.qualified_name(*definition)),
            _ => None,
        };
        parts.into_iter().map(|part| (named(part), self.body(part).place)).collect()
    }

    /// The conjuncts of what SPECIFICATION says beside the initial predicate and the next-state relation.
    fn fairness_parts(&self) -> Vec<Place> {
        let mut todo: Vec<&Expr> = self.model.behaviour.fairness.iter().rev().collect();
        let mut parts = Vec::new();
        while let Some(formula) = todo.pop() {
            let body = self.body(formula);
            match &*body.kind {
                ExprKind::Junction { and: true, items } | ExprKind::Builtin { op: Builtin::And, args: items } => {
                    todo.extend(items.iter().rev());
                }
                _ => parts.push(body.place),
            }
        }
        parts
    }

    /// The actions as TLC splits the next-state relation: one for each choice of the values of their parameters.
    fn listed_actions(&self) -> Option<Vec<Answer>> {
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let mut actions = Vec::new();
        let listed = self.next.list(&mut env, &mut |env| {
            let action = self.next.actions.get((env.action() as usize).wrapping_sub(1));
            let (name, place) = action.map_or((None, Place::default()), |a| (a.name.clone(), a.place));
            let mut fields = self.named(name.as_ref(), place);
            let (mut context, mut names) = (Fields::new(), Vec::new());
            for (name, parameter) in env.taken().to_vec() {
                let TakenParameter::Value(value) = parameter else { continue };
                context.push((name.to_string().into(), Answer::Value(Arc::new(Frozen::new(env, value)?))));
                names.push(Answer::Text(name.to_string()));
            }
            if !names.is_empty() {
                fields.push(("context".into(), Answer::Record(context)));
                fields.push(("parameters".into(), Answer::Sequence(names)));
            }
            actions.push(Answer::Record(fields));
            Ok(Flow::Continue)
        });
        listed.ok().map(|_| actions)
    }

    /// How many actions TLC splits the next-state relation into. Where a quantifier's set cannot be computed, what cannot is one
    /// more: whoever draws it meets the error.
    pub(super) fn choices(&self) -> u32 {
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let mut choices = 0;
        let listed = self.next.list(&mut env, &mut |_| {
            choices += 1;
            Ok(Flow::Continue)
        });
        choices + u32::from(listed.is_err())
    }

    /// What an operator without parameters is defined as, looked into as far as it goes.
    fn body<'m>(&'m self, mut expr: &'m Expr) -> &'m Expr {
        for _ in 0..DEPTH {
            let ExprKind::Call { definition, args } = &*expr.kind else { break };
            if !args.is_empty() {
                break;
            }
            expr = &self.model.definition(*definition).body;
        }
        expr
    }

    /// A constraint has the place of its definition.
    fn constraint(&self, constraint: &Named) -> Answer {
        let place = match &*constraint.expr.kind {
            ExprKind::Call { definition, .. } => self.model.definition(*definition).place,
            _ => constraint.expr.place,
        };
        self.formula(Some(&constraint.name), place)
    }

    fn formula(&self, name: Option<&Arc<str>>, place: Place) -> Answer {
        Answer::Record(self.named(name, place))
    }

    fn named(&self, name: Option<&Arc<str>>, place: Place) -> Fields {
        let location = Location::of(&self.model, place).unwrap_or_default();
        let numbers = location.numbers().map(|(name, n)| (Cow::Borrowed(name), Answer::Int(i64::from(n))));
        let mut fields: Fields = numbers.into();
        fields.push(("module".into(), Answer::Text(location.module)));
        let name = name.map_or("UnnamedAction", |name| name);
        vec![("name".into(), Answer::Text(name.into())), ("location".into(), Answer::Record(fields))]
    }
}
