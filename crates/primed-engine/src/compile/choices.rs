//! The named actions that a next-state relation is made of, and where it calls them.
//!
//! A relation is a choice between actions; conditions, UNCHANGED and other formulas may stand beside the choice
//! (`(A \/ B) /\ UNCHANGED y`, `\E p \in S : ready(p) /\ A(p)`). They belong to each action of it.

use hashbrown::{HashMap, HashSet};
use primed_semantics::model::{Argument, Bound, Builtin, DefinitionId, Expr, ExprKind, LocalDefinition, Param};
use primed_value::error::Place;

use super::Compiler;
use super::analysis::each_child;
use crate::natives;

/// Definitions looked into below each other while a name is searched for.
const SEARCH_DEPTH: usize = 100;
/// Formulas looked at while the ways to one action are searched for.
const MAX_FORMULAS: u32 = 1 << 18;
/// Ways to an action that are kept.
const MAX_WAYS: usize = 1000;

/// What stands between the next-state relation and a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Around<'m> {
    Bounds(&'m [Bound]),
    Let(&'m [LocalDefinition]),
    Call(&'m [Param], &'m [Argument]),
    /// The other items of a conjunction: those before it and those after it.
    Beside(&'m [Expr], &'m [Expr]),
    /// A condition that is true on the way, or false.
    Condition(&'m Expr, bool),
    /// The guards of a CASE up to the one on the way; without that, the way is OTHER.
    Arms(&'m [(Expr, Expr)], Option<&'m Expr>),
}

impl Around<'_> {
    /// It can be false.
    fn restricts(&self) -> bool {
        matches!(self, Around::Beside(..) | Around::Condition(..) | Around::Arms(..))
    }
}

/// A call of an action inside the next-state relation.
#[derive(Clone, Debug)]
pub(super) struct Way<'m> {
    pub(super) around: Vec<Around<'m>>,
    pub(super) args: &'m [Argument],
    pub(super) place: Place,
}

impl Way<'_> {
    /// Something beside the call can be false.
    pub(super) fn restricts(&self) -> bool {
        self.around.iter().any(Around::restricts)
    }
}

/// What a relation is made of.
#[derive(Default)]
struct Found {
    actions: Vec<DefinitionId>,
    /// Definitions that are choices between others.
    choices: HashSet<DefinitionId>,
}

/// A search for the calls of one action.
pub(super) struct Search<'l> {
    pub(super) id: DefinitionId,
    /// The actions that the relation is made of, if what stands beside a call in it is part of the way.
    pub(super) listed: Option<&'l [DefinitionId]>,
    /// For definitions whether a call is somewhere in them.
    reaches: HashMap<DefinitionId, bool>,
    /// Formulas that may still be looked at.
    left: u32,
}

impl<'l> Search<'l> {
    pub(super) fn new(id: DefinitionId, listed: Option<&'l [DefinitionId]>) -> Search<'l> {
        // What another action of the relation calls is no part of the relation itself.
        let others = listed.into_iter().flatten().map(|other| (*other, false));
        let reaches = others.chain([(id, true)]).collect();
        Search { id, listed, reaches, left: MAX_FORMULAS }
    }
}

impl<'m> Compiler<'m> {
    /// The names of the actions that a next-state relation is made of: the definitions in it that are more than a choice
    /// between others, in textual order.
    pub fn action_definitions(&mut self, next: &'m Expr) -> Vec<DefinitionId> {
        let mut found = Found::default();
        self.collect(next, 0, true, &mut found);
        found.actions
    }

    /// `top`: no choice has been passed yet, so that this is the relation as a whole rather than one of its actions.
    fn collect(&mut self, expr: &'m Expr, depth: usize, top: bool, found: &mut Found) {
        match &*expr.kind {
            ExprKind::Call { definition: id, .. } => {
                let definition = self.model.definition(*id);
                if !self.analysis.definition(*id).next || natives::lookup(definition).is_some() {
                    return;
                }
                let inside = depth < SEARCH_DEPTH && !definition.recursive;
                if inside && (is_choice(&definition.body) || (top && self.has_actions(&definition.body, 0))) {
                    if found.choices.insert(*id) {
                        self.collect(&definition.body, depth + 1, top, found);
                    }
                } else if !found.actions.contains(id) {
                    found.actions.push(*id);
                }
            }
            ExprKind::Let { body, .. } | ExprKind::Quantified { body, .. } => self.collect(body, depth, top, found),
            ExprKind::Subscripted { action, .. } => self.collect(action, depth, top, found),
            ExprKind::Junction { and: true, items } | ExprKind::Builtin { op: Builtin::And, args: items } => {
                match self.chosen_item(items, 0) {
                    Some(item) => self.collect(item, depth, top, found),
                    None => items.iter().for_each(|i| self.collect(i, depth, false, found)),
                }
            }
            _ => alternatives(expr).into_iter().for_each(|i| self.collect(i, depth, false, found)),
        }
    }

    /// UNCHANGED, a conjunction of such, or a definition that is one.
    fn only_unchanged(&self, expr: &'m Expr, depth: usize) -> bool {
        match &*expr.kind {
            _ if depth > SEARCH_DEPTH => false,
            ExprKind::Builtin { op: Builtin::Unchanged, .. } => true,
            ExprKind::Junction { and: true, items } | ExprKind::Builtin { op: Builtin::And, args: items } => {
                items.iter().all(|item| self.only_unchanged(item, depth + 1))
            }
            ExprKind::Call { definition, args } if args.is_empty() => {
                self.only_unchanged(&self.model.definition(*definition).body, depth + 1)
            }
            _ => false,
        }
    }

