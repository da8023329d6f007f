//! One action of a specification, by name, with its parameters in the ranges that the next-state relation gives them.

use std::sync::Arc;

use primed_semantics::model::{
    Argument, Bound, Builtin, Definition, DefinitionId, Expr, ExprKind, LocalDefinition, Param,
};
use primed_value::error::Place;

use super::{Binding, Compiler, Finds, Names, Relation};
use crate::actions;
use crate::natives;
use crate::node::{Action, Code};
use crate::nodes::binders::{Quantified, Range, Ranges};
use crate::nodes::control;
use crate::nodes::given::Given;
use crate::program::Pattern;

/// Definitions looked into below each other while a name is searched for.
const SEARCH_DEPTH: usize = 100;
/// Ways to an action that are kept.
const MAX_WAYS: usize = 1000;

/// What stands between the next-state relation and a call.
#[derive(Clone, Debug)]
enum Around<'m> {
    Bounds(&'m [Bound]),
    Let(&'m [LocalDefinition]),
    Call(&'m [Param], &'m [Argument]),
}

/// A call of an action inside the next-state relation.
#[derive(Clone, Debug)]
struct Way<'m> {
    around: Vec<Around<'m>>,
    args: &'m [Argument],
    place: Place,
}

/// A parameter of a named action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the action's definition.
    pub name: Arc<str>,
    /// It ranges over a set in the next-state relation, so that a caller can fix it.
    pub free: bool,
}

/// A compiled named action.
#[derive(Debug)]
pub struct NamedAction {
    /// The relation; parameter `i` can be fixed by [`crate::env::Env::give`].
    pub relation: Relation,
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
    /// The range of each parameter, if it is one constant set.
    pub ranges: Vec<Option<super::Expression>>,
}

/// Why an action cannot be used by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// It takes parameters, and the next-state relation does not say in which range.
    NoRange(Vec<Arc<str>>),
    /// It takes operators as parameters.
    OperatorParameter(Arc<str>),
}

impl<'m> Compiler<'m> {
    /// The names of the actions that a next-state relation is made of: the definitions in it that are more than a choice
    /// between others, in textual order.
    pub fn action_definitions(&mut self, next: &'m Expr) -> Vec<DefinitionId> {
        let mut found = Vec::new();
        self.collect(next, 0, &mut found);
        found
    }

    fn collect(&mut self, expr: &'m Expr, depth: usize, found: &mut Vec<DefinitionId>) {
        match &*expr.kind {
            ExprKind::Call { definition: id, .. } => {
                let definition = self.model.definition(*id);
                if !self.analysis.definition(*id).next || natives::lookup(definition).is_some() {
                    return;
                }
                if depth < SEARCH_DEPTH && !definition.recursive && is_choice(&definition.body) {
                    return self.collect(&definition.body, depth + 1, found);
                }
                if !found.contains(id) {
                    found.push(*id);
                }
            }
            ExprKind::Let { body, .. } | ExprKind::Quantified { body, .. } => self.collect(body, depth, found),
            ExprKind::Subscripted { action, .. } => self.collect(action, depth, found),
            ExprKind::Junction { items, .. } => items.iter().for_each(|i| self.collect(i, depth, found)),
            ExprKind::Builtin { op: Builtin::And | Builtin::Or, args } => {
                args.iter().for_each(|i| self.collect(i, depth, found));
            }
            ExprKind::If(_, yes, no) => [yes, no].into_iter().for_each(|i| self.collect(i, depth, found)),
            ExprKind::Case { arms, other } => {
                arms.iter().map(|(_, e)| e).chain(other).for_each(|i| self.collect(i, depth, found));
            }
            _ => {}
        }
    }

