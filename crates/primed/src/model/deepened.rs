//! States as iterative deepening looks at them: all initial states are generated before the first is looked at, and all successors by
//! one action likewise.

use bumpalo::Bump;
use primed_engine::Flow;
use primed_engine::env::Env;
use primed_explore::space::{Expand, Visit, Visited, Visitor};
use primed_value::error::EvalError;
use primed_value::host::Host;
use primed_value::value::Value;

use crate::model::failure::{Failure, Stage, Violation};
use crate::model::judged::Judged;
use crate::model::report::Mode;
use crate::model::space::{Checked, ModelSpace, Worker, values};
use crate::model::symmetry::Images;

/// An initial state that was generated.
struct Generated<'a> {
    values: Vec<Option<Value<'a>>>,
    /// Variables have no value.
    incomplete: Option<Box<EvalError>>,
}

impl ModelSpace<'_> {
    pub(super) fn deepens(&self) -> bool {
        matches!(self.run.mode, Mode::Bounded(_))
    }

    /// All initial states: as [`ModelSpace::found`] for each. False ends the search.
    pub(super) fn found_together<'a>(
        &'a self,
        env: &mut Env<'a>,
        images: &mut Images,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Checked {
        let mut states = Vec::new();
        self.checker.init.each_partial(env, &mut |env| {
            states.push(Generated { values: env.current().to_vec(), incomplete: env.incomplete() });
            let goes_on = !visitor.is_over(env.arena().allocated_bytes());
            Ok(if goes_on { Flow::Continue } else { Flow::Stop })
        })?;
        for (number, state) in states.iter().enumerate() {
            restore(env, state);
            let mut found = match &state.incomplete {
                Some(error) => self.found_incomplete(env, error.clone(), true, visitor),
                None => self.found(env, true, &[], images, visitor),
            };
            let mut left = states.len() - number - 1;
            if let Err(failure) = &mut found
                && matches!(failure.stage, Stage::Invariant(_) | Stage::Initial(_))
            {
                let mut unheard = Unheard { visitor, goes_on: self.run.keep_going, visited: 0 };
                failure.later = self.looked_at_again(env, &states, number, images, &mut unheard);
                left -= unheard.visited;
            }
            if !matches!(found, Ok(true)) || visitor.is_over(env.arena().allocated_bytes()) {
                visitor.passed(left as u64);
                return found.map(|_| false);
            }
        }
        Ok(true)
    }

    /// The successors of a state. When something ends the search among those by an action, the others by that action are generated
    /// too: they count, and if that fails this is what ends the search, and none by that action counts.
    pub(super) fn found_by_action(
        &self,
        worker: &mut Worker,
        expand: Expand<'_>,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Result<(), Failure> {
        let keep_going = self.run.keep_going;
        let mut found = ByAction { visitor, keep_going, action: 0, generated: 0, new: 0, violated: None };
        let result = self.run(worker, Some(expand), &mut found);
        let ByAction { visitor, action, generated, new, violated, .. } = found;
        if action == 0 || (result.is_ok() && violated.is_none()) {
            return result;
        }
        match self.count_by(worker, expand, action) {
            Err(error) => {
                visitor.uncounted(generated, new);
                Err(Failure::from(error))
            }
            Ok(all) => {
                visitor.passed(all.saturating_sub(generated));
                if let Some((violation, row, action)) = violated {
                    visitor.violated(violation, &row, action);
                }
                result
            }
        }
    }

    /// How many successors the state has by an action.
    fn count_by(&self, worker: &mut Worker, expand: Expand<'_>, action: u32) -> Result<u64, Box<EvalError>> {
        let arena = Bump::new();
        let mut env = Env::new(&self.checker.program, &arena);
        env.put_registers(worker.registers.clone());
        env.limit_memory(self.memory);
        env.set_run(&self.run);
        env.seed_by_state(self.run.seed as u64);
        env.set_current(&values(&self.interner, env.arena(), expand.state));
        env.set_level(expand.level as i64);
        if self.all_ways {
            env.follow_all_ways();
        }
        env.only_action(action);
        let mut all = 0;
        self.checker.next.relation.each_partial(&mut env, &mut |_| {
            all += 1;
            Ok(Flow::Continue)
        })?;
        Ok(all)
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
            restore(env, state);
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

/// Makes an initial state that was generated the current one.
fn restore<'a>(env: &mut Env<'a>, state: &Generated<'a>) {
    for (variable, value) in state.values.iter().enumerate() {
        env.set_current_variable(variable, *value);
    }
}

/// The successors by one action after the other, and what ends the search among them.
struct ByAction<'v> {
    visitor: &'v mut dyn Visitor<Violation>,
    keep_going: bool,
    /// The action that was taken last, and what it led to.
    action: u32,
    generated: u64,
    new: u64,
    violated: Option<(Violation, Vec<u32>, u32)>,
}

impl Visitor<Violation> for ByAction<'_> {
    fn visit(&mut self, visit: Visit<'_>) -> Visited {
        if visit.action != self.action {
            (self.action, self.generated, self.new) = (visit.action, 0, 0);
        }
        let visited = self.visitor.visit(visit);
        self.generated += 1;
        self.new += u64::from(matches!(visited, Visited::New(_)));
        visited
    }

    fn passed(&mut self, states: u64) {
        self.visitor.passed(states);
    }

    fn violated(&mut self, violation: Violation, row: &[u32], action: u32) -> bool {
        if self.keep_going {
            return self.visitor.violated(violation, row, action);
        }
        self.violated = Some((violation, row.to_vec(), action));
        false
    }

    fn path(&self) -> Vec<Vec<u32>> {
        self.visitor.path()
    }

    fn is_over(&mut self, held: usize) -> bool {
        self.visitor.is_over(held)
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
