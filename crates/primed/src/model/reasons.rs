//! Which part of an invariant is false, with the values that it saw.

use bumpalo::Bump;
use primed_engine::env::Env;
use primed_explore::search::End;
use primed_windows::verdict::Reason;

use crate::model::ModelChecker;
use crate::model::space::{Failure, ModelSpace, Violation, values};
use primed_value::host::Host;

impl ModelChecker {
    /// The conditions in a violated invariant that are false; empty if that is not what was found, or if they cannot be told.
    pub(super) fn reasons(&self, space: &ModelSpace<'_>, end: &End<Violation, Failure>) -> Vec<Reason> {
        let End::Violation(Violation::Invariant(violation), path) = end else { return Vec::new() };
        let (Some(invariant), Some(last)) = (self.explanations.get(*violation), path.last()) else { return Vec::new() };
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        env.set_current(&values(&space.interner, env.arena(), &last.row));
        env.set_run(&space.run);
        env.set_level(path.len() as i64);
        // It was evaluated before.
        env.mute(true);
        let refusals = invariant.explain(&mut env).unwrap_or_default();
        refusals.iter().map(|refusal| Reason::new(&self.model, refusal)).collect()
    }
}
