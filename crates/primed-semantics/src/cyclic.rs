//! A configuration that replaces an operator by one whose own definition uses the operator: `Next <- MyNext` with
//! `MyNext == Next /\ P`. What the replacement is made of goes on to mean the operator as it was, everything else means the
//! replacement, as in TLC with its property `allowCyclicRedefinitions`. Without it TLC's stack overflows where an operator has no
//! parameters, which is when this is done. One with parameters becomes a recursive operator and may well end; only where it calls
//! itself with the arguments that it was called with, it cannot, and the operator as it was is meant too.

use hashbrown::HashSet;

use crate::model::{Argument, Bound, DefinitionId, ExceptStep, Expr, ExprKind, LocalId};
use crate::resolver::Resolver;

impl Resolver {
    /// Before `target` is replaced by `source`: if the source uses the target, it gets a copy of it to use.
    pub(crate) fn keep_original(&mut self, target: DefinitionId, source: DefinitionId) {
        if !self.definitions[target.0 as usize].params.is_empty() {
            return self.keep_original_of_itself(target, source);
        }
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

    /// The same for operators with parameters: calls with the parameters themselves would never end.
    fn keep_original_of_itself(&mut self, target: DefinitionId, source: DefinitionId) {
        let params: Vec<LocalId> = self.definitions[source.0 as usize].params.iter().map(|p| p.local).collect();
        let original = DefinitionId(self.definitions.len() as u32);
        let mut found = false;
        let mut body = self.definitions[source.0 as usize].body.clone();
        each(&mut body, &mut |expr| {
            if let ExprKind::Call { definition, args } = &mut *expr.kind
                && *definition == target
                && args.len() == params.len()
                && args.iter().zip(&params).all(|(arg, param)| is_local(arg, *param))
            {
                *definition = original;
                found = true;
            }
        });
        if found {
            let copy = self.definitions[target.0 as usize].clone();
            self.add_definition(copy);
            self.definitions[source.0 as usize].body = body;
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

fn is_local(argument: &Argument, local: LocalId) -> bool {
    matches!(argument, Argument::Value(expr) if matches!(&*expr.kind, ExprKind::Local(l) if *l == local))
}

/// Runs over the definitions that an expression calls.
fn each_call(expr: &mut Expr, run: &mut dyn FnMut(&mut DefinitionId)) {
    each(expr, &mut |expr| {
        if let ExprKind::Call { definition, .. } = &mut *expr.kind {
            run(definition);
        }
    });
}

/// Runs over an expression and all within it.
fn each(expr: &mut Expr, run: &mut dyn FnMut(&mut Expr)) {
    run(expr);
    stacker::maybe_grow(128 << 10, 4 << 20, || each_child(expr, &mut |child| each(child, run)));
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
