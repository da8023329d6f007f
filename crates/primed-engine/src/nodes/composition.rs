//! `A \cdot B`: a step of A to a state in between, then a step of B from there (*Specifying Systems*, 16.2.3).
//!
//! TLC has it behind the property `tlc2.tool.impl.Tool.cdot`; which values the state in between has is its choice: a variable that
//! the step has already given a value keeps the one it had before the step, so that A can only leave it as it is; a variable that A
//! leaves open has no value there.

use primed_value::error::{EvalError, Place};
use primed_value::host::Result;
use primed_value::value::Value;

use crate::actions::holds;
use crate::env::Env;
use crate::node::{Action, Code, Cont, Flow, Node, Out, finish, proceed};
use crate::nodes::logic::condition;

/// A state in which variables may lack a value.
type Partial<'a> = Vec<Option<Value<'a>>>;

/// The states in between: what A leads to, beginning with the values of `given`.
fn between<'a>(env: &mut Env<'a>, first: &'a dyn Action, given: Partial<'a>) -> Result<Vec<Partial<'a>>> {
    let mut found = Vec::new();
    env.finding_next(given, |env| {
        first.step(env, None, &mut |env| {
            found.push(env.next.clone());
            Ok(Flow::Continue)
        })
    })?;
    Ok(found)
}

/// Makes a state in between the current one, and gives back the one that was.
fn enter<'a>(env: &mut Env<'a>, mut state: Partial<'a>) -> Partial<'a> {
    state.truncate(env.current.len());
    env.forget_rows();
    std::mem::replace(&mut env.current, state)
}

/// A composition that TLC, without its property, does not evaluate.
#[derive(Debug)]
pub(crate) struct Unevaluated {
    pub(crate) place: Place,
}

impl Node for Unevaluated {
    fn eval<'a>(&'a self, _: &mut Env<'a>) -> Result<Value<'a>> {
        let message = "The current version of TLC does not support action composition.  An incomplete implementation can be \
                       enabled via the tlc2.tool.impl.Tool.cdot=true java property.";
        Err(EvalError::new(1000, message).at(self.place))
    }
}

/// The composition where states are looked for.
#[derive(Debug)]
pub(crate) struct Compose {
    pub(crate) first: Box<dyn Action>,
    pub(crate) second: Box<dyn Action>,
    /// The same formula as a condition.
    pub(crate) condition: Code,
    pub(crate) place: Place,
}

impl Action for Compose {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        let kept = env.next.iter().enumerate().map(|(i, v)| v.and(env.current.get(i).copied().flatten())).collect();
        let states = between(env, &*self.first, kept)?;
        // TLC counts them as generated.
        let composed = env.composed + states.len() as u64;
        if states.is_empty() {
            crate::explain::refused(env, &*self.condition, self.place);
        }
        let mut flow = Flow::Continue;
        for state in states {
            let (mark, base) = (env.trail.len(), env.base);
            let mut before = enter(env, state);
            let result = self.second.step(env, None, &mut |env| {
                // What stands beside the composition is said of the state before it.
                std::mem::swap(&mut env.current, &mut before);
                let inner = std::mem::replace(&mut env.base, base);
                let flow = if env.complete() { finish(env, rest, out) } else { proceed(env, rest, out) };
                env.base = inner;
                std::mem::swap(&mut env.current, &mut before);
                flow
            });
            env.current = before;
            env.undo(mark);
            flow = result?;
            if flow == Flow::Stop {
                break;
            }
        }
        env.composed = composed;
        Ok(flow)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        holds(env, &self.condition, self.place)
    }
}

/// The composition of two known states.
#[derive(Debug)]
pub(crate) struct Composed {
    pub(crate) first: Box<dyn Action>,
    pub(crate) second: Code,
    /// How many variables the state in between has.
    pub(crate) variables: usize,
}

impl Node for Composed {
    condition!();

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        for state in between(env, &*self.first, vec![None; self.variables])? {
            let before = enter(env, state);
            let holds = self.second.test(env);
            env.current = before;
            if holds? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
