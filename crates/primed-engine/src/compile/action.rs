//! Expressions that find states.

use std::sync::Arc;

use primed_semantics::model::{
    Argument, Bound, Builtin, DefinitionId, Expr, ExprKind, LocalDefinition, LocalId, Subscripted,
};

use super::costs::{Cost, Part};
use super::procedure::CallSite;
use super::{Binding, Compiler, Finds, Names};
use crate::actions::{self, ActionProcedure, Target};
use crate::guard;
use crate::natives;
use crate::node::Action;
use crate::nodes::composition::Compose;
use crate::nodes::counted::{CountedUnchanged, Passes};
use crate::nodes::kind::KindTest;
use crate::nodes::passed;

/// Parts of a formula that are looked at for choices. Names may stand for each other, so that there is no end in reason.
const BRANCHES_LIMIT: u32 = 10_000;

impl<'m> Compiler<'m> {
    /// Code that finds states. What does not mention the state to be found is a plain condition.
    pub(super) fn action(&mut self, expr: &'m Expr, names: &Names<'m>, finds: Finds) -> Box<dyn Action> {
        stacker::maybe_grow(256 << 10, 8 << 20, || {
            let facts = self.whole_facts(expr, names);
            let touches = if finds == Finds::Current { facts.current } else { facts.next };
            // TLC follows a choice even where it gives no variable a value: each true alternative is a way of its own, and
            // counts as a state of its own.
            let finds_states =
                self.writes() && !names.primed && (touches || self.walks_all() || self.branches(expr, names));
            let inside = self.counted_inside(expr, names);
            let inside = inside.as_ref().unwrap_or(names);
            let action = match finds_states {
                true => self.finding(expr, inside, finds),
                false => self.condition(expr, inside, finds),
            };
            self.placed_action(expr, names, action)
        })
    }

    /// Whether the formula, walked as TLC walks an action, can be true in more than one way.
    pub(super) fn branches(&mut self, expr: &'m Expr, names: &Names<'m>) -> bool {
        self.can_branch(expr, names, &mut { BRANCHES_LIMIT })
    }

    fn can_branch(&mut self, expr: &'m Expr, names: &Names<'m>, fuel: &mut u32) -> bool {
        *fuel = fuel.saturating_sub(1);
        if *fuel == 0 {
            return false;
        }
        match &*expr.kind {
            ExprKind::Junction { and: false, .. } | ExprKind::Builtin { op: Builtin::Or, .. } => true,
            ExprKind::Quantified { forall, bounds, body } => {
                let bounded = bounds.iter().all(|b| b.set.is_some());
                bounded && (!forall || self.can_branch(body, names, fuel))
            }
            ExprKind::Junction { items, .. } | ExprKind::Builtin { op: Builtin::And, args: items } => {
                items.iter().any(|i| self.can_branch(i, names, fuel))
            }
            ExprKind::Builtin { op: Builtin::Implies, args } => self.can_branch(&args[1], names, fuel),
            ExprKind::If(_, yes, no) => self.can_branch(yes, names, fuel) || self.can_branch(no, names, fuel),
            ExprKind::Case { arms, other } => {
                arms.iter().map(|(_, e)| e).chain(other).any(|e| self.can_branch(e, names, fuel))
            }
            ExprKind::Let { definitions, body } => {
                let inner = as_written(definitions, names);
                self.can_branch(body, &inner, fuel)
            }
            ExprKind::Instanced { body, .. } => self.can_branch(body, names, fuel),
            ExprKind::Local(local) => self.name_branches(*local, names, fuel),
            ExprKind::CallLocal { local, args } => {
                self.name_branches(*local, names, fuel) || self.arguments_branch(args, names, fuel)
            }
            ExprKind::Call { definition, args } => {
                let written = natives::lookup(self.model.definition(*definition)).is_none();
                written
                    && (self.definition_branches(*definition)
                        || self.arguments_branch(args, names, fuel)
                        || self.captured_branches(*definition, names, fuel))
            }
            ExprKind::Apply(function, _) => match self.written_function(function, names, &mut Vec::new()) {
                // TLC walks the body again.
                Some(function) => {
                    self.applies_itself(&function) || self.can_branch(function.body, &function.names, fuel)
                }
                None => false,
            },
            _ => false,
        }
    }

    /// Whether what is passed has a choice, which TLC follows where the parameter stands for a conjunct.
    fn arguments_branch(&mut self, args: &'m [Argument], names: &Names<'m>, fuel: &mut u32) -> bool {
        args.iter().any(|arg| match arg {
            Argument::Value(expr) => self.can_branch(expr, names, fuel),
            Argument::Operator(lambda) => self.can_branch(&lambda.body, names, fuel),
        })
    }

