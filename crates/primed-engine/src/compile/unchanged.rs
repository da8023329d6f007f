//! `UNCHANGED` where states are found.

use primed_semantics::model::{Expr, ExprKind};

use super::costs::Cost;
use super::{Binding, Compiler, Finds, Names};
use crate::actions::{self, Target};
use crate::node::Action;
use crate::nodes::counted::CountedItem;

impl<'m> Compiler<'m> {
    pub(super) fn unchanged_action(&mut self, subject: &'m Expr, expr: &'m Expr, names: &Names<'m>) -> Box<dyn Action> {
        match self.walks_all() {
            true => self.unchanged_told(subject, expr, names),
            false => self.unchanged_plainly(subject, expr, names),
        }
    }

    /// UNCHANGED as TLC goes through it: what it stands for, and each item of a tuple, is an expression by itself, with what
    /// follows inside of it.
    fn unchanged_told(&mut self, subject: &'m Expr, expr: &'m Expr, names: &Names<'m>) -> Box<dyn Action> {
        let (resolved, inner) = self.resolve(subject, names);
        let action: Box<dyn Action> = match &*resolved.kind {
            ExprKind::Tuple(items) => {
                Box::new(actions::All(items.iter().map(|i| self.unchanged_told(i, i, &inner)).collect()))
            }
            _ => self.unchanged_plainly(subject, expr, names),
        };
        let whole = self.unchanged(subject, expr.place, names);
        let action = self.told_at(resolved.place, whole, action);
        match resolved.place == subject.place {
            true => action,
            false => {
                let whole = self.unchanged(subject, expr.place, names);
                self.told_at(subject.place, whole, action)
            }
        }
    }

    fn unchanged_plainly(&mut self, subject: &'m Expr, expr: &'m Expr, names: &Names<'m>) -> Box<dyn Action> {
        let mut variables = Vec::new();
        if !self.collect_variables(subject, names, &mut variables) {
            let (resolved, inner) = self.resolve(subject, names);
            return match &*resolved.kind {
                ExprKind::Tuple(_) => self.unchanged_items(subject, names),
                ExprKind::StandIn { instance, number, value } => {
                    let (condition, place) = (self.unchanged(subject, expr.place, names), expr.place);
                    match self.own_variable(*instance, *number, &inner) {
                        Some(variable) => {
                            let (target, value) = (Target { variable, current: false }, self.code(value, &inner));
                            Box::new(actions::Assign { target, value, condition, place, apart: None })
                        }
                        None => Box::new(actions::Guard { condition, place }),
                    }
                }
                _ => {
                    let condition = self.unchanged(subject, expr.place, names);
                    Box::new(actions::Guard { condition, place: expr.place })
                }
            };
        }
        let place = expr.place;
        let parts = variables.into_iter().map(|variable| -> Box<dyn Action> {
            let condition = Box::new(crate::nodes::control::UnchangedVariables::new(&[variable], place));
            Box::new(actions::Unchanged { variable, condition, place })
        });
        Box::new(actions::All(parts.collect()))
    }

    /// `UNCHANGED e` item by item, as TLC goes through it: what counts is each variable.
    pub(super) fn counted_unchanged(&mut self, subject: &'m Expr, names: &Names<'m>) -> Box<dyn Action> {
        let inside = self.cost_of(subject, names).map_or(names.cost, |(cost, _)| cost);
        let names = &Names { cost: inside, ..names.clone() };
        match &*subject.kind {
            ExprKind::Variable(variable) if !names.primed => {
                let (variable, place) = (variable.0, subject.place);
                let condition = Box::new(crate::nodes::control::UnchangedVariables::new(&[variable], place));
                let action = Box::new(actions::Unchanged { variable, condition, place });
                let target = Target { variable, current: false };
                let action = self.passing(names, Finds::Next, Some(target), action);
                match self.counter(names) {
                    Some(counter) => Box::new(CountedItem { action, counter }),
                    None => action,
                }
            }
            ExprKind::Tuple(items) => {
                Box::new(actions::All(items.iter().map(|item| self.counted_unchanged(item, names)).collect()))
            }
            ExprKind::Call { definition, args } if args.is_empty() && !self.model.definition(*definition).recursive => {
                self.counted_unchanged(&self.model.definition(*definition).body, names)
            }
            ExprKind::Local(local) => match names.bindings.get(local).cloned() {
                Some(Binding::Written { expr, names: inner } | Binding::Lazy { expr, names: inner, .. }) => {
                    self.counted_unchanged(expr, &Names { cost: names.cost, ..inner })
                }
                _ => self.unchanged_action(subject, subject, names),
            },
            ExprKind::StandIn { .. } => {
                self.unchanged_action(subject, subject, &Names { cost: Cost::None, ..names.clone() })
            }
            _ => {
                let condition = self.unchanged(subject, subject.place, names);
                self.passing(names, Finds::Next, None, Box::new(actions::Guard { condition, place: subject.place }))
            }
        }
    }

    /// `UNCHANGED <<x, e>>`: item by item.
    fn unchanged_items(&mut self, subject: &'m Expr, names: &Names<'m>) -> Box<dyn Action> {
        let (tuple, inner) = self.resolve(subject, names);
        let ExprKind::Tuple(items) = &*tuple.kind else { return self.condition(subject, names, Finds::Next) };
        Box::new(actions::All(items.iter().map(|i| self.unchanged_action(i, i, &inner)).collect()))
    }
}
