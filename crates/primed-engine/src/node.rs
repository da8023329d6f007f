//! Compiled code: a tree of nodes, each a piece of data with the function that runs it.
//!
//! Two forms, made from one expression: a [`Node`] has a value (and is a plain Boolean test where that is asked), an [`Action`]
//! finds all ways to give the next state (or, for an initial predicate, the current one) its values. An action runs with its
//! continuation, the conjuncts still to come, as a list on the stack, and undoes its bindings by a trail.

use std::fmt::Debug;
use std::sync::Arc;

use primed_value::error::{EvalError, Place};
use primed_value::host::Result;
use primed_value::value::Value;
use primed_value::{print, sets};

use crate::env::Env;
use crate::env::aside::Condition;
use crate::explain::{self, Witness};

/// Code with a value.
pub(crate) trait Node: Send + Sync + Debug {
    /// Its value in the environment's states and frame.
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>>;

    /// Its value as a condition.
    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        match self.eval(env)? {
            Value::Bool(b) => Ok(b),
            other => Err(not_boolean(env, other)),
        }
    }

    /// Whether the set that this is has the element. What only membership is asked of need not be listed.
    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        let set = self.eval(env)?;
        sets::member(env, element, set)
    }

    /// If it is a conjunction, its conjuncts, in order.
    fn conjuncts(&self) -> Option<Vec<&dyn Node>> {
        None
    }

    /// What a person wants to know when this is false: the operands and where they stand.
    fn operands(&self) -> Vec<Operand<'_>> {
        Vec::new()
    }

    /// Why this has the truth value that it has in the environment: the values of names bound inside of it that decide it, and
    /// the parts that they decide. Asked for explanations only.
    fn witness<'a>(&'a self, env: &mut Env<'a>, _value: bool, found: &mut Witness) {
        found.part(env, self.operands());
    }
}

/// A part of a condition whose value explains it.
#[derive(Clone, Copy)]
pub(crate) struct Operand<'a> {
    pub(crate) code: &'a dyn Node,
    pub(crate) name: OperandName,
}

/// How an operand is named to a person.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OperandName {
    /// By its source text.
    Place(Place),
    /// A variable, primed or not.
    Variable(u32, bool),
}

impl<'a> Operand<'a> {
    pub(crate) fn new(code: &'a Code, place: Place) -> Operand<'a> {
        Operand { code: &**code, name: OperandName::Place(place) }
    }
}

/// Owned code.
pub(crate) type Code = Box<dyn Node>;
/// Code used at several places (a LET value, an argument).
pub(crate) type Shared = Arc<dyn Node>;

impl Node for Shared {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        (**self).eval(env)
    }

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        (**self).test(env)
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        (**self).has(env, element)
    }

    fn conjuncts(&self) -> Option<Vec<&dyn Node>> {
        (**self).conjuncts()
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        (**self).operands()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        (**self).witness(env, value, found);
    }
}

/// Whether an enumeration goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Look for more.
    Continue,
    /// Enough.
    Stop,
}

/// What receives each state found. The environment holds the state.
pub(crate) type Out<'o, 'a> = dyn FnMut(&mut Env<'a>) -> Result<Flow> + 'o;

/// What is still to be done when an action has succeeded: conjuncts to the right, in the frame they belong to.
#[derive(Clone, Copy)]
pub(crate) struct Cont<'c, 'a> {
    pub(crate) actions: &'a [Box<dyn Action>],
    pub(crate) base: usize,
    pub(crate) next: Option<&'c Cont<'c, 'a>>,
}

/// Code that enumerates.
pub(crate) trait Action: Send + Sync + Debug {
    /// Finds every way to satisfy this and then `rest`, and hands each complete one to `out`.
    fn step<'a>(&'a self, env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow>;

    /// The same formula as a plain condition: nothing is bound.
    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool>;

    /// The variables that get a value on every way through it, sorted. What cannot be seen without running it is left out.
    fn gives(&self) -> Vec<u32> {
        Vec::new()
    }
}

/// Goes on with the continuation.
pub(crate) fn proceed<'a>(env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
    let Some(cont) = rest else { return out(env) };
    let Some((first, others)) = cont.actions.split_first() else { return proceed(env, cont.next, out) };
    let base = std::mem::replace(&mut env.base, cont.base);
    let result = match others {
        [] => first.step(env, cont.next, out),
        _ => first.step(env, Some(&Cont { actions: others, base: cont.base, next: cont.next }), out),
    };
    env.base = base;
    result
}

/// All variables have values: what remains is a plain condition (`SANY_AND_TLC.md` 3.4, rule 4), so that it yields one state
/// however many ways it can be true.
pub(crate) fn finish<'a>(env: &mut Env<'a>, rest: Option<&Cont<'_, 'a>>, out: &mut Out<'_, 'a>) -> Result<Flow> {
    explain::counted(env, |env| {
        let base = env.base;
        let mut next = rest;
        while let Some(cont) = next {
            for action in cont.actions {
                env.base = cont.base;
                let holds = env.ask(Condition::Holds(&**action));
                env.base = base;
                if !holds? {
                    return Ok(Flow::Continue);
                }
                explain::count(env);
            }
            next = cont.next;
        }
        out(env)
    })
}

/// TLC's complaint about a condition that is not a Boolean.
#[cold]
pub(crate) fn not_boolean<'a>(env: &mut Env<'a>, value: Value<'a>) -> Box<EvalError> {
    let text = print::print_short(env, value, 200);
    EvalError::new(2215, format!("TLC expected a boolean value, but did not find one. It found {text}."))
}
