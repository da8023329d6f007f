//! The evaluator as value operations see it.

use bumpalo::Bump;
use primed_value::error::EvalError;
use primed_value::host::{Host, Limits, Listing, Result};
use primed_value::symbol::Symbols;
use primed_value::value::{Closure, Value};

use super::Env;

/// A filtered set that is too large to be listed at once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum List<'a> {
    /// It was gone through, at least in part.
    Begun,
    /// Its elements.
    Kept(&'a [Value<'a>]),
}

/// Most elements of a filtered set that are kept when it is gone through again.
const LONGEST_LIST: usize = 1 << 18;
/// Most filtered sets of which it is known that they were gone through.
const MOST_LISTS: usize = 1 << 10;

impl<'a> Host<'a> for Env<'a> {
    fn arena(&self) -> &'a Bump {
        self.arena
    }

    fn symbols(&self) -> &'a Symbols {
        &self.program.symbols
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    #[inline]
    fn spend(&mut self, steps: u64) -> Result<()> {
        if self.steps <= steps {
            self.steps = 0;
            return primed_value::limits::too_many_steps(self.limits.steps);
        }
        self.steps -= steps;
        Ok(())
    }

    fn listing(&mut self, closure: &'a Closure<'a>) -> Listing<'a> {
        // What is read on the way has to be noted, and what draws random numbers or prints is done each time.
        if self.watching || !self.program.function(closure.code).is_some_and(|code| code.steady) {
            return Listing::Once;
        }
        match self.lists.get_mut(&std::ptr::from_ref(closure).addr()) {
            Some(List::Kept(elements)) => Listing::Kept(elements),
            Some(List::Begun) => Listing::Again(LONGEST_LIST),
            None => {
                if self.lists.len() < MOST_LISTS {
                    self.lists.insert(std::ptr::from_ref(closure).addr(), List::Begun);
                }
                Listing::Once
            }
        }
    }

    fn listed(&mut self, closure: &'a Closure<'a>, elements: &[Value<'a>]) {
        if !self.is_crowded() {
            let elements = self.arena.alloc_slice_copy(elements);
            self.lists.insert(std::ptr::from_ref(closure).addr(), List::Kept(elements));
        }
    }

    fn parameters(&self, closure: &'a Closure<'a>) -> String {
        self.program.function(closure.code).map_or_else(|| "x".into(), |code| code.parameters.clone())
    }

    fn described(&self, closure: &'a Closure<'a>) -> String {
        self.program.function(closure.code).map_or_else(String::new, |code| code.described.clone())
    }

    fn call(&mut self, closure: &'a Closure<'a>, argument: Value<'a>) -> Result<Value<'a>> {
        let program = self.program;
        let Some(code) = program.function(closure.code) else {
            return Err(EvalError::new(1000, "a function of another specification was applied"));
        };
        let size = code.frame.size().max(closure.frame.len());
        if self.watching && !self.captured_here(closure) {
            self.spoil();
        }
        let states = (!closure.state.is_empty()).then(|| {
            let current = std::mem::replace(&mut self.current, closure.state.to_vec());
            (current, std::mem::replace(&mut self.next, closure.next.to_vec()), self.rows.take())
        });
        let result = self.deeper(|env| {
            env.in_frame(size, |env| {
                for (i, value) in closure.frame.iter().enumerate() {
                    if let Some(value) = value {
                        env.set_slot(i as u32, *value);
                    }
                }
                if let Some(this) = code.this {
                    env.set_slot(this, Value::Closure(without_updates(env.arena, closure)));
                }
                code.bind(env, argument)?;
                code.body.eval(env)
            })
        });
        if let Some((current, next, rows)) = states {
            (self.current, self.next, self.rows) = (current, next, rows);
        }
        result
    }
}

/// A recursive function's own name in its body means the function as defined, not as updated by EXCEPT.
fn without_updates<'a>(arena: &'a Bump, closure: &'a Closure<'a>) -> &'a Closure<'a> {
    if closure.updates.is_empty() {
        return closure;
    }
    let Closure { code, domain, frame, state, next, updates: _ } = *closure;
    arena.alloc(Closure { code, domain, frame, state, next, updates: &[] })
}
