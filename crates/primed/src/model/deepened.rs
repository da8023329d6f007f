//! States as iterative deepening looks at them: all initial states are generated before the first is looked at, and all successors by
//! one action likewise.

use primed_engine::Flow;
use primed_engine::env::Env;
use primed_explore::space::{Visit, Visited, Visitor};
use primed_value::error::EvalError;
use primed_value::host::Host;
use primed_value::value::Value;

use crate::model::failure::{Failure, Stage, Violation};
use crate::model::judged::Judged;
use crate::model::report::Mode;
use crate::model::space::{Checked, ModelSpace};
use crate::model::symmetry::Images;

/// A state that was generated.
struct Generated<'a> {
    values: Vec<Option<Value<'a>>>,
    action: u32,
    /// Variables have no value.
    incomplete: Option<Box<EvalError>>,
}

impl ModelSpace<'_> {
    pub(super) fn deepens(&self) -> bool {
        matches!(self.run.mode, Mode::Bounded(_))
    }

    /// All initial states, or all successors of the state (`before`): as [`ModelSpace::found`] for each. False ends the search.
    pub(super) fn found_together<'a>(
        &'a self,
        env: &mut Env<'a>,
        before: Option<&[u32]>,
        images: &mut Images,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Checked {
        let Some(before) = before else {
            let states = self.generated(env, true, visitor)?;
            return self.found_initial(env, &states, images, visitor);
        };
        for action in 0..self.checker.next.actions.len() as u32 {
            env.only_action(action + 1);
            env.clear_next();
            let states = self.generated(env, false, visitor)?;
            for (number, state) in states.iter().enumerate() {
                restore(env, false, state);
                let found = self.found_one(env, state, Some(before), images, visitor);
                if !matches!(found, Ok(true)) || visitor.is_over(env.arena().allocated_bytes()) {
                    visitor.passed((states.len() - number - 1) as u64);
                    return found.map(|_| false);
                }
            }
        }
        Ok(true)
    }

    fn generated<'a>(
        &'a self,
        env: &mut Env<'a>,
        initial: bool,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Result<Vec<Generated<'a>>, Failure> {
        let mut states = Vec::new();
        let relation = if initial { &self.checker.init } else { &self.checker.next.relation };
        relation.each_partial(env, &mut |env| {
            let values = if initial { env.current() } else { env.next() }.to_vec();
            states.push(Generated { values, action: env.action(), incomplete: env.incomplete() });
            let goes_on = !visitor.is_over(env.arena().allocated_bytes());
            Ok(if goes_on { Flow::Continue } else { Flow::Stop })
        })?;
        Ok(states)
    }

    fn found_one<'a>(
        &'a self,
        env: &mut Env<'a>,
        state: &Generated<'a>,
        before: Option<&[u32]>,
        images: &mut Images,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Checked {
        match &state.incomplete {
            Some(error) => self.found_incomplete(env, error.clone(), before.is_none(), visitor),
            None => self.found(env, before.is_none(), before.unwrap_or(&[]), images, visitor),
        }
    }

    fn found_initial<'a>(
        &'a self,
        env: &mut Env<'a>,
        states: &[Generated<'a>],
        images: &mut Images,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Checked {
        for (number, state) in states.iter().enumerate() {
            restore(env, true, state);
            let found = self.found_one(env, state, None, images, visitor);
            let of_state = |failure: &Failure| matches!(failure.stage, Stage::Invariant(_) | Stage::Initial(_));
            let (mut left, mut found) = (states.len() - number - 1, found);
            if let Err(failure) = &mut found
                && of_state(failure)
            {
                let mut unheard = Unheard { visitor, goes_on: self.run.keep_going, visited: 0 };
                failure.later = self.looked_at_again(env, states, number, images, &mut unheard);
                left -= unheard.visited;
            }
            if !matches!(found, Ok(true)) || visitor.is_over(env.arena().allocated_bytes()) {
                visitor.passed(left as u64);
                return found.map(|_| false);
            }
        }
        Ok(true)
    }

    /// After something could not be evaluated of an initial state, TLC looks at all again, to tell where it was. Those that are stored
    /// by then, that state among them, it takes to be checked: what fails now is the error of another one.
    fn looked_at_again<'a>(
        &'a self,
        env: &mut Env<'a>,
        states: &[Generated<'a>],
        failed: usize,
        images: &mut Images,
        unheard: &mut Unheard<'_>,
    ) -> Option<Box<EvalError>> {
        for (number, state) in states.iter().enumerate().filter(|(_, state)| state.incomplete.is_none()) {
            restore(env, true, state);
            let Judged { row, key, inside, .. } = match self.judge(env, true, &[], images) {
                Ok(judged) => judged,
                Err(failure) => return Some(failure.error),
            };
            let visit = Visit { row: &row, key: &key, inside, action: env.action() };
            if number <= failed && inside || number > failed && matches!(unheard.visit(visit), Visited::Known(_)) {
                continue;
            }
            match env.as_state(|env| Ok(self.checks(env, &row, true, unheard))) {
                Ok(Ok(true)) => {}
                Ok(Ok(false)) => return None,
                Ok(Err(failure)) => return Some(failure.error),
                Err(error) => return Some(error),
            }
        }
        None
    }
}

/// Makes a state that was generated the one that is being found.
fn restore<'a>(env: &mut Env<'a>, initial: bool, state: &Generated<'a>) {
    env.set_action(state.action);
    for (variable, value) in state.values.iter().enumerate() {
        match initial {
            true => env.set_current_variable(variable, *value),
            false => env.set_next_variable(variable, *value),
        }
    }
}

/// What is false is not told any more.
struct Unheard<'v> {
    visitor: &'v mut dyn Visitor<Violation>,
    goes_on: bool,
    visited: usize,
}

impl Visitor<Violation> for Unheard<'_> {
    fn visit(&mut self, visit: Visit<'_>) -> Visited {
        self.visited += 1;
        self.visitor.visit(visit)
    }

    fn passed(&mut self, _states: u64) {}

    fn violated(&mut self, violation: Violation, _row: &[u32], _action: u32) -> bool {
        self.goes_on && !matches!(violation, Violation::Initial(_))
    }

    fn path(&self) -> Vec<Vec<u32>> {
        self.visitor.path()
    }
}
