//! Running what was compiled: values, conditions, states found, steps checked and explained.

use primed_value::host::Result;
use primed_value::value::Value;

use crate::compile::{Expression, Relation, SplitRelation};
use crate::env::{Env, Finding};
use crate::explain::{self, Refusal, Unobserved};
use crate::node::Flow;

impl Expression {
    /// The value depends on states and constants alone, not on the moment (registers, random numbers, the level of the search).
    pub fn is_pure(&self) -> bool {
        self.pure
    }

    /// The value in the environment's states.
    ///
    /// # Errors
    /// Whatever the evaluation gives.
    pub fn value<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        env.in_frame(self.frame as usize, |env| self.code.eval(env))
    }

    /// Whether it is true in the environment's states.
    ///
    /// # Errors
    /// Whatever the evaluation gives; a value that is not a Boolean is one.
    pub fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        env.in_frame(self.frame as usize, |env| self.code.test(env))
    }
}

impl SplitRelation {
    /// The actions as TLC counts them: those that differ in the values of their parameters are several. Nothing is run; `found`
    /// sees [`Env::action`] and [`Env::taken`].
    ///
    /// # Errors
    /// Whatever the evaluation of a quantifier's set, or `found`, gives.
    pub fn list<'a>(&'a self, env: &mut Env<'a>, found: &mut dyn FnMut(&mut Env<'a>) -> Result<Flow>) -> Result<Flow> {
        env.name_actions();
        env.listing = true;
        let result = self.relation.each_partial(env, found);
        env.listing = false;
        result
    }
}

impl Relation {
    /// The variables, by number, that some way through the relation seems to give no value. TLC refuses such a step (2109).
    /// Ways that cannot be seen without running (recursive definitions) count as giving none.
    pub fn leaves_open(&self, variables: usize) -> Vec<usize> {
        let given = self.action.gives();
        (0..variables).filter(|v| !given.contains(&(*v as u32))).collect()
    }

    /// Whether it holds between the environment's states, both complete: nothing is enumerated.
    ///
    /// # Errors
    /// Whatever the evaluation gives.
    #[inline]
    pub fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        env.in_frame(self.frame as usize, |env| self.condition.test(env))
    }

    /// Finds every state: variables of the state to be found that already have a value keep it. `found` is called for each,
    /// duplicates included, in TLC's order, and may stop the search. A state with a variable left open is an error (2106,
    /// 2109).
    ///
    /// # Errors
    /// Whatever the evaluation, or `found`, gives.
    pub fn each<'a>(&'a self, env: &mut Env<'a>, found: &mut dyn FnMut(&mut Env<'a>) -> Result<Flow>) -> Result<Flow> {
        self.search(env, &mut |env| match env.incomplete() {
            Some(error) => Err(error),
            None => found(env),
        })
    }

    /// As [`Relation::each`], but a variable that the relation leaves open stays open.
    ///
    /// # Errors
    /// As [`Relation::each`].
    pub fn each_partial<'a>(
        &'a self,
        env: &mut Env<'a>,
        found: &mut dyn FnMut(&mut Env<'a>) -> Result<Flow>,
    ) -> Result<Flow> {
        self.search(env, found)
    }

    fn search<'a>(&'a self, env: &mut Env<'a>, found: &mut dyn FnMut(&mut Env<'a>) -> Result<Flow>) -> Result<Flow> {
        let state = if self.initial { &env.current } else { &env.next };
        let open = state.iter().filter(|v| v.is_none()).count();
        let finding = if self.initial { Finding::Current } else { Finding::Next };
        let before = (std::mem::replace(&mut env.open, open), std::mem::replace(&mut env.finding, finding));
        let mark = env.trail.len();
        let result = env.in_frame(self.frame as usize, |env| {
            let result = self.action.step(env, None, &mut |env| {
                // Inside, the caller may evaluate anything: it is not part of the search.
                let (open, finding) = (env.open, env.finding);
                let flow = found(env);
                (env.open, env.finding) = (open, finding);
                flow
            });
            env.undo(mark);
            result
        });
        (env.open, env.finding) = before;
        result
    }

    /// Why no way through the relation ends in the given states: the conditions furthest in that were false. Of what was not observed
    /// they say what it was taken to be.
    ///
    /// # Errors
    /// Whatever the evaluation gives.
    pub fn explain<'a>(&'a self, env: &mut Env<'a>, unobserved: Unobserved) -> Result<Vec<Refusal>> {
        explain::start(env, unobserved);
        let result = self.search(env, &mut |_| Ok(Flow::Continue));
        let refusals = explain::finish(env);
        result.map(|_| refusals)
    }
}
