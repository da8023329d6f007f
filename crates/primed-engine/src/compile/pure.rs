//! What depends on the state and constants alone, so that what it gave once can be remembered ([`crate::memo`]).

use primed_semantics::model::{Bound, Expr, Param};

use super::{Binding, Compiler, Names};

impl<'m> Compiler<'m> {
    /// A number for an assignment.
    pub(super) fn assignment(&mut self) -> u32 {
        self.assignments += 1;
        self.assignments
    }

    /// The value depends on the current state, constants, and what is bound around the part of the next-state relation that is
    /// being compiled, and on nothing that the part binds itself.
    pub(super) fn stands_apart(&mut self, expr: &'m Expr, names: &Names<'m>) -> bool {
        self.depends_on(expr, &[], names, &|binding, outer| match binding {
            Binding::Slot(slot) => *slot < outer,
            Binding::Known(_) => true,
            _ => false,
        })
    }

    /// Neither the formula nor what its names stand for asks for the moment.
    pub(super) fn is_pure(&mut self, expr: &'m Expr, names: &Names<'m>) -> bool {
        let facts = self.analysis.facts(expr);
        !facts.moment
            && facts.free.iter().all(|local| match names.bindings.get(local) {
                Some(Binding::Written { expr, names } | Binding::Lazy { expr, names, .. }) => self.is_pure(expr, names),
                Some(Binding::Operator { body, names, .. }) => self.is_pure(body, names),
                _ => true,
            })
    }

    /// The sets of a quantifier are the same each time.
    pub(super) fn is_steady(&mut self, bounds: &'m [Bound], names: &Names<'m>) -> bool {
        bounds.iter().all(|bound| bound.set.as_ref().is_some_and(|set| self.is_pure(set, names)))
    }

    fn depends_on(
        &mut self,
        expr: &'m Expr,
        params: &[Param],
        names: &Names<'m>,
        allowed: &dyn Fn(&Binding<'m>, u32) -> bool,
    ) -> bool {
        let facts = self.analysis.facts(expr);
        if facts.moment
            || facts.next
            || facts.primes_names
            || names.primed
            || names.exchanged
            || names.enabled.is_some()
        {
            return false;
        }
        facts.free.iter().filter(|local| params.iter().all(|p| p.local != **local)).all(|local| {
            match names.bindings.get(local) {
                Some(Binding::Written { expr, names }) => self.depends_on(expr, &[], names, allowed),
                Some(Binding::Operator { params, body, names }) => self.depends_on(body, params, names, allowed),
                Some(binding) => allowed(binding, self.outer_slots),
                None => false,
            }
        })
    }
}
