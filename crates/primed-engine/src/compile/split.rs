//! The actions that TLC splits a next-state relation into: it goes down through disjunctions, quantifiers over sets that do not
//! depend on the state, operators whose arguments do not, and LET. What it finds there has the name of the innermost operator
//! that it went through. The states found, and their order, are those of the relation as a whole.

use std::sync::Arc;

use primed_semantics::model::{
    Argument, Builtin, DefinitionId, Expr, ExprKind, Lambda, Level, LocalDefinition, LocalId, Param,
};
use primed_value::error::Place;

use super::{Binding, Compiler, Finds, Names, Relation};
use crate::actions;
use crate::natives;
use crate::node::Action;
use crate::nodes::atoms;
use crate::nodes::tagged::{Parameter, Tagged};

/// Definitions looked into below each other.
const DEPTH: usize = 200;

/// One of the actions that a next-state relation is split into. Actions that differ in the values of their parameters only are
/// one here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubAction {
    /// The innermost operator around it, if there is one.
    pub name: Option<Arc<str>>,
    /// The formula.
    pub place: Place,
    /// The definition of that operator.
    pub definition: Option<Place>,
    /// The formula is the whole body of the definition.
    pub whole: bool,
}

/// A next-state relation with the actions that it is split into.
#[derive(Debug)]
pub struct SplitRelation {
    /// The relation. While it is run, [`crate::env::Env::action`] tells which action found a state.
    pub relation: Relation,
    /// The actions; the first has number 1.
    pub actions: Vec<SubAction>,
    /// The relation consists of the same parts in each state, so that what they find can be remembered ([`crate::Memo`]).
    pub steady: bool,
}

/// The operator that the split went through last.
#[derive(Clone, Default)]
struct Inside<'m> {
    name: Option<Arc<str>>,
    definition: Option<Place>,
    body: Option<Place>,
    params: Vec<&'m Param>,
}

/// The names of LET definitions, and how deep the split is.
#[derive(Clone, Default)]
struct Around<'m> {
    inside: Inside<'m>,
    definitions: im::HashMap<LocalId, &'m LocalDefinition>,
    depth: usize,
}

impl<'m> Compiler<'m> {
    /// Compiles a next-state action, split as TLC does it.
    pub fn split(&mut self, expr: &'m Expr) -> SplitRelation {
        self.analysis.count(expr);
        let mut found = Vec::new();
        self.steady = true;
        let ((action, condition), frame) = self.in_frame(|c| {
            let names = Names::default();
            let action = c.parts(expr, &names, &Around::default(), &mut found);
            (action, c.code(expr, &names))
        });
        SplitRelation {
            relation: Relation { action, condition, frame, initial: false },
            actions: found,
            steady: self.steady,
        }
    }

    fn parts(
        &mut self,
        expr: &'m Expr,
        names: &Names<'m>,
        around: &Around<'m>,
        found: &mut Vec<SubAction>,
    ) -> Box<dyn Action> {
        stacker::maybe_grow(256 << 10, 8 << 20, || self.parts_inner(expr, names, around, found))
    }

    fn parts_inner(
        &mut self,
        expr: &'m Expr,
        names: &Names<'m>,
        around: &Around<'m>,
        found: &mut Vec<SubAction>,
    ) -> Box<dyn Action> {
        match &*expr.kind {
            ExprKind::Junction { and: false, items } | ExprKind::Builtin { op: Builtin::Or, args: items } => {
                Box::new(actions::Any(items.iter().map(|i| self.parts(i, names, around, found)).collect()))
            }
            ExprKind::Let { definitions, body } => {
                let mut slots = Vec::new();
                let inner = self.let_names(definitions, names, &mut slots);
                let mut around = around.clone();
                around.definitions.extend(definitions.iter().map(|d| (d.local, d)));
                let body = self.parts(body, &inner, &around, found);
                super::action::scoped(slots, body)
            }
            ExprKind::Quantified { forall: false, bounds, body } => {
                let fixed = bounds.iter().all(|b| {
                    b.set.as_ref().is_some_and(|set| {
                        let facts = self.whole_facts(set, names);
                        !facts.current && !facts.next
                    })
                });
                self.steady &= self.is_steady(bounds, names);
                if !fixed {
                    return self.unsplit(expr, names, around, found);
                }
                self.exists(bounds, names, None, |c, inner| c.parts(body, inner, around, found))
                    .unwrap_or_else(|| self.condition(expr, names, Finds::Next))
            }
            ExprKind::Call { definition, args } => self.parts_of_call(*definition, args, expr, names, around, found),
            ExprKind::Local(local) => self.parts_of_local(*local, &[], expr, names, around, found),
            ExprKind::CallLocal { local, args } => self.parts_of_local(*local, args, expr, names, around, found),
            _ => self.unsplit(expr, names, around, found),
        }
    }

