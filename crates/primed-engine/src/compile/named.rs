//! One action of a specification, by name, with its parameters in the ranges that the next-state relation gives them.

use std::sync::Arc;

use primed_semantics::model::{Argument, Bound, Definition, DefinitionId, Expr, ExprKind, Param};
use primed_value::error::Place;

use super::choices::{Around, Search, Way};
use super::{Binding, Compiler, Finds, Names, Relation};
use crate::actions;
use crate::node::{Action, Code};
use crate::nodes::binders::{Quantified, Range, Ranges};
use crate::nodes::control;
use crate::nodes::given::Given;
use crate::program::Pattern;

/// Formulas as actions and as conditions.
type BothForms = (Vec<Box<dyn Action>>, Vec<(Code, Place)>);

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
    /// The same as TLA+, to be put before another checker; or why it cannot be written.
    pub formula: Result<super::Formula, String>,
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
    /// Compiles an action by name. It is the disjunction of its calls in `next`, each with what stands beside it there; without
    /// parameters, and with nothing beside it, it stands for itself.
    ///
    /// # Errors
    /// If a parameter has no range.
    pub fn named(&mut self, id: DefinitionId, next: Option<&'m Expr>) -> Result<NamedAction, NameError> {
        let definition = self.model.definition(id);
        if let Some(param) = definition.params.iter().find(|p| p.arity > 0) {
            return Err(NameError::OperatorParameter(param.name.clone()));
        }
        let mut ways = Vec::new();
        if let Some(next) = next {
            // What stands beside an action belongs to it; what stands beside a part of an action does not belong to the part.
            let listed = Some(self.action_definitions(next)).filter(|listed| listed.contains(&id));
            if listed.is_some() || !definition.params.is_empty() {
                self.search(next, &mut Search::new(id, listed.as_deref()), &mut Vec::new(), &mut ways);
            }
        }
        if definition.params.is_empty() && !ways.iter().any(Way::restricts) {
            ways.clear();
        } else if ways.is_empty() {
            return Err(NameError::NoRange(definition.params.iter().map(|p| p.name.clone()).collect()));
        } else {
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
        let formula = self.action_formula(id, &ways, &free);
        let relation = Relation { action, condition, frame, initial: false };
        let parameters = definition
            .params
            .iter()
            .enumerate()
            .map(|(i, p)| Parameter { name: p.name.clone(), free: free[i].is_some() });
        Ok(NamedAction { relation, parameters: parameters.collect(), ranges, formula })
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
        match *first {
            Around::Beside(before, after) => {
                let (mut actions, mut codes) = self.beside(before, &names);
                let (action, code) = self.around(rest, fixed, way, definition, names.clone());
                actions.push(action);
                codes.push((code, way.place));
                let (actions_after, codes_after) = self.beside(after, &names);
                actions.extend(actions_after);
                codes.extend(codes_after);
                (Box::new(actions::All(actions)), Box::new(crate::nodes::logic::List { and: true, items: codes }))
            }
            Around::Condition(condition, holds) => {
                let conditions = [(condition, holds)];
                self.conditioned(&conditions, rest, fixed, way, definition, names)
            }
            Around::Arms(arms, last) => {
                let conditions: Vec<_> = arms.iter().map(|(g, _)| (g, false)).chain(last.map(|g| (g, true))).collect();
                self.conditioned(&conditions, rest, fixed, way, definition, names)
            }
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
                let bound = inner.slots_of(bounds);
                // Both forms use the same slots: only one of them runs at a time.
                let again = self.same_ranges(bounds, fixed, &names, &ranges);
                let (action, code) = self.around(rest, fixed, way, definition, inner);
                let action = Box::new(actions::Exists { ranges, excluded: None, names: bound.clone(), body: action });
                (
                    action,
                    Box::new(Quantified {
                        forall: false,
                        ranges: again,
                        excluded: None,
                        names: bound,
                        body: code,
                        place: way.place,
                    }),
                )
            }
        }
    }

    /// What stands beside a call, in both forms.
    fn beside(&mut self, items: &'m [Expr], names: &Names<'m>) -> BothForms {
        let actions = items.iter().map(|item| self.action(item, names, Finds::Next)).collect();
        let codes = items.iter().map(|item| (self.code(item, names), item.place)).collect();
        (actions, codes)
    }

    /// The rest of a way, below conditions that hold or do not hold.
    fn conditioned(
        &mut self,
        conditions: &[(&'m Expr, bool)],
        rest: &[Around<'m>],
        fixed: &[(primed_semantics::model::LocalId, u32)],
        way: &Way<'m>,
        definition: &'m Definition,
        names: Names<'m>,
    ) -> (Box<dyn Action>, Code) {
        let mut all: Vec<Box<dyn Action>> = Vec::new();
        let mut codes = Vec::new();
        for (expr, holds) in conditions {
            let place = expr.place;
            let condition = |c: &mut Self| -> Code {
                let operand = c.code(expr, &names);
                match holds {
                    true => operand,
                    false => Box::new(crate::nodes::logic::Not { operand, operand_place: place, place }),
                }
            };
            all.push(Box::new(actions::Guard { condition: condition(self), place }));
            codes.push((condition(self), place));
        }
        let (action, code) = self.around(rest, fixed, way, definition, names.clone());
        all.push(action);
        codes.push((code, way.place));
        (Box::new(actions::All(all)), Box::new(crate::nodes::logic::List { and: true, items: codes }))
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
                ranges.push(Range { patterns: self.patterns(bound, inner), set: code, place: set.place, cost: None });
                continue;
            }
            for param in &bound.locals {
                let slot = self.slot();
                inner.bindings.insert(param.local, Binding::Slot(slot));
                let code = self.given(set, param, fixed, outer);
                ranges.push(Range { patterns: vec![Pattern::One(slot)], set: code, place: set.place, cost: None });
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
                again.push(Range {
                    patterns: patterns.next().unwrap_or_default(),
                    set: code,
                    place: set.place,
                    cost: None,
                });
            }
        }
        Ranges(again)
    }
}

/// For each parameter the quantified name that is passed for it, followed through the calls between; the same in every way.
pub(super) fn free_parameters(
    definition: &Definition,
    ways: &[Way<'_>],
) -> Vec<Option<primed_semantics::model::LocalId>> {
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
