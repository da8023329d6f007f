//! IF, CASE, LET, and steps between the states.

use primed_value::error::{EvalError, Place};
use primed_value::host::Result;
use primed_value::print;
use primed_value::value::Value;

use crate::env::Env;
use crate::explain::Witness;
use crate::node::{Action, Code, Flow, Node, Operand, OperandName};
use crate::nodes::atoms::{NextVariable, Variable};
use crate::nodes::logic::condition;

/// `IF c THEN t ELSE e`.
#[derive(Debug)]
pub(crate) struct If {
    pub(crate) condition: Code,
    pub(crate) yes: Code,
    pub(crate) no: Code,
    pub(crate) place: Place,
}

/// A condition of IF, which must be a Boolean.
pub(crate) fn decide<'a>(code: &'a Code, env: &mut Env<'a>, place: Place) -> Result<bool> {
    match code.eval(env)? {
        Value::Bool(b) => Ok(b),
        other => {
            let kind = print::kind_name(other);
            let message = format!("A non-boolean expression ({kind}) was used as the condition of an IF.");
            Err(EvalError::new(1000, message).told("\n", place))
        }
    }
}

impl Node for If {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        match decide(&self.condition, env, self.place)? {
            true => self.yes.eval(env),
            false => self.no.eval(env),
        }
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        match decide(&self.condition, env, self.place)? {
            true => self.yes.has(env, element),
            false => self.no.has(env, element),
        }
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        if let Ok(holds) = decide(&self.condition, env, self.place) {
            found.inside(env, &*self.condition, holds);
            found.inside(env, if holds { &*self.yes } else { &*self.no }, value);
        }
    }
}

/// `CASE g -> e [] ... [] OTHER -> e`.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) arms: Vec<(Code, Code)>,
    pub(crate) other: Option<Code>,
    pub(crate) place: Place,
}

/// No guard of a CASE is true.
#[cold]
pub(crate) fn no_case(place: Place) -> Box<EvalError> {
    let message = "Attempted to evaluate a CASE with no conditions true.";
    EvalError::new(1000, message).told("\n", place)
}

/// A guard of CASE, which must be a Boolean.
pub(crate) fn guard<'a>(code: &'a Code, env: &mut Env<'a>, place: Place) -> Result<bool> {
    match code.eval(env)? {
        Value::Bool(b) => Ok(b),
        other => {
            let kind = print::kind_name(other);
            let message = format!("A non-boolean expression ({kind}) was used as a condition of a CASE.");
            Err(EvalError::new(1000, message).told(" ", place))
        }
    }
}

impl Case {
    fn chosen<'a>(&'a self, env: &mut Env<'a>) -> Result<&'a Code> {
        for (condition, value) in &self.arms {
            if guard(condition, env, self.place)? {
                return Ok(value);
            }
        }
        self.other.as_ref().ok_or_else(|| no_case(self.place))
    }
}

impl Node for Case {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        self.chosen(env)?.eval(env)
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        self.chosen(env)?.has(env, element)
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        for (condition, chosen) in &self.arms {
            match guard(condition, env, self.place) {
                Ok(true) => {
                    found.inside(env, &**condition, true);
                    return found.inside(env, &**chosen, value);
                }
                Ok(false) => {}
                Err(_) => return,
            }
        }
        if let Some(other) = &self.other {
            found.inside(env, &**other, value);
        }
    }
}

/// Enters the scope of LET values or arguments: their slots are empty until first used.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) slots: Vec<u32>,
    pub(crate) body: Code,
}

impl Node for Scope {
    #[inline]
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        self.slots.iter().for_each(|slot| env.clear_slot(*slot));
        self.body.eval(env)
    }

    #[inline]
    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.slots.iter().for_each(|slot| env.clear_slot(*slot));
        self.body.test(env)
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        self.slots.iter().for_each(|slot| env.clear_slot(*slot));
        self.body.has(env, element)
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.body.operands()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        self.slots.iter().for_each(|slot| env.clear_slot(*slot));
        found.inside(env, &*self.body, value);
    }
}

/// `UNCHANGED <<x, y>>` as a condition: each variable has the same value in both states.
#[derive(Debug)]
pub(crate) struct UnchangedVariables {
    pub(crate) variables: Vec<(Variable, NextVariable)>,
    pub(crate) place: Place,
}

impl UnchangedVariables {
    pub(crate) fn new(variables: &[u32], place: Place) -> UnchangedVariables {
        let pair = |number: &u32| (Variable { number: *number, place }, NextVariable { number: *number, place });
        UnchangedVariables { variables: variables.iter().map(pair).collect(), place }
    }
}

impl Node for UnchangedVariables {
    condition!();

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        for (now, then) in &self.variables {
            let (now, then) = (now.eval(env)?, then.eval(env)?);
            if !primed_value::compare::equal(env, then, now).map_err(|e| e.at(self.place))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        let operand = |code, number, primed| Operand { code, name: OperandName::Variable(number, primed) };
        self.variables
            .iter()
            .flat_map(|(now, then)| {
                [operand(now as &dyn Node, now.number, false), operand(then as &dyn Node, then.number, true)]
            })
            .collect()
    }
}

/// Code of a recursive operator under a prime: it runs with the next state as the current one.
#[derive(Debug)]
pub(crate) struct InNext(pub(crate) Code);

impl InNext {
    fn there<'a, T>(&'a self, env: &mut Env<'a>, run: impl FnOnce(&'a Code, &mut Env<'a>) -> T) -> T {
        env.exchanging(|env| {
            env.exchanged();
            let result = run(&self.0, env);
            env.exchanged();
            result
        })
    }
}

impl Node for InNext {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        self.there(env, |code, env| code.eval(env))
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        self.there(env, |code, env| code.has(env, element))
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        self.there(env, |code, env| found.inside(env, &**code, value));
    }
}

/// `ENABLED A`: some next state satisfies A.
#[derive(Debug)]
pub(crate) struct Enabled {
    pub(crate) action: Box<dyn Action>,
    /// How many variables the next state has in there.
    pub(crate) variables: usize,
}

impl Node for Enabled {
    condition!();

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let mut found = false;
        env.enabled += 1;
        let run = env.finding_next(vec![None; self.variables], |env| {
            self.action.step(env, None, &mut |_| {
                found = true;
                Ok(Flow::Stop)
            })
        });
        env.enabled -= 1;
        run.map(|_| found)
    }
}
