//! State functions that take long, evaluated once for the values that they read.

use primed_value::freeze;
use primed_value::host::Result;
use primed_value::intern::same_word;
use primed_value::sets;
use primed_value::value::Value;

use crate::env::Env;
use crate::explain::Witness;
use crate::node::{Code, Node, Operand};

/// A definition that depends on nothing but some variables of one state. Where the next state is being found it is asked for
/// again and again while they have one value: in `x' \in SUBSET S /\ P(D')` for every subset.
#[derive(Debug)]
pub(crate) struct Once {
    /// Its place among those of an environment; one of its own for each of the two states.
    pub(crate) number: u32,
    /// It is meant of the next state.
    pub(crate) next: bool,
    /// The variables that it may read.
    pub(crate) variables: Vec<u32>,
    pub(crate) here: Code,
}

/// What a definition gave last, and the values that its variables had.
#[derive(Clone, Debug)]
pub(crate) struct Found<'a> {
    pub(crate) read: Vec<(u32, Value<'a>)>,
    pub(crate) value: Value<'a>,
}

impl Once {
    fn known<'a>(&self, env: &Env<'a>) -> Option<Value<'a>> {
        let found = env.found.get(self.number as usize)?.as_ref()?;
        let state = if self.next { &env.next } else { &env.current };
        let same = |(variable, word): &(u32, Value<'a>)| state[*variable as usize].is_some_and(|v| same_word(v, *word));
        found.read.iter().all(same).then_some(found.value)
    }

    fn learn<'a>(&self, env: &mut Env<'a>, value: Value<'a>) {
        let state = if self.next { &env.next } else { &env.current };
        let read = self.variables.iter().map(|v| Some((*v, state[*v as usize]?))).collect();
        if let (Some(read), true) = (read, freeze::is_listed(value)) {
            let at = self.number as usize;
            env.found.resize(env.found.len().max(at + 1), None);
            env.found[at] = Some(Found { read, value });
        }
    }
}

impl Once {
    /// The value that is known, whose variables are read by that.
    fn recalled<'a>(&self, env: &mut Env<'a>) -> Option<Value<'a>> {
        let value = self.known(env)?;
        for variable in &self.variables {
            match self.next {
                _ if !env.watching => break,
                true => env.reads_next(*variable),
                false => env.reads(*variable),
            }
        }
        Some(value)
    }
}

impl Node for Once {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        if let Some(value) = self.recalled(env) {
            return Ok(value);
        }
        let value = self.here.eval(env)?;
        self.learn(env, value);
        Ok(value)
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        match self.recalled(env) {
            Some(set) => sets::member(env, element, set),
            None => self.here.has(env, element),
        }
    }

    fn conjuncts(&self) -> Option<Vec<&dyn Node>> {
        self.here.conjuncts()
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.here.operands()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        self.here.witness(env, value, found);
    }
}
