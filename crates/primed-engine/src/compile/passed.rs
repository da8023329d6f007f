//! How arguments of calls are passed to a frame of their own: computed, by need, or so that they find states there.

use primed_semantics::model::{Argument, Builtin, Expr, ExprKind, LocalId};

use super::procedure::Content;
use super::{Binding, Compiler, Facts, Finds, Names};
use crate::env::ThunkCode;
use crate::node::Code;
use crate::nodes::calls::Passed;
use crate::nodes::passed::PassedAction;

/// Names followed to what they stand for.
const DEPTH: u32 = 100;

impl<'m> Compiler<'m> {
    /// An argument: at once if that is cheap and surely ends, else by need.
    pub(super) fn passed(&mut self, expr: &'m Expr, names: &Names<'m>, finds: Option<Finds>) -> (Passed, Content) {
        if let ExprKind::Local(local) = &*expr.kind
            && let Some(slot) = self.slot_of(*local, names)
        {
            return (Passed::Same(slot), self.content(*local, names, finds));
        }
        let facts = self.whole_facts(expr, names);
        let code = self.code(expr, names);
        let content = content_of(&facts, finds);
        match finds.and_then(|finds| self.passed_action(expr, names, &facts, finds)) {
            Some((action, reads)) => {
                let thunk = ThunkCode { action: Some(action), ..by_need(code, &facts) };
                (Passed::ByNeed(thunk), Content::Finds { reads })
            }
            None if self.is_cheap(expr, names, 12) => (Passed::Now(by_need(code, &facts)), content),
            None => (Passed::ByNeed(by_need(code, &facts)), content),
        }
    }

    /// A name that a called definition takes from around it.
    pub(super) fn captured(
        &mut self,
        local: LocalId,
        names: &Names<'m>,
        expr: &'m Expr,
        finds: Option<Finds>,
    ) -> (Passed, Content) {
        if let Some(slot) = self.slot_of(local, names) {
            return (Passed::Same(slot), self.content(local, names, finds));
        }
        let code = self.local(local, expr, names);
        let mut facts = Facts { free: vec![local], ..Facts::default() };
        self.include_names(&mut facts, names);
        let written = match names.bindings.get(&local).cloned() {
            Some(Binding::Written { expr, names: inner } | Binding::Lazy { expr, names: inner, .. }) => {
                Some((expr, inner)).filter(|_| !names.primed && !names.exchanged)
            }
            _ => None,
        };
        let action = finds.zip(written).and_then(|(finds, (expr, inner))| {
            let facts = self.whole_facts(expr, &inner);
            self.passed_action(expr, &inner, &facts, finds)
        });
        match action {
            Some((action, reads)) => {
                let thunk = ThunkCode { action: Some(action), ..by_need(code, &facts) };
                (Passed::ByNeed(thunk), Content::Finds { reads })
            }
            None => (Passed::ByNeed(by_need(code, &facts)), content_of(&facts, finds)),
        }
    }

    /// What a name stands for may depend on.
    fn content(&mut self, local: LocalId, names: &Names<'m>, finds: Option<Finds>) -> Content {
        if let (Some(_), Some(Binding::Finds { reads, .. })) = (finds, names.bindings.get(&local)) {
            return Content::Finds { reads: *reads };
        }
        let mut facts = Facts { free: vec![local], ..Facts::default() };
        self.include_names(&mut facts, names);
        content_of(&facts, finds)
    }

    /// The argument as an action, and whether it reads the state that is being found; nothing if it is no formula or can find
    /// no state: TLC walks an argument where its parameter stands for a conjunct, as it walks any other formula.
    fn passed_action(
        &mut self,
        expr: &'m Expr,
        names: &Names<'m>,
        facts: &Facts,
        finds: Finds,
    ) -> Option<(PassedAction, bool)> {
        let reads = if finds == Finds::Current { facts.current } else { facts.next };
        if names.primed || !self.may_be_formula(expr, names, DEPTH) || !(reads || self.branches(expr, names)) {
            return None;
        }
        let action = self.action(expr, names, finds);
        Some((PassedAction { action, frame: self.frame.size.clone() }, reads))
    }

    /// Whether the value may be a Boolean, as far as can be told from the form of the expression.
    fn may_be_formula(&self, expr: &Expr, names: &Names<'m>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        match &*expr.kind {
            ExprKind::Junction { .. } | ExprKind::Quantified { .. } | ExprKind::Subscripted { .. } => true,
            ExprKind::Builtin { op, .. } => matches!(
                op,
                Builtin::And
                    | Builtin::Or
                    | Builtin::Implies
                    | Builtin::Equal
                    | Builtin::In
                    | Builtin::SubsetEq
                    | Builtin::Unchanged
                    | Builtin::Compose
            ),
            ExprKind::If(_, yes, no) => self.may_be_formula(yes, names, depth) && self.may_be_formula(no, names, depth),
            ExprKind::Case { arms, .. } => arms.iter().all(|(_, arm)| self.may_be_formula(arm, names, depth)),
            ExprKind::Let { body, .. } | ExprKind::Instanced { body, .. } => self.may_be_formula(body, names, depth),
            ExprKind::Local(local) => match names.bindings.get(local) {
                Some(Binding::Written { expr, names } | Binding::Lazy { expr, names, .. }) => {
                    self.may_be_formula(expr, names, depth)
                }
                Some(Binding::Finds { .. }) => true,
                Some(_) => false,
                // Bound further in.
                None => true,
            },
            ExprKind::Call { definition, args } => {
                let definition = self.model.definition(*definition);
                let native = crate::natives::lookup(definition).is_some();
                let passes = args.iter().any(|a| matches!(a, Argument::Operator(_)));
                !native && (passes || definition.recursive || self.may_be_formula(&definition.body, names, depth))
            }
            ExprKind::CallLocal { local, .. } => match names.bindings.get(local) {
                Some(Binding::Operator { body, names, .. }) => self.may_be_formula(body, names, depth),
                _ => true,
            },
            ExprKind::Apply(..) => true,
            _ => false,
        }
    }
}

/// An argument that has a value and finds nothing.
fn by_need(code: Code, facts: &Facts) -> ThunkCode {
    ThunkCode { code, reads_current: facts.current, reads_next: facts.next, action: None }
}

/// What a value with these facts may depend on.
fn content_of(facts: &Facts, finds: Option<Finds>) -> Content {
    match facts.current || facts.next {
        true if finds.is_some() && facts.next => Content::Finds { reads: true },
        true => Content::State,
        false => Content::Constant,
    }
}
