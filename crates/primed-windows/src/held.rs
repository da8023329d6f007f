//! Steps held in memory, judged again and again without being read anew.

use bumpalo::Bump;
use primed_engine::env::Env;
use primed_value::freeze::{Frozen, FrozenRow};
use primed_value::host::Host;
use primed_value::value::Value;

use crate::checker::Checker;
use crate::judge::Observed;
use crate::line::Line;
use crate::verdict::Outcome;

/// A step in the specification's own values.
#[derive(Debug)]
pub struct HeldStep {
    action: usize,
    pre: Held,
    post: Held,
    given: Vec<Option<Frozen>>,
}

/// An observed state: its values, and which variables they belong to.
#[derive(Debug)]
struct Held {
    values: FrozenRow,
    variables: Vec<usize>,
}

impl Held {
    fn new<'a>(env: &mut Env<'a>, state: &Observed<'a>) -> Result<Held, String> {
        let (variables, values): (Vec<usize>, Vec<Value<'a>>) =
            state.iter().enumerate().filter_map(|(i, v)| Some((i, (*v)?))).unzip();
        let values = FrozenRow::new(env, &values).map_err(|e| e.message.clone())?;
        Ok(Held { values, variables })
    }

    fn observed<'a>(&'a self, count: usize) -> Observed<'a> {
        let mut state = vec![None; count];
        for (variable, value) in self.variables.iter().zip(self.values.get()) {
            state[*variable] = Some(*value);
        }
        state
    }
}

impl Checker {
    /// Reads a window once, to be judged by [`Checker::judge_held`].
    ///
    /// # Errors
    /// If the window does not fit the specification; the text says why.
    pub fn hold(&self, window: &str) -> Result<HeldStep, String> {
        let line = Line::parse(window)?;
        let name = line.action.as_deref().or(self.options.action.as_deref()).ok_or("the window names no action")?;
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let action = self.action(name)?;
        let pre = self.state(&mut env, line.pre, "pre_state")?;
        let post = self.state(&mut env, line.post, "post_state")?;
        let given = self.given(&mut env, action, &line, &mut Vec::new())?;
        let mut kept = Vec::with_capacity(given.len());
        for value in given {
            kept.push(match value {
                Some(value) => Some(Frozen::new(&mut env, value).map_err(|e| e.message.clone())?),
                None => None,
            });
        }
        let action = self.actions.iter().position(|a| std::ptr::eq(a, action)).unwrap_or_default();
        Ok(HeldStep { action, pre: Held::new(&mut env, &pre)?, post: Held::new(&mut env, &post)?, given: kept })
    }

    /// Judges a step that is held in memory. `arena` is scratch space; the caller may reset it afterwards.
    pub fn judge_held(&self, step: &HeldStep, arena: &Bump) -> Outcome {
        held(self, step, arena)
    }
}

fn held<'a>(checker: &'a Checker, step: &'a HeldStep, arena: &'a Bump) -> Outcome {
    let mut env = Env::new(&checker.program, arena);
    let count = checker.shapes.len();
    let (pre, post) = (step.pre.observed(count), step.post.observed(count));
    let given: Vec<Option<Value<'a>>> = step.given.iter().map(|g| g.as_ref().map(Frozen::get)).collect();
    debug_assert!(std::ptr::eq(env.arena(), arena));
    checker.step(&mut env, &checker.actions[step.action], &given, &pre, &post)
}
