//! Code that counts how often it is evaluated.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use primed_value::host::Result;
use primed_value::value::Value;

use crate::env::Env;
use crate::explain::Witness;
use crate::node::{Action, Code, Cont, Flow, Node, Operand, Out};

/// An expression with its counter.
#[derive(Debug)]
pub(crate) struct CountedCode {
    pub(crate) code: Code,
    pub(crate) counter: Arc<AtomicU64>,
}

impl CountedCode {
    fn count(&self) -> &Code {
        self.counter.fetch_add(1, Ordering::Relaxed);
        &self.code
    }
}

impl Node for CountedCode {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        self.count().eval(env)
    }

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.count().test(env)
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        self.count().has(env, element)
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.code.operands()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        self.code.witness(env, value, found);
    }
}

/// An action that counts the states that it leads to.
#[derive(Debug)]
pub(crate) struct TakenAction {
    pub(crate) action: Box<dyn Action>,
    pub(crate) counter: Arc<AtomicU64>,
}

impl TakenAction {
    /// What is run once more to be shown was counted before.
    fn count(&self, env: &Env<'_>) {
        if env.taken.is_none() && env.explaining.is_none() {
            self.counter.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Action for TakenAction {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        self.action.step(env, rest, &mut |env| {
            self.count(env);
            out(env)
        })
    }

    /// Where all variables have values already, an action is a condition among others.
    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let holds = self.action.holds(env)?;
        if holds {
            self.count(env);
        }
        Ok(holds)
    }

    fn gives(&self) -> Vec<u32> {
        self.action.gives()
    }
}

/// An action with its counter.
#[derive(Debug)]
pub(crate) struct CountedAction {
    pub(crate) action: Box<dyn Action>,
    pub(crate) counter: Arc<AtomicU64>,
}

impl CountedAction {
    fn count(&self) -> &dyn Action {
        self.counter.fetch_add(1, Ordering::Relaxed);
        &*self.action
    }
}

impl Action for CountedAction {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        self.count().step(env, rest, out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.count().holds(env)
    }

    fn gives(&self) -> Vec<u32> {
        self.action.gives()
    }
}