    /// The same for what a definition takes from around it.
    fn captured_branches(&mut self, id: DefinitionId, names: &Names<'m>, fuel: &mut u32) -> bool {
        let captured = self.analysis.definition(id).free.clone();
        captured.iter().any(|local| self.name_branches(*local, names, fuel))
    }

    /// The same for what a name stands for.
    fn name_branches(&mut self, local: LocalId, names: &Names<'m>, fuel: &mut u32) -> bool {
        match names.bindings.get(&local).cloned() {
            Some(
                Binding::Operator { body: expr, names, .. }
                | Binding::Written { expr, names }
                | Binding::Lazy { expr, names, .. },
            ) => self.can_branch(expr, &names, fuel),
            Some(Binding::Finds { .. }) => true,
            _ => false,
        }
    }

    /// The same for a definition; what its arguments do inside is not looked at.
    fn definition_branches(&mut self, id: DefinitionId) -> bool {
        if let Some(known) = self.branching.get(&id) {
            return *known;
        }
        // A definition that only calls itself has no choice of its own.
        self.branching.insert(id, false);
        let definition = self.model.definition(id);
        // What is constant and has no parameters is a value for TLC before it looks for states.
        if definition.params.is_empty() && super::is_constant(self.model, &definition.body) {
            return false;
        }
        let branches = self.branches(&self.model.definition(id).body, &Names::default());
        self.branching.insert(id, branches);
        branches
    }

    pub(super) fn condition(&mut self, expr: &'m Expr, names: &Names<'m>, finds: Finds) -> Box<dyn Action> {
        // The parts of a conjunction are kept apart, so that the first that fails can be named.
        match &*expr.kind {
            ExprKind::Junction { and: true, items } | ExprKind::Builtin { op: Builtin::And, args: items } => {
                let item = |item| {
                    let inside = self.counted_inside(item, names);
                    self.condition(item, inside.as_ref().unwrap_or(names), finds)
                };
                Box::new(actions::All(items.iter().map(item).collect()))
            }
            ExprKind::Int(_) | ExprKind::String(_) => {
                let condition = self.code(expr, names);
                let text = match &*expr.kind {
                    ExprKind::Int(_) => self.model.text(expr.place).to_owned(),
                    _ => self.model.describe(expr.place),
                };
                Box::new(guard::Literal { condition, text, place: expr.place })
            }
            kind => {
                // TLC looks into these itself.
                let looked_into = matches!(
                    kind,
                    ExprKind::Bool(_)
                        | ExprKind::Local(_)
                        | ExprKind::CallLocal { .. }
                        | ExprKind::Call { .. }
                        | ExprKind::Apply(..)
                );
                let condition = match looked_into && names.cost != Cost::None {
                    true => self.code_inside(expr, names),
                    false => self.code(expr, names),
                };
                self.passing(names, finds, None, Box::new(actions::Guard { condition, place: expr.place }))
            }
        }
    }

    fn actions(&mut self, items: &'m [Expr], names: &Names<'m>, finds: Finds) -> Vec<Box<dyn Action>> {
        items.iter().map(|i| self.action(i, names, finds)).collect()
    }