    fn parts_of_call(
        &mut self,
        id: DefinitionId,
        args: &'m [Argument],
        expr: &'m Expr,
        names: &Names<'m>,
        around: &Around<'m>,
        found: &mut Vec<SubAction>,
    ) -> Box<dyn Action> {
        let definition = self.model.definition(id);
        let origin = self.model.instances.get(&id);
        let name = Some(self.model.qualified_name(id));
        let called = Inside { name, definition: Some(definition.place), body: None, params: Vec::new() };
        let opaque = definition.recursive || natives::lookup(definition).is_some() || around.depth > DEPTH;
        if opaque || !args.iter().all(is_constant) {
            return self.part(expr, names, called, expr.place, found);
        }
        let mut slots = Vec::new();
        let inner = self.enter(&definition.params, args, names, names, &mut slots);
        let params = origin.iter().flat_map(|o| &o.params).chain(&definition.params).collect();
        let inside = Inside { body: Some(definition.body.place), params, ..called };
        let body = match origin {
            // TLC does not go into what an INSTANCE with substitutions made.
            Some(origin) => {
                let inside = Inside { body: Some(origin.place), definition: Some(origin.place), ..inside };
                self.part(&definition.body, &inner, inside, origin.place, found)
            }
            None => {
                let around = Around { inside, depth: around.depth + 1, ..around.clone() };
                self.parts(&definition.body, &inner, &around, found)
            }
        };
        super::action::scoped(slots, body)
    }

    /// A LET definition is an operator like others; any other local name is not gone into.
    fn parts_of_local(
        &mut self,
        local: LocalId,
        args: &'m [Argument],
        expr: &'m Expr,
        names: &Names<'m>,
        around: &Around<'m>,
        found: &mut Vec<SubAction>,
    ) -> Box<dyn Action> {
        let Some(definition) = around.definitions.get(&local).copied() else {
            return self.unsplit(expr, names, around, found);
        };
        let inside = Inside {
            name: Some(definition.name.clone()),
            definition: Some(definition.body.place),
            body: Some(definition.body.place),
            params: definition.params.iter().collect(),
        };
        if around.depth > DEPTH || !args.iter().all(is_constant) {
            return self.part(expr, names, Inside { params: Vec::new(), body: None, ..inside }, expr.place, found);
        }
        let around = Around { inside, depth: around.depth + 1, ..around.clone() };
        match names.bindings.get(&local).cloned() {
            Some(Binding::Written { expr, names: inner } | Binding::Lazy { expr, names: inner, .. }) => {
                self.parts(expr, &inner, &around, found)
            }
            Some(Binding::Operator { params, body, names: inner }) => {
                let mut slots = Vec::new();
                let inner = self.enter(params, args, names, &inner, &mut slots);
                let body = self.parts(body, &inner, &around, found);
                super::action::scoped(slots, body)
            }
            _ => self.unsplit(expr, names, &around, found),
        }
    }

    /// A formula that belongs to the operator around it.
    fn unsplit(
        &mut self,
        expr: &'m Expr,
        names: &Names<'m>,
        around: &Around<'m>,
        found: &mut Vec<SubAction>,
    ) -> Box<dyn Action> {
        self.part(expr, names, around.inside.clone(), expr.place, found)
    }

    /// What is not split further.
    fn part(
        &mut self,
        expr: &'m Expr,
        names: &Names<'m>,
        inside: Inside<'m>,
        place: Place,
        found: &mut Vec<SubAction>,
    ) -> Box<dyn Action> {
        let whole = inside.body == Some(place);
        let name = inside.name.clone();
        found.push(SubAction { name: inside.name, place, definition: inside.definition, whole });
        let number = found.len() as u32;
        let parameters = inside.params.iter().filter_map(|param| self.parameter(param, names));
        let parameters = parameters.collect();
        let shared = names.bindings.values().filter_map(|binding| match binding {
            Binding::Lazy { slot, facts, .. } if facts.current || facts.next => Some(*slot),
            _ => None,
        });
        let shared = shared.collect();
        let outer = std::mem::replace(&mut self.outer_slots, self.frame.next);
        let counting = self.counted_part(expr, place, names);
        let (body, counted) = self.counting_calls(name, |c| c.action(expr, &counting, Finds::Next));
        self.outer_slots = outer;
        let pure = !counted && self.is_pure(expr, names);
        Box::new(Tagged { number, parameters, body, pure, shared })
    }

    /// Code that tells a parameter's value inside an action.
    fn parameter(&mut self, param: &'m Param, names: &Names<'m>) -> Option<(Arc<str>, Parameter)> {
        let parameter = match names.bindings.get(&param.local).cloned()? {
            Binding::Slot(slot) | Binding::Passed(slot) | Binding::Finds { slot, .. } => {
                Parameter::Value(Box::new(atoms::Bound(slot)))
            }
            Binding::Lazy { expr, names, .. } | Binding::Written { expr, names } => {
                Parameter::Value(self.code(expr, &names))
            }
            Binding::Known(global) => Parameter::Value(Box::new(atoms::Constant { global, place: Place::default() })),
            Binding::Operator { params, body, .. } => Parameter::Operator(self.operator_name(params, body)),
        };
        Some((param.name.clone(), parameter))
    }

    /// An operator that was passed by name is written out as a LAMBDA that only calls it.
    fn operator_name(&self, params: &[Param], body: &Expr) -> Arc<str> {
        match &*body.kind {
            ExprKind::Call { definition, args } => {
                let passes = |(param, arg): (&Param, &Argument)| matches!(arg, Argument::Value(e) if matches!(&*e.kind, ExprKind::Local(l) if *l == param.local));
                match args.len() == params.len() && params.iter().zip(args).all(passes) {
                    true => self.model.qualified_name(*definition),
                    false => "LAMBDA".into(),
                }
            }
            _ => "LAMBDA".into(),
        }
    }
}

fn is_constant(argument: &Argument) -> bool {
    let (Argument::Value(expr) | Argument::Operator(Lambda { body: expr, .. })) = argument;
    expr.level == Level::Constant
}