    /// Whether a formula is a choice between actions that have names, or such a choice with other formulas beside it.
    fn has_actions(&mut self, expr: &'m Expr, depth: usize) -> bool {
        if depth > SEARCH_DEPTH {
            return false;
        }
        match &*expr.kind {
            ExprKind::Call { definition: id, .. } => {
                let native = natives::lookup(self.model.definition(*id)).is_some();
                self.analysis.definition(*id).next && !native && !self.only_unchanged(expr, 0)
            }
            ExprKind::Let { body, .. } | ExprKind::Quantified { forall: false, body, .. } => {
                self.has_actions(body, depth + 1)
            }
            ExprKind::Subscripted { action, .. } => self.has_actions(action, depth + 1),
            ExprKind::Junction { and: true, items } | ExprKind::Builtin { op: Builtin::And, args: items } => {
                self.chosen_item(items, depth + 1).is_some()
            }
            _ => alternatives(expr).into_iter().any(|i| self.has_actions(i, depth + 1)),
        }
    }

    /// The item of a conjunction that is the choice between actions: the only one that is a choice, or the only call of an
    /// action if nothing else gives variables new values.
    fn chosen_item(&mut self, items: &'m [Expr], depth: usize) -> Option<&'m Expr> {
        let mut choices = Vec::new();
        let mut calls = Vec::new();
        let mut others = false;
        for item in items {
            match self.has_actions(item, depth) {
                true if is_call(item) => calls.push(item),
                true => choices.push(item),
                false => others |= self.analysis.facts(item).next && !self.only_unchanged(item, 0),
            }
        }
        match (choices.as_slice(), calls.as_slice()) {
            ([choice], _) => Some(choice),
            ([], [call]) if !others => Some(call),
            _ => None,
        }
    }

    /// Every call of an action in the next-state relation.
    pub(super) fn search(
        &mut self,
        expr: &'m Expr,
        search: &mut Search<'_>,
        around: &mut Vec<Around<'m>>,
        ways: &mut Vec<Way<'m>>,
    ) {
        if around.len() > SEARCH_DEPTH || ways.len() >= MAX_WAYS {
            return;
        }
        let Some(left) = search.left.checked_sub(1) else { return };
        search.left = left;
        let (id, listed) = (search.id, search.listed);
        let reached = match &*expr.kind {
            ExprKind::Call { definition, .. } => self.reaches(*definition, &mut search.reaches),
            _ => true,
        };
        let mut inside = |c: &mut Self, step: Option<Around<'m>>, inner: &'m Expr| {
            let length = around.len();
            around.extend(step.filter(|step| listed.is_some() || !step.restricts()));
            c.search(inner, search, around, ways);
            around.truncate(length);
        };
        match &*expr.kind {
            ExprKind::Call { definition, args } if *definition == id => {
                ways.push(Way { around: around.clone(), args, place: expr.place });
            }
            ExprKind::Call { definition: called, args } => {
                let definition = self.model.definition(*called);
                let other = listed.is_some_and(|listed| listed.contains(called));
                let next = self.analysis.definition(*called).next;
                if next && !definition.recursive && !other && reached {
                    inside(self, Some(Around::Call(&definition.params, args)), &definition.body);
                }
            }
            ExprKind::Let { definitions, body } => inside(self, Some(Around::Let(definitions)), body),
            ExprKind::Quantified { forall: false, bounds, body } => inside(self, Some(Around::Bounds(bounds)), body),
            ExprKind::Subscripted { action, .. } => inside(self, None, action),
            ExprKind::Junction { and: true, items } | ExprKind::Builtin { op: Builtin::And, args: items } => {
                for (i, item) in items.iter().enumerate() {
                    inside(self, Some(Around::Beside(&items[..i], &items[i + 1..])), item);
                }
            }
            ExprKind::If(condition, yes, no) => {
                inside(self, Some(Around::Condition(condition, true)), yes);
                inside(self, Some(Around::Condition(condition, false)), no);
            }
            ExprKind::Case { arms, other } => {
                for (i, (guard, arm)) in arms.iter().enumerate() {
                    inside(self, Some(Around::Arms(&arms[..i], Some(guard))), arm);
                }
                if let Some(other) = other {
                    inside(self, Some(Around::Arms(arms, None)), other);
                }
            }
            _ => alternatives(expr).into_iter().for_each(|i| inside(self, None, i)),
        }
    }
}

impl<'m> Compiler<'m> {
    /// Whether a definition has, in itself or in what it calls, a call of one that is known to.
    fn reaches(&self, id: DefinitionId, known: &mut HashMap<DefinitionId, bool>) -> bool {
        if let Some(reaches) = known.get(&id) {
            return *reaches;
        }
        known.insert(id, false);
        let mut found = false;
        self.reaches_in(&self.model.definition(id).body, known, &mut found);
        known.insert(id, found);
        found
    }

    fn reaches_in(&self, expr: &'m Expr, known: &mut HashMap<DefinitionId, bool>, found: &mut bool) {
        if let ExprKind::Call { definition, .. } = &*expr.kind {
            *found |= self.reaches(*definition, known);
        }
        if !*found {
            stacker::maybe_grow(128 << 10, 4 << 20, || {
                each_child(expr, &mut |child| self.reaches_in(child, known, found));
            });
        }
    }
}

/// What a formula is a choice between.
fn alternatives(expr: &Expr) -> Vec<&Expr> {
    match &*expr.kind {
        ExprKind::Junction { and: false, items } | ExprKind::Builtin { op: Builtin::Or, args: items } => {
            items.iter().collect()
        }
        ExprKind::If(_, yes, no) => vec![yes, no],
        ExprKind::Case { arms, other } => arms.iter().map(|(_, e)| e).chain(other).collect(),
        _ => Vec::new(),
    }
}

fn is_call(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Call { .. } => true,
        ExprKind::Let { body, .. } => is_call(body),
        _ => false,
    }
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