    fn finding(&mut self, expr: &'m Expr, names: &Names<'m>, finds: Finds) -> Box<dyn Action> {
        let place = expr.place;
        match &*expr.kind {
            ExprKind::Junction { and, items } => match and {
                true => Box::new(actions::All(self.actions(items, names, finds))),
                false => Box::new(actions::Any(self.actions(items, names, finds))),
            },
            ExprKind::Builtin { op, args } => self.builtin_action(*op, args, expr, names, finds),
            ExprKind::If(condition, yes, no) => Box::new(actions::If {
                place,
                at: condition.place,
                condition: self.code(condition, names),
                yes: self.action(yes, names, finds),
                no: self.action(no, names, finds),
            }),
            ExprKind::Case { arms, other } => {
                let places = arms.iter().map(|(guard, action)| (action.place, guard.place));
                let mut arm = |(guard, action): &'m (Expr, Expr)| {
                    let names = self.in_part(action, Part::Pair, names);
                    (self.code(guard, &names), self.action(action, &names, finds))
                };
                let arms = arms.iter().map(&mut arm).collect();
                let other = other.as_ref().map(|e| self.action(e, &self.in_part(e, Part::Pair, names), finds));
                let places = places.collect();
                Box::new(actions::Case { arms, places, other, place })
            }
            ExprKind::Let { definitions, body } => {
                let mut slots = Vec::new();
                let names = match self.let_in_action(definitions, names) {
                    Some(names) => names,
                    None => self.let_names(definitions, names, &mut slots),
                };
                let body = self.action(body, &names, finds);
                scoped(slots, body)
            }
            ExprKind::Quantified { forall: false, bounds, body } => {
                let excluded = self.kind_test(bounds, body);
                self.exists(bounds, names, excluded, |c, inner| c.action(body, inner, finds))
                    .unwrap_or_else(|| self.condition(expr, names, finds))
            }
            ExprKind::Quantified { forall: true, bounds, body } => {
                let mut inner = names.clone();
                let Some(ranges) = self.ranges(bounds, names, &mut inner) else {
                    return self.condition(expr, names, finds);
                };
                let body = self.action(body, &inner, finds);
                let frame = self.frame.size.clone();
                Box::new(actions::Forall { frame, ranges, names: inner.slots_of(bounds), body })
            }
            ExprKind::Local(_) | ExprKind::CallLocal { .. } => self.named_finding(expr, names, finds),
            ExprKind::Instanced { instance, body } => {
                self.action(body, &Names { instance: *instance, ..names.clone() }, finds)
            }
            ExprKind::Call { definition, args } => self.action_call(*definition, args, expr, names, finds),
            ExprKind::Apply(function, argument) => self
                .applied([function, argument], expr, names, finds)
                .unwrap_or_else(|| self.condition(expr, names, finds)),
            ExprKind::Subscripted { kind: Subscripted::Square, action, subscript } if finds == Finds::Next => {
                let stutter = self.unchanged_action(subscript, expr, names);
                Box::new(actions::Any(vec![self.action(action, names, finds), stutter]))
            }
            ExprKind::Subscripted { kind: Subscripted::Angle, action, subscript } if finds == Finds::Next => {
                let operand = self.unchanged(subscript, place, names);
                let condition = Box::new(crate::nodes::logic::Not { operand, operand_place: subscript.place, place });
                let changes = Box::new(actions::Guard { condition, place });
                Box::new(actions::All(vec![self.action(action, names, finds), changes]))
            }
            _ => self.condition(expr, names, finds),
        }
    }

    /// `\E` around an action; `None` if a bound is missing.
    pub(super) fn exists(
        &mut self,
        bounds: &'m [Bound],
        names: &Names<'m>,
        excluded: Option<KindTest>,
        body: impl FnOnce(&mut Self, &Names<'m>) -> Box<dyn Action>,
    ) -> Option<Box<dyn Action>> {
        let mut inner = names.clone();
        let ranges = self.ranges(bounds, names, &mut inner)?;
        let body = body(self, &inner);
        Some(Box::new(actions::Exists { ranges, excluded, names: inner.slots_of(bounds), body }))
    }

    /// A name, or an operator that a name stands for.
    fn named_finding(&mut self, expr: &'m Expr, names: &Names<'m>, finds: Finds) -> Box<dyn Action> {
        let binding = match &*expr.kind {
            ExprKind::Local(local) | ExprKind::CallLocal { local, .. } => names.bindings.get(local).cloned(),
            _ => None,
        };
        match (&*expr.kind, binding) {
            (
                ExprKind::Local(_),
                Some(Binding::Written { expr, names: mut inner } | Binding::Lazy { expr, names: mut inner, .. }),
            ) => {
                // Of an initial predicate TLC counts what was passed where it is used.
                if inner.cost == Cost::Use || (finds == Finds::Current && names.cost != Cost::None) {
                    inner.cost = names.cost;
                }
                self.action(expr, &inner, finds)
            }
            (ExprKind::Local(_), Some(Binding::Finds { slot, .. })) if !names.primed && !names.exchanged => {
                let guard = actions::Guard { condition: self.code(expr, names), place: expr.place };
                Box::new(passed::Parameter { slot, guard })
            }
            (ExprKind::CallLocal { args, .. }, Some(Binding::Operator { params, body, names: inner })) => {
                let mut slots = Vec::new();
                let inner = self.enter(params, args, names, &inner, &mut slots);
                let body = self.action(body, &inner, finds);
                scoped(slots, body)
            }
            _ => self.condition(expr, names, finds),
        }
    }

    fn builtin_action(
        &mut self,
        op: Builtin,
        args: &'m [Expr],
        expr: &'m Expr,
        names: &Names<'m>,
        finds: Finds,
    ) -> Box<dyn Action> {
        let place = expr.place;
        match op {
            Builtin::And => Box::new(actions::All(self.actions(args, names, finds))),
            Builtin::Or => Box::new(actions::Any(self.actions(args, names, finds))),
            Builtin::Implies => {
                let condition = self.code(&args[0], names);
                let at = args[0].place;
                Box::new(actions::Implies { condition, then: self.action(&args[1], names, finds), place, at })
            }
            Builtin::Equal => match self.target(&args[0], names, finds) {
                Some(target) => {
                    let assign = Box::new(actions::Assign {
                        apart: self.stands_apart(&args[1], names).then(|| self.assignment()),
                        target,
                        value: self.code(&args[1], names),
                        condition: self.code(expr, names),
                        place,
                    });
                    self.passing(names, finds, Some(target), assign)
                }
                None => self.condition(expr, names, finds),
            },
            Builtin::In | Builtin::SubsetEq => match self.target(&args[0], names, finds) {
                Some(target) => Box::new(actions::AssignIn {
                    target,
                    set: self.code(&args[1], names),
                    subsets: op == Builtin::SubsetEq,
                    condition: self.code(expr, names),
                    place,
                    passes: self.passes(names, finds).map(|p| Passes { set: self.made_here(&args[1], names), ..p }),
                }),
                None => self.condition(expr, names, finds),
            },
            Builtin::Unchanged if finds == Finds::Next && names.cost != Cost::None && names.enabled.is_none() => {
                let items = self.counted_unchanged(&args[0], names);
                Box::new(CountedUnchanged { items, condition: self.code(expr, names) })
            }
            Builtin::Unchanged if finds == Finds::Next => self.unchanged_action(&args[0], expr, names),
            Builtin::Compose if finds == Finds::Next && self.model.composes() => {
                // What is written outside means something else in the state in between.
                let inside = Names { exchanged: true, ..names.clone() };
                let [first, second] = [&args[0], &args[1]].map(|a| self.action(a, &inside, finds));
                Box::new(Compose { first, second, condition: self.code(expr, names), place })
            }
            _ => self.condition(expr, names, finds),
        }
    }

    /// The variable that `x'` (in an initial predicate `x`) stands for.
    fn target(&self, expr: &'m Expr, names: &Names<'m>, finds: Finds) -> Option<Target> {
        let variable = |expr| {
            let mut found = Vec::new();
            let plain = !matches!(self.resolve(expr, names).0.kind.as_ref(), ExprKind::Tuple(_));
            (plain && self.collect_variables(expr, names, &mut found)).then_some(())?;
            found.pop().filter(|_| found.is_empty())
        };
        match (finds, &*expr.kind) {
            (Finds::Current, _) => variable(expr).map(|variable| Target { variable, current: true }),
            (Finds::Next, ExprKind::Builtin { op: Builtin::Prime, args }) => {
                if let (ExprKind::StandIn { instance, number, .. }, inner) = {
                    let (operand, inner) = self.resolve(&args[0], names);
                    (&*operand.kind, inner)
                } && let Some(variable) = self.own_variable(*instance, *number, &inner)
                {
                    return Some(Target { variable, current: false });
                }
                variable(&args[0]).map(|variable| Target { variable, current: false })
            }
            (Finds::Next, ExprKind::Local(local)) => match names.bindings.get(local) {
                Some(Binding::Written { expr, names: inner } | Binding::Lazy { expr, names: inner, .. }) => {
                    self.target(expr, inner, finds)
                }
                _ => None,
            },
            (Finds::Next, ExprKind::Let { .. }) => self.target(let_body(expr)?, names, finds),
            (Finds::Next, ExprKind::Call { definition, args }) if args.is_empty() => {
                let definition = self.model.definition(*definition);
                (!definition.recursive).then_some(())?;
                self.target(&definition.body, names, finds)
            }
            _ => None,
        }
    }

    /// Follows names and definitions without parameters to what they stand for.
    pub(super) fn resolve(&self, expr: &'m Expr, names: &Names<'m>) -> (&'m Expr, Names<'m>) {
        match &*expr.kind {
            ExprKind::Local(local) => match names.bindings.get(local) {
                Some(Binding::Written { expr, names: inner } | Binding::Lazy { expr, names: inner, .. }) => {
                    self.resolve(expr, inner)
                }
                _ => (expr, names.clone()),
            },
            ExprKind::StandIn { instance, number, value } if self.own_variable(*instance, *number, names).is_none() => {
                self.resolve(value, names)
            }
            ExprKind::Call { definition, args } if args.is_empty() => {
                let definition = self.model.definition(*definition);
                match definition.recursive {
                    true => (expr, names.clone()),
                    false => self.resolve(&definition.body, names),
                }
            }
            ExprKind::Let { .. } => let_body(expr).map_or((expr, names.clone()), |body| self.resolve(body, names)),
            _ => (expr, names.clone()),
        }
    }

    /// The variable, primed or not, that an argument is: inside the operator it can be given its value.
    fn passed_variable(&self, arg: &'m Argument, names: &Names<'m>) -> Option<&'m Expr> {
        let Argument::Value(expr) = arg else { return None };
        let (expr, inner) = self.resolve(expr, names);
        if inner.primed || inner.exchanged {
            return None;
        }
        match &*expr.kind {
            ExprKind::Variable(_) => Some(expr),
            ExprKind::Builtin { op: Builtin::Prime, args } => {
                matches!(args.as_slice(), [of] if matches!(&*of.kind, ExprKind::Variable(_))).then_some(expr)
            }
            _ => None,
        }
    }

    fn action_call(
        &mut self,
        id: DefinitionId,
        args: &'m [Argument],
        expr: &'m Expr,
        names: &Names<'m>,
        finds: Finds,
    ) -> Box<dyn Action> {
        let definition = self.model.definition(id);
        if natives::lookup(definition).is_some() {
            return self.condition(expr, names, finds);
        }
        if definition.recursive || self.depth > super::INLINE_DEPTH {
            let called = self.recursive_action(id, args, expr, names, finds);
            return self.taken(id, names, called);
        }
        self.depth += 1;
        let mut slots = Vec::new();
        let inner = self.enter(&definition.params, args, names, names, &mut slots);
        let body = self.action(&definition.body, &inner, finds);
        self.depth -= 1;
        let body = self.taken(id, names, body);
        scoped(slots, body)
    }

    fn recursive_action(
        &mut self,
        id: DefinitionId,
        args: &'m [Argument],
        expr: &'m Expr,
        names: &Names<'m>,
        finds: Finds,
    ) -> Box<dyn Action> {
        let definition = self.model.definition(id);
        let CallSite { entry, key, operators } = self.call_site(id, args, names, expr, Some(finds));
        if key.grows() {
            return self.condition(expr, names, finds);
        }
        let variables: Vec<Option<&'m Expr>> = args.iter().map(|a| self.passed_variable(a, names)).collect();
        let passed = variables.iter().map(|v| v.map(|e| std::ptr::from_ref(&*e.kind))).collect();
        let action_key = (key.clone(), finds, passed);
        let procedure = match self.action_procedures.get(&action_key) {
            Some(procedure) => procedure.clone(),
            None => {
                let procedure = Arc::new(ActionProcedure::default());
                self.action_procedures.insert(action_key, procedure.clone());
                let captured = self.analysis.definition(id).free.clone();
                let depth = std::mem::replace(&mut self.depth, 0);
                let (body, size) = self.in_frame(|c| {
                    let mut names = c.procedure_names((&definition.params, &operators), &captured, names, &key);
                    for (param, variable) in definition.params.iter().zip(&variables) {
                        if let Some(expr) = *variable {
                            names.bindings.insert(param.local, Binding::Written { expr, names: Names::default() });
                        }
                    }
                    c.action(&definition.body, &names, finds)
                });
                self.depth = depth;
                drop(procedure.code.set((body, size)));
                procedure
            }
        };
        let condition = self.code(expr, names);
        Box::new(actions::Call { entry, procedure, condition })
    }
}

/// The names inside a LET, each standing for what it is defined as.
fn as_written<'m>(definitions: &'m [LocalDefinition], names: &Names<'m>) -> Names<'m> {
    let mut inner = names.clone();
    for LocalDefinition { local, params, body, .. } in definitions {
        let binding = match params.as_slice() {
            [] => Binding::Written { expr: body, names: inner.clone() },
            params => Binding::Operator { params, body, names: inner.clone() },
        };
        inner.bindings.insert(*local, binding);
    }
    inner
}

/// What a LET stands for whose body is one of its own names.
fn let_body(expr: &Expr) -> Option<&Expr> {
    let ExprKind::Let { definitions, body } = &*expr.kind else { return None };
    let ExprKind::Local(name) = &*body.kind else { return None };
    definitions.iter().find(|d| d.local == *name && d.params.is_empty()).map(|d| &d.body)
}

pub(super) fn scoped(slots: Vec<u32>, body: Box<dyn Action>) -> Box<dyn Action> {
    match slots.is_empty() {
        true => body,
        false => Box::new(actions::Scope { slots, body }),
    }
}
