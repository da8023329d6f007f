//! Code that tells an error where it was met.

use primed_value::error::Place;
use primed_value::host::Result;
use primed_value::value::Value;

use crate::env::{Env, Finding};
use crate::explain::Witness;
use crate::guard;
use crate::node::{Action, Code, Cont, Flow, Node, Operand, Out};

/// An expression with its place.
#[derive(Debug)]
pub(crate) struct PlacedCode {
    pub(crate) code: Code,
    pub(crate) place: Place,
}

impl Node for PlacedCode {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        self.code.eval(env).map_err(|e| e.within(self.place))
    }

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.code.test(env).map_err(|e| e.within(self.place))
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        // The set itself was evaluated if nothing in it failed: the error is of who asks for the element.
        self.code.has(env, element).map_err(|e| if e.around.is_empty() { e } else { e.within(self.place) })
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.code.operands()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        self.code.witness(env, value, found);
    }
}

/// An action with its place. What follows it is run inside of it, as in TLC.
#[derive(Debug)]
pub(crate) struct PlacedAction {
    pub(crate) action: Box<dyn Action>,
    /// The same as an expression, which TLC evaluates once every variable has its value; none inside of another such.
    pub(crate) whole: Option<Code>,
    pub(crate) place: Place,
}

impl Action for PlacedAction {
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
        self.action.step(env, rest, out).map_err(|e| e.within(self.place))
    }

    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        match &self.whole {
            Some(whole) if !matches!(env.finding, Finding::Nothing) => guard::test(env, whole, self.place),
            _ => self.action.holds(env).map_err(|e| e.within(self.place)),
        }
    }

    fn gives(&self) -> Vec<u32> {
        self.action.gives()
    }
}
