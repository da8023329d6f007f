//! Other states for a while: what runs sees them as the current and the next one.

use primed_value::host::Result;
use primed_value::value::Value;

use super::Env;

impl<'a> Env<'a> {
    /// Runs with this as the current state.
    pub fn with_current<T>(&mut self, state: &[Value<'a>], run: impl FnOnce(&mut Env<'a>) -> T) -> T {
        let outer = std::mem::replace(&mut self.current, state.iter().map(|v| Some(*v)).collect());
        let result = run(self);
        self.current = outer;
        result
    }

    /// Runs with this as the next state.
    pub fn with_next<T>(&mut self, state: &[Value<'a>], run: impl FnOnce(&mut Env<'a>) -> T) -> T {
        let outer = std::mem::replace(&mut self.next, state.iter().map(|v| Some(*v)).collect());
        let result = run(self);
        self.next = outer;
        result
    }

    /// Runs with the next state as the current one, as an invariant of a state just found sees it.
    ///
    /// # Errors
    /// Whatever `run` gives.
    pub fn in_next<T>(&mut self, run: impl FnOnce(&mut Env<'a>) -> Result<T>) -> Result<T> {
        self.exchanging(|env| {
            env.level += 1;
            let result = env.as_state(run);
            env.level -= 1;
            result
        })
    }

    /// As [`Env::in_next`], with no next state: a constraint that has a primed variable is an error.
    ///
    /// # Errors
    /// Whatever `run` gives.
    pub fn in_successor<T>(&mut self, run: impl FnOnce(&mut Env<'a>) -> Result<T>) -> Result<T> {
        self.in_next(|env| {
            env.nothing.resize(env.next.len(), None);
            std::mem::swap(&mut env.next, &mut env.nothing);
            let result = run(env);
            std::mem::swap(&mut env.next, &mut env.nothing);
            result
        })
    }

    /// Runs with current and next state exchanged, of which no rows are known meanwhile.
    pub(crate) fn exchanging<T>(&mut self, run: impl FnOnce(&mut Env<'a>) -> T) -> T {
        std::mem::swap(&mut self.current, &mut self.next);
        let rows = self.rows.take();
        let result = run(self);
        self.rows = rows;
        std::mem::swap(&mut self.current, &mut self.next);
        result
    }
}