    /// Compiles an action by name. Without parameters it stands for itself; with parameters it is the disjunction of its
    /// calls in `next`.
    ///
    /// # Errors
    /// If a parameter has no range.
    pub fn named(&mut self, id: DefinitionId, next: Option<&'m Expr>) -> Result<NamedAction, NameError> {
        let definition = self.model.definition(id);
        if let Some(param) = definition.params.iter().find(|p| p.arity > 0) {
            return Err(NameError::OperatorParameter(param.name.clone()));
        }
        let mut ways = Vec::new();
        if !definition.params.is_empty() {
            if let Some(next) = next {
                self.search(next, id, &mut Vec::new(), &mut ways);
            }
            if ways.is_empty() {
                return Err(NameError::NoRange(definition.params.iter().map(|p| p.name.clone()).collect()));
            }
            next.into_iter().for_each(|n| self.analysis.count(n));
        }
        self.analysis.count_definition(id);
        let free = free_parameters(definition, &ways);
        let mut ranges = Vec::new();
        for (i, _) in definition.params.iter().enumerate() {
            ranges.push(self.constant_range(&ways, &free, i));
        }
        let ((action, condition), frame) = self.in_frame(|c| match ways.as_slice() {
            [] => {
                let names = Names::default();
                (c.action(&definition.body, &names, Finds::Next), c.code(&definition.body, &names))
            }
            ways => {
                let parts: Vec<_> = ways.iter().map(|w| c.way(w, id)).collect();
                let (mut actions, mut codes): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
                match (actions.pop(), codes.pop()) {
                    (Some(action), Some(code)) if actions.is_empty() => (action, code),
                    (action, code) => {
                        actions.extend(action);
                        codes.extend(code);
                        let items = codes.into_iter().map(|c| (c, definition.place)).collect();
                        let condition: Code = Box::new(crate::nodes::logic::List { and: false, items });
                        (Box::new(actions::Any(actions)) as Box<dyn Action>, condition)
                    }
                }
            }
        });
        let relation = Relation { action, condition, frame, initial: false };
        let parameters = definition
            .params
            .iter()
            .enumerate()
            .map(|(i, p)| Parameter { name: p.name.clone(), free: free[i].is_some() });
        Ok(NamedAction { relation, parameters: parameters.collect(), ranges })
    }

    /// Every call of an action in the next-state relation.
    fn search(&mut self, expr: &'m Expr, id: DefinitionId, around: &mut Vec<Around<'m>>, ways: &mut Vec<Way<'m>>) {
        if around.len() > SEARCH_DEPTH || ways.len() >= MAX_WAYS {
            return;
        }
        match &*expr.kind {
            ExprKind::Call { definition, args } if *definition == id => {
                ways.push(Way { around: around.clone(), args, place: expr.place });
            }
            ExprKind::Call { definition: called, args } => {
                let definition = self.model.definition(*called);
                if definition.recursive || !self.analysis.definition(*called).next {
                    return;
                }
                around.push(Around::Call(&definition.params, args));
                self.search(&definition.body, id, around, ways);
                around.pop();
            }
            ExprKind::Let { definitions, body } => {
                around.push(Around::Let(definitions));
                self.search(body, id, around, ways);
                around.pop();
            }
            ExprKind::Quantified { forall: false, bounds, body } => {
                around.push(Around::Bounds(bounds));
                self.search(body, id, around, ways);
                around.pop();
            }
            ExprKind::Subscripted { action, .. } => self.search(action, id, around, ways),
            ExprKind::Junction { items, .. } => items.iter().for_each(|i| self.search(i, id, around, ways)),
            ExprKind::Builtin { op: Builtin::And | Builtin::Or, args } => {
                args.iter().for_each(|i| self.search(i, id, around, ways));
            }
            ExprKind::If(_, yes, no) => [yes, no].into_iter().for_each(|i| self.search(i, id, around, ways)),
            ExprKind::Case { arms, other } => {
                arms.iter().map(|(_, e)| e).chain(other).for_each(|i| self.search(i, id, around, ways));
            }
            _ => {}
        }
    }

