//! What TLC evaluates again before it shows a behaviour: it finds the initial state and each step anew, and counts that like the rest.

use bumpalo::Bump;
use primed_engine::Flow;
use primed_engine::env::Env;
use primed_explore::search::{End, Step};

use crate::model::ModelChecker;
use crate::model::space::{Failure, ModelSpace, Violation, values};
use crate::model::trace::is_row;

/// How often it does so at the end: for the behaviour that it prints, and for what is made of it.
const TIMES: usize = 2;

impl ModelChecker {
    /// Counts what TLC evaluates for the behaviours that a search ended with. `taken`: how often each action was taken.
    pub(super) fn counted_again(
        &self,
        space: &ModelSpace<'_>,
        end: &End<Violation, Failure>,
        violations: &[(Violation, Vec<Step>)],
        taken: &mut [[u64; 2]],
    ) {
        if self.program.costs().is_empty() {
            return;
        }
        violations.iter().for_each(|(_, path)| self.found_anew(space, path, taken));
        if let End::Violation(_, path) | End::Deadlock(path) = end {
            (0..TIMES).for_each(|_| self.found_anew(space, path, taken));
        }
    }

    /// The states that TLC has generated in the end, which are those that the search has but for initial states that it generates
    /// after one that it could not store.
    pub(super) fn generated(&self, generated: u64, end: &End<Violation, Failure>) -> u64 {
        if !matches!(end, End::Failure(failure, path) if failure.unstored && path.is_empty()) {
            return generated;
        }
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let mut all = 0;
        let counted = self.init.each_partial(&mut env, &mut |_| {
            all += 1;
            Ok(Flow::Continue)
        });
        if counted.is_ok() { all } else { generated }
    }

    fn found_anew(&self, space: &ModelSpace<'_>, path: &[Step], taken: &mut [[u64; 2]]) {
        if path.len() < 2 {
            return;
        }
        let mut count = |number: usize| taken.get_mut(number).into_iter().for_each(|counts| counts[0] += 1);
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        // What fails here failed before, or has nothing to do with the behaviour.
        drop(self.init.each_partial(&mut env, &mut |_| {
            count(0);
            Ok(Flow::Continue)
        }));
        for step in path.windows(2) {
            let [before, after] = step else { continue };
            let arena = Bump::new();
            let mut env = Env::new(&self.program, &arena);
            env.set_current(&values(&space.interner, &arena, &before.row));
            env.seed_by_state(space.run.seed as u64);
            env.name_actions();
            drop(self.next.relation.each_partial(&mut env, &mut |env| {
                count(env.action() as usize);
                let state = env.next().to_vec();
                let same = is_row(&space.interner, env, &state, &after.row)?;
                Ok(if same { Flow::Stop } else { Flow::Continue })
            }));
        }
    }
}
