//! A configuration that replaces an operator by one whose own definition uses the operator: `Next <- MyNext` with
//! `MyNext == Next /\ P`. What the replacement is made of goes on to mean the operator as it was, everything else means the
//! replacement, as in TLC with its property `allowCyclicRedefinitions`. Without it TLC's stack overflows where an operator has no
//! parameters, which is when this is done; one with parameters becomes a recursive operator and may well end.

use hashbrown::HashSet;

use crate::model::{Argument, Bound, DefinitionId, ExceptStep, Expr, ExprKind};
use crate::resolver::Resolver;

impl Resolver {
    /// Before `target` is replaced by `source`: if the source uses the target, it gets a copy of it to use.
    pub(crate) fn keep_original(&mut self, target: DefinitionId, source: DefinitionId) {
        let reached = self.reached(source);
        if !reached.contains(&target) {
            return;
        }
        let copy = self.definitions[target.0 as usize].clone();
        let original = self.add_definition(copy);
        for id in reached.iter().filter(|id| **id != target).chain([&original]) {
            rename(&mut self.definitions[id.0 as usize].body, target, original);
        }
    }

    /// The definitions that one is made of, itself included.
    fn reached(&mut self, from: DefinitionId) -> HashSet<DefinitionId> {
        let (mut reached, mut queue) = (HashSet::from([from]), vec![from]);
        while let Some(id) = queue.pop() {
            each_call(&mut self.definitions[id.0 as usize].body, &mut |called| {
                if reached.insert(*called) {
                    queue.push(*called);
                }
            });
        }
        reached
    }
}

fn rename(body: &mut Expr, from: DefinitionId, to: DefinitionId) {
    each_call(body, &mut |called| {
        if *called == from {
            *called = to;
        }
    });
}

/// Runs over the definitions that an expression calls.
fn each_call(expr: &mut Expr, run: &mut dyn FnMut(&mut DefinitionId)) {
    if let ExprKind::Call { definition, .. } = &mut *expr.kind {
        run(definition);
    }
    stacker::maybe_grow(128 << 10, 4 << 20, || each_child(expr, &mut |child| each_call(child, run)));
}

fn bounds<'e>(bounds: impl IntoIterator<Item = &'e mut Bound>, run: &mut dyn FnMut(&mut Expr)) {
    bounds.into_iter().filter_map(|b| b.set.as_mut()).for_each(run);
}

/// Runs over the expressions directly within another.
fn each_child(expr: &mut Expr, run: &mut dyn FnMut(&mut Expr)) {
    match &mut *expr.kind {
        ExprKind::Call { args, .. } | ExprKind::CallLocal { args, .. } => args.iter_mut().for_each(|arg| match arg {
            Argument::Value(value) => run(value),
            Argument::Operator(lambda) => run(&mut lambda.body),
        }),
        ExprKind::Builtin { args: items, .. }
        | ExprKind::Junction { items, .. }
        | ExprKind::SetEnum(items)
        | ExprKind::Tuple(items) => items.iter_mut().for_each(run),
        ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(run),
        ExprKind::Case { arms, other } => arms.iter_mut().flat_map(|(g, e)| [g, e]).chain(other).for_each(run),
        ExprKind::Let { definitions, body } => {
            definitions.iter_mut().map(|d| &mut d.body).chain([body]).for_each(run);
        }
        ExprKind::Quantified { bounds: all, body, .. }
        | ExprKind::SetMap { bounds: all, body }
        | ExprKind::Function { bounds: all, body, .. } => {
            bounds(all, run);
            run(body);
        }
        ExprKind::Choose { bound, body } | ExprKind::SetFilter { bound, body } => {
            bounds([bound], run);
            run(body);
        }
        ExprKind::TemporalQuantified { body: e, .. }
        | ExprKind::Select(e, _)
        | ExprKind::StandIn { value: e, .. }
        | ExprKind::Instanced { body: e, .. } => run(e),
        ExprKind::FunctionSet(a, b) | ExprKind::Apply(a, b) => [a, b].into_iter().for_each(run),
        ExprKind::Subscripted { action, subscript, .. } => [action, subscript].into_iter().for_each(run),
        ExprKind::Record(fields) | ExprKind::RecordSet(fields) => fields.iter_mut().for_each(|(_, e)| run(e)),
        ExprKind::Except { function, updates } => {
            run(function);
            for update in updates {
                let steps = update.path.iter_mut().filter_map(|step| match step {
                    ExceptStep::Index(index) => Some(index),
                    ExceptStep::Field(_) => None,
                });
                steps.chain([&mut update.value]).for_each(&mut *run);
            }
        }
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::String(_)
        | ExprKind::Model(_)
        | ExprKind::Variable(_)
        | ExprKind::Local(_)
        | ExprKind::Unsupported(_) => {}
    }
}
