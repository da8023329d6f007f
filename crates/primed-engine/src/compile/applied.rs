//! Functions whose body is an action, where they are applied.

use std::sync::{Arc, OnceLock};

use primed_semantics::model::{Bound, Expr, ExprKind, LocalId};

use super::{Binding, Compiler, Finds, Names};
use crate::natives;
use crate::node::Action;
use crate::nodes::applied::{ActionFunction, Applied};

/// Definitions followed to a function.
const DEPTH: usize = 100;

/// A function as it is written, with the names around it.
pub(super) struct Written<'m> {
    key: *const ExprKind,
    expr: &'m Expr,
    bounds: &'m [Bound],
    pub(super) body: &'m Expr,
    this: Option<LocalId>,
    pub(super) names: Names<'m>,
}

/// Names that are followed to what they stand for.
const MOST_NAMES: usize = 20;

impl<'m> Compiler<'m> {
    /// Whether an expression is, by its names, a function `[x \in S |-> e]`: `Some(true)` if TLC has it as a rule, `Some(false)` if
    /// it is a definition that TLC evaluates before all else.
    pub(super) fn as_rule(&mut self, expr: &'m Expr, names: &Names<'m>) -> Option<bool> {
        let (mut expr, mut names, mut listed) = (expr, names.clone(), false);
        for _ in 0..MOST_NAMES {
            if let ExprKind::Function { .. } = &*expr.kind {
                return Some(!listed);
            }
            if let ExprKind::Call { args, .. } = &*expr.kind
                && args.is_empty()
            {
                let facts = self.whole_facts(expr, &names);
                listed |= !(facts.next || facts.current || facts.moment);
            }
            if let ExprKind::Local(local) = &*expr.kind
                && let Some(Binding::Lazy { expr: inner, names: around, .. }) = names.bindings.get(local).cloned()
            {
                (expr, names) = (inner, around);
                continue;
            }
            (expr, names) = self.unfold(expr, &names)?;
        }
        None
    }

    /// Follows names and definitions to the function that they stand for; arguments on the way are bound, and the slots that
    /// must be emptied on entry are collected.
    pub(super) fn written_function(
        &mut self,
        function: &'m Expr,
        names: &Names<'m>,
        slots: &mut Vec<u32>,
    ) -> Option<Written<'m>> {
        let (mut expr, mut names) = (function, names.clone());
        for _ in 0..DEPTH {
            match &*expr.kind {
                ExprKind::Function { bounds, body, this } if !names.primed => {
                    let this = this.filter(|this| self.analysis.facts(body).free.binary_search(this).is_ok());
                    let bounded = bounds.iter().all(|b| b.set.is_some());
                    return bounded.then_some(Written { key: &*expr.kind, expr, bounds, body, this, names });
                }
                ExprKind::Local(local) => match names.bindings.get(local).cloned()? {
                    Binding::Written { expr: inner, names: around }
                    | Binding::Lazy { expr: inner, names: around, .. } => (expr, names) = (inner, around),
                    _ => return None,
                },
                ExprKind::Call { definition, args } => {
                    let definition = self.model.definition(*definition);
                    if definition.recursive || natives::lookup(definition).is_some() {
                        return None;
                    }
                    names = self.enter(&definition.params, args, &names, &names, slots);
                    expr = &definition.body;
                }
                ExprKind::Let { definitions, body } => {
                    names = self.let_names(definitions, &names, slots);
                    expr = body;
                }
                _ => return None,
            }
        }
        None
    }

    /// Whether the function is one whose body is being compiled: what stands here is an application inside itself.
    pub(super) fn applies_itself(&self, function: &Written<'m>) -> bool {
        self.applied.iter().any(|(key, _)| *key == function.key)
    }

    /// `f[e]` where `f` is written as a function: its body is walked. `None` if `f` is anything else.
    pub(super) fn applied(
        &mut self,
        [function, argument]: [&'m Expr; 2],
        expr: &'m Expr,
        names: &Names<'m>,
        finds: Finds,
    ) -> Option<Box<dyn Action>> {
        let mut slots = Vec::new();
        let written = self.written_function(function, names, &mut slots)?;
        let known = self.applied.iter().find(|(key, _)| *key == written.key).map(|(_, known)| known.clone());
        let eager = finds == Finds::Current && written.this.is_none();
        let function = match known {
            Some(known) => known,
            None => self.action_function(written, finds)?,
        };
        let (argument, condition) = (self.code(argument, names), self.code(expr, names));
        let applied = Applied { function, argument, eager, condition, place: expr.place };
        Some(super::action::scoped(slots, Box::new(applied)))
    }

    fn action_function(&mut self, written: Written<'m>, finds: Finds) -> Option<Arc<ActionFunction>> {
        let Written { key, expr, bounds, body, this, names } = written;
        let mut inner = names.clone();
        let ranges = self.ranges(bounds, &names, &mut inner)?;
        if let Some(this) = this {
            // As a value, the function's own name means the function as it is written.
            inner.bindings.insert(this, Binding::Written { expr, names });
        }
        let frame = self.frame.size.clone();
        let function = ActionFunction { ranges, body: OnceLock::new(), frame, recursive: this.is_some() };
        let function = Arc::new(function);
        self.applied.push((key, function.clone()));
        let body = self.action(body, &inner, finds);
        self.applied.pop();
        // Set once: nobody else has the function yet.
        drop(function.body.set(body));
        Some(function)
    }
}
