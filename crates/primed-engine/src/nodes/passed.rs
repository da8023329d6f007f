//! Parameters of called definitions that stand for a conjunct: TLC walks what was passed, with the names of where it was written
//! (`LazyValue` in its next-state relation), unless it has its value already.

use std::sync::Arc;

use primed_value::error::Place;
use primed_value::host::Result;

use crate::actions::{Target, holds};
use crate::env::Env;
use crate::guard;
use crate::node::{Action, Code, Cont, Flow, Out, proceed};
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
        let flow = env.deeper(|env| {
            self.action.step(env, None, &mut |env| {
                let inner = std::mem::replace(&mut env.base, here);
                let flow = Target::bound(env, rest, out);
                env.base = inner;
                flow
            })
        });
        env.base = here;
        env.slots.truncate(top);
        flow
    }
}

/// A parameter in the place of a conjunct.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) slot: u32,
    /// Its value.
    pub(crate) condition: Code,
    pub(crate) place: Place,
}

impl Action for Parameter {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        if let Some((code, written)) = env.not_computed(self.slot)
            && let Some(action) = &code.action
        {
            return action.step(env, written, rest, out);
        }
        if guard::test(env, &self.condition, self.place)? {
            return crate::explain::passed(env, |env| proceed(env, rest, out));
        }
        crate::explain::refused(env, &*self.condition, self.place);
        Ok(Flow::Continue)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        holds(env, &self.condition, self.place)
    }
}
