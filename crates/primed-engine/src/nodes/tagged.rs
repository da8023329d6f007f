//! An action that says that it was taken.

use std::sync::Arc;

use primed_value::host::Result;
use primed_value::value::Value;

use crate::env::Env;
use crate::node::{Action, Code, Cont, Flow, Out};

/// One of the actions that a next-state relation is split into.
#[derive(Debug)]
pub(crate) struct Tagged {
    pub(crate) number: u32,
    pub(crate) parameters: Vec<(Arc<str>, Parameter)>,
    pub(crate) body: Box<dyn Action>,
    /// It depends on the current state and constants alone.
    pub(crate) pure: bool,
    /// Slots outside that are filled at the first use, with what depends on the state.
    pub(crate) shared: Vec<u32>,
}

/// A parameter of the operator around an action.
#[derive(Debug)]
pub(crate) enum Parameter {
    Value(Code),
    /// An operator, by name.
    Operator(Arc<str>),
}

/// The value of a parameter.
#[derive(Clone, Debug)]
pub enum TakenParameter<'a> {
    /// A value.
    Value(Value<'a>),
    /// An operator, by name.
    Operator(Arc<str>),
}

impl Tagged {
    #[cold]
    fn name<'a>(&'a self, env: &mut Env<'a>) {
        let mut values = Vec::with_capacity(self.parameters.len());
        for (name, parameter) in &self.parameters {
            match parameter {
                Parameter::Operator(operator) => {
                    values.push((name.clone(), TakenParameter::Operator(operator.clone())));
                }
                // One without a value is left out, as TLC does it.
                Parameter::Value(code) => {
                    if let Ok(value) = code.eval(env) {
                        values.push((name.clone(), TakenParameter::Value(value)));
                    }
                }
            }
        }
        env.taken = Some(values);
    }
}

impl Action for Tagged {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        if env.only != 0 {
            env.passed_by += 1;
            if env.passed_by != env.only {
                return Ok(Flow::Continue);
            }
        }
        env.action = self.number;
        if env.taken.is_some() {
            self.name(env);
        }
        if env.listing {
            return out(env);
        }
        if env.memo.is_none() || rest.is_some() {
            return self.body.step(env, rest, out);
        }
        let run = &mut |env: &mut Env<'a>, out: &mut Out<'_, 'a>| {
            // Who fills them has to read for itself.
            self.shared.iter().for_each(|slot| env.clear_slot(*slot));
            self.body.step(env, None, out)
        };
        env.part((self.number, self.pure), run, out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.body.holds(env)
    }

    fn gives(&self) -> Vec<u32> {
        self.body.gives()
    }
}
