//! Parameters of called definitions that stand for a conjunct: TLC walks what was passed, with the names of where it was written
//! (`LazyValue` in its next-state relation), unless it has its value already.

use std::sync::Arc;

use primed_value::host::Result;

use crate::actions::{Guard, Target};
use crate::env::Env;
use crate::node::{Action, Cont, Flow, Out};
use crate::program::FrameSize;

/// An argument as an action.
#[derive(Debug)]
pub(crate) struct PassedAction {
    pub(crate) action: Box<dyn Action>,
    /// The frame that it is written in: each run gets a copy, because what follows may run it again.
    pub(crate) frame: Arc<FrameSize>,
}

impl PassedAction {
    fn step<'a>(
        &'a self,
        env: &mut Env<'a>,
        written: usize,
        rest: Option<&Cont<'_, 'a>>,
        out: &mut Out<'_, 'a>,
    ) -> Result<Flow> {
        let (here, top) = (env.base, env.slots.len());
        let size = self.frame.size().min(top - written);
        env.slots.extend_from_within(written..written + size);
        env.base = top;
        let flow = env.deeper(|env| self.action.step(env, None, &mut |env| Target::bound_around(env, here, rest, out)));
        env.base = here;
        env.slots.truncate(top);
        flow
    }
}

/// A parameter in the place of a conjunct.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) slot: u32,
    /// Its value as a condition.
    pub(crate) guard: Guard,
}

impl Action for Parameter {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        if let Some((code, written)) = env.not_computed(self.slot)
            && let Some(action) = &code.action
        {
            return action.step(env, written, rest, out);
        }
        self.guard.step(env, rest, out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.guard.holds(env)
    }
}
