//! States whose successors are remembered ([`primed_engine::Memo`]): they are expanded with as little evaluation as can be.

use std::sync::Arc;

use primed_engine::compile::Expression;
use primed_engine::env::Env;
use primed_engine::{Memo, Predicate, SharedMemo};
use primed_explore::space::{StateSpace, Visit, Visited, Visitor};
use primed_value::host::{Host, Result as Evaluated};

use crate::model::space::{Checked, Failure, ModelSpace, Violation, values};

impl ModelSpace<'_> {
    /// A row is all that has to be known of a state that is not new.
    pub(super) fn is_plain(&self) -> bool {
        let checker = self.checker;
        checker.action_constraints.is_empty() && checker.properties.actions.is_empty() && self.key_width() == 0
    }

    /// As [`ModelSpace::found`], for a state of which the row is remembered, where that is enough.
    pub(super) fn found_again<'a>(
        &'a self,
        env: &mut Env<'a>,
        row: &[u32],
        visitor: &mut dyn Visitor<Violation>,
    ) -> Checked {
        let mut inside = true;
        for (formula, predicate) in
            self.checker.constraints.iter().zip(&self.predicates[self.checker.invariants.len()..])
        {
            inside = match env.is_known_to_hold(*predicate, row) {
                Some(inside) => inside,
                None => self.constraint_holds(env, (formula, *predicate), row).map_err(|error| {
                    // It was generated nevertheless.
                    visitor.visit(Visit { row: &[], key: &[], inside: false, action: env.action() });
                    Failure { state: Some(row.to_vec()), action: env.action(), ..Failure::from(error) }
                })?,
            };
            if !inside {
                break;
            }
        }
        let visited = visitor.visit(Visit { row, key: &[], inside, action: env.action() });
        if matches!(visited, Visited::Known(_)) || self.all_invariants_hold(env, row) {
            return Ok(true);
        }
        env.set_next(&values(&self.interner, env.arena(), row));
        let checked = self.in_state(env, false, |env| Ok(self.checks(env, row, false, visitor)))?;
        env.clear_next();
        checked.map_err(|failure| Failure { fresh: matches!(visited, Visited::New(_)), ..failure })
    }

    /// Whether a state with a row that is remembered satisfies a constraint.
    fn constraint_holds<'a>(
        &'a self,
        env: &mut Env<'a>,
        (formula, predicate): (&'a Expression, Predicate),
        row: &[u32],
    ) -> Evaluated<bool> {
        env.set_next(&values(&self.interner, env.arena(), row));
        let holds = self.in_state(env, false, |env| formula.holds_again(env, predicate, row));
        env.clear_next();
        holds
    }

    /// It is known of each invariant that it holds.
    fn all_invariants_hold(&self, env: &mut Env<'_>, row: &[u32]) -> bool {
        let mut invariants = self.predicates[..self.checker.invariants.len()].iter();
        invariants.all(|predicate| env.is_known_to_hold(*predicate, row) == Some(true))
    }

    /// What parts of the next-state relation found may be remembered: nobody wants to know how, or how far the search is.
    fn remembers(&self) -> bool {
        let checker = self.checker;
        self.remembered > 0
            && checker.next.steady
            && self.width() > 0
            && !checker.asks_run
            && !checker.asks_trace
            && checker.program.costs().is_empty()
            && !self.all_ways
            && self.graph.is_none()
            && !self.run.simulates()
    }

    pub(super) fn memo(&self) -> Option<Box<Memo>> {
        let shared = || Arc::new(SharedMemo::new(self.interner.table(), self.width(), self.remembered));
        self.remembers().then(|| Box::new(Memo::new(self.shared.get_or_init(shared))))
    }

    /// The successors of the current state, all of which are remembered.
    pub(super) fn all_found_again<'a>(
        &'a self,
        env: &mut Env<'a>,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Result<(), Failure> {
        let mut number = 0;
        let mut row = Vec::with_capacity(self.width());
        while let Some(action) = env.remembered(number, &mut row) {
            env.set_action(action);
            if !self.found_again(env, &row, visitor)? || visitor.is_over(env.arena().allocated_bytes()) {
                break;
            }
            number += 1;
        }
        Ok(())
    }
}
