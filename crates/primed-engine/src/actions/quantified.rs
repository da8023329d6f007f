//! Quantifiers where states are found.

use primed_value::host::{Host, Result};
use primed_value::sets;
use primed_value::value::Value;

use crate::env::Env;
use crate::env::aside::Condition;
use crate::explain::{self, Names};
use crate::node::{Action, Cont, Flow, Out, finish, proceed};
use crate::nodes::binders::{Excluded, Ranges};

/// `\E x \in S : A`.
#[derive(Debug)]
pub(crate) struct Exists {
    pub(crate) ranges: Ranges,
    pub(crate) excluded: Excluded,
    pub(crate) names: Names,
    pub(crate) body: Box<dyn Action>,
}

impl Exists {
    /// As an action, the same.
    #[cold]
    fn steps_explained<'a>(
        &'a self,
        env: &mut Env<'a>,
        rest: Option<&Cont<'_, 'a>>,
        out: &mut Out<'_, 'a>,
    ) -> Result<Flow> {
        let mark = env.trail.len();
        let (mut flow, mut tried) = (Flow::Continue, false);
        self.ranges.each_but(env, self.excluded, &mut |env| {
            tried = true;
            flow = explain::nested_with(env, rest, out, &mut |env, out| {
                let named = explain::bind(env, &self.names);
                let flow = self.body.step(env, None, out);
                explain::unbind(env, named);
                flow
            })?;
            env.undo(mark);
            Ok(flow == Flow::Continue)
        })?;
        if !tried {
            explain::nothing(env, &self.ranges, &self.names);
        }
        Ok(flow)
    }

    /// As a condition, what is refused being told with the values of the names.
    #[cold]
    fn explained<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let mut tried = false;
        let none = self.ranges.each(env, &mut |env| {
            tried = true;
            let named = explain::bind(env, &self.names);
            let holds = explain::level(env, |env| env.ask(Condition::Holds(&*self.body)));
            explain::unbind(env, named);
            Ok(!holds?)
        })?;
        if !tried {
            explain::nothing(env, &self.ranges, &self.names);
        }
        Ok(!none)
    }
}

impl Action for Exists {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        if env.explaining.is_some() {
            return self.steps_explained(env, rest, out);
        }
        let mark = env.trail.len();
        let mut flow = Flow::Continue;
        self.ranges.each_but(env, self.excluded, &mut |env| {
            flow = self.body.step(env, rest, out)?;
            env.undo(mark);
            Ok(flow == Flow::Continue)
        })?;
        Ok(flow)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        if env.explaining.is_some() {
            return self.explained(env);
        }
        Ok(!self.ranges.each_but(env, self.excluded, &mut |env| Ok(!env.ask(Condition::Holds(&*self.body))?))?)
    }

    fn gives(&self) -> Vec<u32> {
        self.body.gives()
    }
}

/// `\A x \in S : A`, a conjunction with one item for each element. Each item gets a copy of the frame, so that going back into
/// an earlier one finds its own bindings.
#[derive(Debug)]
pub(crate) struct Forall {
    /// The frame that each item gets a copy of.
    pub(crate) frame: std::sync::Arc<crate::program::FrameSize>,
    pub(crate) ranges: Ranges,
    pub(crate) names: Names,
    pub(crate) body: Box<dyn Action>,
}

impl Forall {
    fn frames<'a>(
        &'a self,
        env: &mut Env<'a>,
        bindings: &[Vec<Value<'a>>],
        rest: Option<&Cont<'_, 'a>>,
        out: &mut Out<'_, 'a>,
    ) -> Result<Flow> {
        if env.complete() {
            return self.conditions(env, bindings, rest, out);
        }
        let Some((first, others)) = bindings.split_first() else { return proceed(env, rest, out) };
        let (base, top) = (env.base, env.slots.len());
        let size = self.frame.size().min(top - base);
        env.slots.extend_from_within(base..base + size);
        env.base = top;
        self.bind(env, first)?;
        // The remaining elements are run from the continuation's end, in the frame of the quantifier.
        let named = explain::bind(env, &self.names);
        let flow = self.body.step(env, None, &mut |env| {
            explain::unbind(env, named);
            let inner = std::mem::replace(&mut env.base, base);
            let flow = env.deeper(|env| self.frames(env, others, rest, out));
            env.base = top;
            explain::bind(env, &self.names);
            env.base = inner;
            flow
        });
        explain::unbind(env, named);
        env.base = base;
        env.slots.truncate(top);
        flow
    }

    /// Gives the names of an item their values.
    fn bind<'a>(&'a self, env: &mut Env<'a>, values: &[Value<'a>]) -> Result<()> {
        let patterns = self.ranges.0.iter().flat_map(|range| &range.patterns);
        patterns.zip(values).try_for_each(|(pattern, value)| pattern.bind(env, *value))
    }

    /// Every variable has a value: the remaining elements are plain conditions.
    fn conditions<'a>(
        &'a self,
        env: &mut Env<'a>,
        bindings: &[Vec<Value<'a>>],
        rest: Option<&Cont<'_, 'a>>,
        out: &mut Out<'_, 'a>,
    ) -> Result<Flow> {
        for values in bindings {
            self.bind(env, values)?;
            let named = explain::bind(env, &self.names);
            let holds = explain::level(env, |env| self.body.holds(env));
            explain::unbind(env, named);
            if !holds? {
                return Ok(Flow::Continue);
            }
        }
        finish(env, rest, out)
    }
}

impl Action for Forall {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        let mut bindings: Vec<Vec<Value<'a>>> = Vec::new();
        let dimensions = self.ranges.listed(env)?;
        combinations(env, &dimensions, &mut Vec::new(), &mut bindings)?;
        match env.explaining.is_some() {
            true => explain::nested_with(env, rest, out, &mut |env, out| self.frames(env, &bindings, None, out)),
            false => self.frames(env, &bindings, rest, out),
        }
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.ranges.each(env, &mut |env| {
            let named = explain::bind(env, &self.names);
            let holds = explain::level(env, |env| env.ask(Condition::Holds(&*self.body)));
            explain::unbind(env, named);
            holds
        })
    }

    fn gives(&self) -> Vec<u32> {
        self.body.gives()
    }
}

/// All combinations of the dimensions' elements, the first changing fastest.
fn combinations<'a>(
    env: &mut Env<'a>,
    dimensions: &[crate::nodes::binders::Dimension<'a>],
    chosen: &mut Vec<Value<'a>>,
    all: &mut Vec<Vec<Value<'a>>>,
) -> Result<()> {
    let Some(((_, set, place), inner)) = dimensions.split_last() else {
        all.push(chosen.iter().rev().copied().collect());
        return Ok(());
    };
    for element in sets::elements(env, *set).map_err(|e| e.at(*place))? {
        env.spend(1).map_err(|e| e.at(*place))?;
        chosen.push(*element);
        combinations(env, inner, chosen, all)?;
        chosen.pop();
    }
    Ok(())
}