    /// The set that a parameter ranges over in every way, if that is one constant.
    fn constant_range(
        &mut self,
        ways: &[Way<'m>],
        free: &[Option<primed_semantics::model::LocalId>],
        parameter: usize,
    ) -> Option<super::Expression> {
        let local = free[parameter]?;
        let [way] = ways else { return None };
        let set = way.around.iter().find_map(|a| match a {
            Around::Bounds(bounds) => bounds.iter().find(|b| !b.tuple && b.locals.iter().any(|p| p.local == local)),
            _ => None,
        })?;
        let set = set.set.as_ref()?;
        let facts = self.analysis.facts(set);
        (facts.constant() && !facts.run).then(|| self.expression(set))
    }

    /// The code of one way: what is around the call, and the call.
    fn way(&mut self, way: &Way<'m>, id: DefinitionId) -> (Box<dyn Action>, Code) {
        let definition = self.model.definition(id);
        let free = free_parameters(definition, std::slice::from_ref(way));
        let fixed: Vec<_> = free.iter().enumerate().filter_map(|(i, local)| local.map(|l| (l, i as u32))).collect();
        self.around(&way.around, &fixed, way, definition, Names::default())
    }

    fn around(
        &mut self,
        around: &[Around<'m>],
        fixed: &[(primed_semantics::model::LocalId, u32)],
        way: &Way<'m>,
        definition: &'m Definition,
        names: Names<'m>,
    ) -> (Box<dyn Action>, Code) {
        let Some((first, rest)) = around.split_first() else {
            let mut slots = Vec::new();
            let inner = self.enter(&definition.params, way.args, &names, &names, &mut slots);
            let action = self.action(&definition.body, &inner, Finds::Next);
            let code = self.code(&definition.body, &inner);
            let scoped: Box<dyn Action> = match slots.is_empty() {
                true => action,
                false => Box::new(actions::Scope { slots: slots.clone(), body: action }),
            };
            return (scoped, self.scoped(slots, code));
        };
        match first {
            Around::Let(definitions) => {
                let mut slots = Vec::new();
                let inner = self.let_names(definitions, &names, &mut slots);
                let (action, code) = self.around(rest, fixed, way, definition, inner);
                (
                    Box::new(actions::Scope { slots: slots.clone(), body: action }),
                    Box::new(control::Scope { slots, body: code }),
                )
            }
            Around::Call(params, args) => {
                let mut slots = Vec::new();
                let inner = self.enter(params, args, &names, &names, &mut slots);
                let (action, code) = self.around(rest, fixed, way, definition, inner);
                (
                    Box::new(actions::Scope { slots: slots.clone(), body: action }),
                    Box::new(control::Scope { slots, body: code }),
                )
            }
            Around::Bounds(bounds) => {
                let mut inner = names.clone();
                let Some(ranges) = self.given_ranges(bounds, fixed, &names, &mut inner) else {
                    let place = way.place;
                    let condition: Code = Box::new(crate::nodes::binders::Unbounded { what: "\\E", place });
                    let same: Code = Box::new(crate::nodes::binders::Unbounded { what: "\\E", place });
                    return (Box::new(actions::Guard { condition, place }), same);
                };
                let bound = bounds.iter().flat_map(|b| &b.locals).filter_map(|p| match inner.bindings.get(&p.local) {
                    Some(Binding::Slot(slot) | Binding::Passed(slot)) => Some((p.name.clone(), *slot)),
                    _ => None,
                });
                let bound: Vec<_> = bound.collect();
                // Both forms use the same slots: only one of them runs at a time.
                let again = self.same_ranges(bounds, fixed, &names, &ranges);
                let (action, code) = self.around(rest, fixed, way, definition, inner);
                let action = Box::new(actions::Exists { ranges, names: bound, body: action });
                (action, Box::new(Quantified { forall: false, ranges: again, body: code }))
            }
        }
    }

    /// The ranges of bounds, each name on its own where a caller may fix it.
    fn given_ranges(
        &mut self,
        bounds: &'m [Bound],
        fixed: &[(primed_semantics::model::LocalId, u32)],
        outer: &Names<'m>,
        inner: &mut Names<'m>,
    ) -> Option<Ranges> {
        let mut ranges = Vec::new();
        for bound in bounds {
            let set = bound.set.as_ref()?;
            if bound.tuple {
                let code = self.code(set, outer);
                ranges.push(Range { patterns: self.patterns(bound, inner), set: code, place: set.place });
                continue;
            }
            for param in &bound.locals {
                let slot = self.slot();
                inner.bindings.insert(param.local, Binding::Slot(slot));
                let code = self.given(set, param, fixed, outer);
                ranges.push(Range { patterns: vec![Pattern::One(slot)], set: code, place: set.place });
            }
        }
        Some(Ranges(ranges))
    }

    fn given(
        &mut self,
        set: &'m Expr,
        param: &Param,
        fixed: &[(primed_semantics::model::LocalId, u32)],
        names: &Names<'m>,
    ) -> Code {
        let range = self.code(set, names);
        match fixed.iter().find(|(local, _)| *local == param.local) {
            Some((_, parameter)) => Box::new(Given { parameter: *parameter, range, place: set.place }),
            None => range,
        }
    }

    fn same_ranges(
        &mut self,
        bounds: &'m [Bound],
        fixed: &[(primed_semantics::model::LocalId, u32)],
        outer: &Names<'m>,
        ranges: &Ranges,
    ) -> Ranges {
        let mut again = Vec::new();
        let mut patterns = ranges.0.iter().map(|r| r.patterns.clone());
        for bound in bounds {
            let Some(set) = bound.set.as_ref() else { continue };
            let names: Vec<Option<&Param>> = match bound.tuple {
                true => vec![None],
                false => bound.locals.iter().map(Some).collect(),
            };
            for param in names {
                let code = match param {
                    Some(param) => self.given(set, param, fixed, outer),
                    None => self.code(set, outer),
                };
                again.push(Range { patterns: patterns.next().unwrap_or_default(), set: code, place: set.place });
            }
        }
        Ranges(again)
    }
}

/// For each parameter the quantified name that is passed for it, followed through the calls between; the same in every way.
fn free_parameters(definition: &Definition, ways: &[Way<'_>]) -> Vec<Option<primed_semantics::model::LocalId>> {
    let Some(first) = ways.first() else { return definition.params.iter().map(|_| None).collect() };
    let free = |way: &Way<'_>, i: usize| {
        let mut arg = way.args.get(i)?;
        loop {
            let Argument::Value(expr) = arg else { return None };
            let ExprKind::Local(local) = &*expr.kind else { return None };
            let outer = way.around.iter().find_map(|a| match a {
                Around::Call(params, args) => params.iter().position(|p| p.local == *local).and_then(|at| args.get(at)),
                _ => None,
            });
            match outer {
                Some(outer) => arg = outer,
                None => {
                    let quantified = way.around.iter().any(|a| {
                        matches!(a, Around::Bounds(bounds)
                            if bounds.iter().any(|b| !b.tuple && b.locals.iter().any(|p| p.local == *local)))
                    });
                    return quantified.then_some(*local);
                }
            }
        }
    };
    (0..definition.params.len())
        .map(|i| free(first, i).filter(|_| ways.iter().all(|way| free(way, i).is_some())))
        .collect()
}

/// A disjunction, or a quantifier around one, of calls: its parts are the actions, not it.
fn is_choice(expr: &Expr) -> bool {
    stacker::maybe_grow(128 << 10, 4 << 20, || match &*expr.kind {
        ExprKind::Junction { and: false, items } | ExprKind::Builtin { op: Builtin::Or, args: items } => {
            items.iter().all(is_choice)
        }
        ExprKind::Quantified { forall: false, body, .. } | ExprKind::Let { body, .. } => is_choice(body),
        ExprKind::Call { .. } => true,
        _ => false,
    })
}
