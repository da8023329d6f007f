//! What names stand for, as values.

use primed_semantics::model::{Argument, Bound, Expr, LocalId, Param};

use super::costs::Cost;
use super::{Binding, Compiler, Names};
use crate::explain;
use crate::node::Code;
use crate::nodes::atoms;

impl Names<'_> {
    /// The names that bounds bind, each with its slot.
    pub(super) fn slots_of(&self, bounds: &[Bound]) -> explain::Names {
        let slot = |parameter: &Param| match self.bindings.get(&parameter.local) {
            Some(Binding::Slot(slot) | Binding::Passed(slot)) => Some((parameter.name.clone(), *slot)),
            _ => None,
        };
        bounds.iter().flat_map(|b| &b.locals).filter_map(slot).collect()
    }
}

impl<'m> Compiler<'m> {
    /// A name.
    pub(super) fn local(&mut self, local: LocalId, expr: &'m Expr, names: &Names<'m>) -> Code {
        match names.bindings.get(&local).cloned() {
            Some(Binding::Slot(slot)) => Box::new(atoms::Bound(slot)),
            // The argument was written for the other state; its code is not at hand.
            Some(Binding::Passed(_) | Binding::Finds { .. }) if names.primed || names.exchanged => {
                self.unsupported("a prime around an argument of a recursive operator", expr.place)
            }
            Some(Binding::Passed(slot) | Binding::Finds { slot, .. }) => Box::new(atoms::Bound(slot)),
            Some(Binding::Known(global)) => Box::new(atoms::Constant { global, place: expr.place }),
            Some(Binding::Lazy { slot, code, facts, expr, names: inner }) => {
                let other_state = (names.primed && !inner.primed) || (names.exchanged && !inner.exchanged);
                if other_state && (facts.current || facts.next) {
                    return self.written(expr, names, &inner);
                }
                let (reads_current, reads_next) = (facts.current, facts.next);
                Box::new(atoms::Lazy { slot, code, reads_current, reads_next })
            }
            Some(Binding::Written { expr, names: inner }) => self.written(expr, names, &inner),
            Some(Binding::Operator { .. }) | None => self.unsupported("an operator used as a value", expr.place),
        }
    }

    fn written(&mut self, expr: &'m Expr, names: &Names<'m>, inner: &Names<'m>) -> Code {
        let mut inner = inner.clone();
        if inner.cost == Cost::Use {
            inner.cost = names.cost;
        }
        if names.exchanged && !inner.exchanged {
            // What a prime around the binding made the next state is the current one here.
            (inner.primed, inner.exchanged) = (names.primed, true);
        }
        inner.primed |= names.primed;
        self.code(expr, &inner)
    }

    /// A call of an operator that a name stands for.
    pub(super) fn call_local(
        &mut self,
        local: LocalId,
        args: &'m [Argument],
        expr: &'m Expr,
        names: &Names<'m>,
    ) -> Code {
        let Some(Binding::Operator { params, body, names: inner }) = names.bindings.get(&local).cloned() else {
            return self.unsupported("a value used as an operator", expr.place);
        };
        let mut slots = Vec::new();
        let inner = self.enter(params, args, names, &inner, &mut slots);
        let body = self.code(body, &inner);
        self.scoped(slots, body)
    }
}
