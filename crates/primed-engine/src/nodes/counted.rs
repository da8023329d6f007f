//! Code that counts how often it is evaluated.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use primed_value::error::Place;
use primed_value::host::Result;
use primed_value::value::Value;
use primed_value::{functions, sets};

use crate::actions::Target;
use crate::coverage::Counter;
use crate::env::Env;
use crate::explain::Witness;
use crate::node::{Action, Code, Cont, Flow, Node, Operand, Out};

/// An expression with its counter.
#[derive(Debug)]
pub(crate) struct CountedCode {
    pub(crate) code: Code,
    pub(crate) counter: Arc<Counter>,
}

impl CountedCode {
    fn count(&self) -> &Code {
        self.counter.count();
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

    fn operands(&self) -> Vec<Operand<'_>> {
        self.code.operands()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        self.code.witness(env, value, found);
    }
}

/// A formula of which it is counted how often it is true (as cost) and how often false.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) code: Code,
    pub(crate) counter: Arc<Counter>,
}

impl Node for Judged {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let value = self.code.eval(env)?;
        match value {
            Value::Bool(true) => self.counter.spend(1),
            _ => self.counter.count(),
        }
        Ok(value)
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.code.operands()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        self.code.witness(env, value, found);
    }
}

/// What counts the times that an action goes on to what is after it. In a next-state relation those count that lead to a state. In an
/// initial predicate those do where nothing is left to be given a value, and they count for the predicate as a whole too.
#[derive(Debug)]
pub(crate) struct Passes {
    pub(crate) counter: Arc<Counter>,
    /// Elements that are asked for, of a set that is made here.
    pub(crate) set: Option<Arc<Counter>>,
    /// Of the initial predicate: states that it gave, and states that it refused when all variables had values.
    pub(crate) initial: Option<Arc<Counter>>,
}

impl Passes {
    /// Goes on.
    pub(crate) fn pass<'a>(
        &self,
        env: &mut Env<'a>,
        last: Last,
        out: &mut Out<'_, 'a>,
        go: impl FnOnce(&mut Env<'a>, &mut Out<'_, 'a>) -> Result<Flow>,
    ) -> Result<Flow> {
        let mut found = false;
        let flow = go(env, &mut |env| {
            let flow = out(env)?;
            // Where a search ends TLC has no time to count; a behaviour that is found again is looked at in full.
            found |= flow == Flow::Continue || env.taken.is_some();
            Ok(flow)
        })?;
        match (&self.initial, found) {
            (None, true) => self.counter.count(),
            (Some(whole), true) if last.rest || last.variable => {
                self.counter.count();
                whole.count();
            }
            (Some(whole), false) if last.variable && !last.rest => whole.spend(1),
            _ => {}
        }
        Ok(flow)
    }
}

/// What an action that goes on is the last of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    /// Nothing comes after it.
    pub(crate) rest: bool,
    /// It gives the last variable its value.
    pub(crate) variable: bool,
}

/// A conjunct without parts that goes on at most once.
#[derive(Debug)]
pub(crate) struct Passing {
    pub(crate) action: Box<dyn Action>,
    /// The variable that it gives a value.
    pub(crate) target: Option<Target>,
    pub(crate) passes: Passes,
}

impl Action for Passing {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        let completes = env.open == 1 && self.target.is_some_and(|target| target.get(env).is_none());
        let last = Last { rest: is_empty(rest), variable: completes };
        self.passes.pass(env, last, out, |env, out| self.action.step(env, rest, out))
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.action.holds(env)
    }

    fn gives(&self) -> Vec<u32> {
        self.action.gives()
    }
}

/// A union with a set that is made for it, whose elements are gone through.
#[derive(Debug)]
pub(crate) struct CountedUnion {
    pub(crate) arguments: [Code; 2],
    pub(crate) counter: Arc<Counter>,
    pub(crate) place: Place,
}

impl Node for CountedUnion {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let left = self.arguments[0].eval(env)?;
        let right = self.arguments[1].eval(env)?;
        // The union with an empty set is the other one.
        let empty = matches!(sets::elements(env, left), Ok([]));
        if sets::is_reducible(left)
            && !empty
            && let Ok(elements) = sets::elements(env, right)
        {
            self.counter.spend(elements.len() as u64 + 1);
        }
        sets::union(env, left, right).map_err(|e| e.at(self.place))
    }
}

/// A function that is made: for each argument its value is computed.
#[derive(Debug)]
pub(crate) struct CountedFunction {
    pub(crate) code: Code,
    pub(crate) counter: Arc<Counter>,
}

impl Node for CountedFunction {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let value = self.code.eval(env)?;
        if let Ok(domain) = functions::domain(env, value)
            && let Ok(elements) = sets::elements(env, domain)
        {
            self.counter.spend(elements.len() as u64);
        }
        Ok(value)
    }
}

/// Whether nothing comes after.
pub(crate) fn is_empty(rest: Option<&Cont<'_, '_>>) -> bool {
    rest.is_none_or(|cont| cont.actions.is_empty() && is_empty(cont.next))
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

/// `UNCHANGED`, item by item; as a condition, as a whole.
#[derive(Debug)]
pub(crate) struct CountedUnchanged {
    pub(crate) items: Box<dyn Action>,
    pub(crate) condition: Code,
}

impl Action for CountedUnchanged {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        self.items.step(env, rest, out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.condition.test(env)
    }

    fn gives(&self) -> Vec<u32> {
        self.items.gives()
    }
}

/// An item of `UNCHANGED`; what TLC looks at after all variables have values counts.
#[derive(Debug)]
pub(crate) struct CountedItem {
    pub(crate) action: Box<dyn Action>,
    pub(crate) counter: Arc<Counter>,
}

impl Action for CountedItem {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        self.action.step(env, rest, out)
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let holds = self.action.holds(env)?;
        if holds {
            self.counter.count();
        }
        Ok(holds)
    }

    fn gives(&self) -> Vec<u32> {
        self.action.gives()
    }
}
