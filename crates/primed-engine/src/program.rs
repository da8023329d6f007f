//! A compiled model: what every worker shares.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use primed_semantics::model::Variable;
use primed_value::error::EvalError;
use primed_value::freeze::Frozen;
use primed_value::functions;
use primed_value::host::{Limits, Result};
use primed_value::symbol::Symbols;
use primed_value::value::Value;

use crate::coverage::Costs;
use crate::env::Env;
use crate::node::{Code, Shared};
use crate::world::World;

/// How many slots a frame needs; known once the code around it is compiled.
#[derive(Debug, Default)]
pub(crate) struct FrameSize(AtomicU32);

impl FrameSize {
    pub(crate) fn size(&self) -> usize {
        self.0.load(Ordering::Relaxed) as usize
    }

    pub(crate) fn set(&self, size: u32) {
        self.0.store(size, Ordering::Relaxed);
    }
}

/// TLC's complaint about a value that does not fit a tuple of names, with its typing error.
const MISMATCH: &str = "Argument mismatch in operator application.%1";

/// A name, or the names of a tuple's components, in a frame.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    /// One slot.
    One(u32),
    /// The components of a tuple.
    Tuple(Vec<u32>),
}

impl Pattern {
    /// Puts a value, or its components, into the slots.
    #[inline]
    pub(crate) fn bind<'a>(&self, env: &mut Env<'a>, value: Value<'a>) -> Result<()> {
        match self {
            Pattern::One(slot) => env.set_slot(*slot, value),
            Pattern::Tuple(slots) => {
                let components = functions::as_sequence(env, value);
                let Some(components) = components.filter(|c| c.len() == slots.len()) else {
                    return Err(EvalError::new(2170, MISMATCH));
                };
                for (slot, component) in slots.iter().zip(components) {
                    env.set_slot(*slot, *component);
                }
            }
        }
        Ok(())
    }
}

/// The body of a function, or the condition of a filtered set, that a closure runs later.
#[derive(Debug)]
pub(crate) struct FunctionCode {
    /// One pattern for each index.
    pub(crate) patterns: Vec<Pattern>,
    /// The parameters as written, for messages.
    pub(crate) parameters: String,
    /// Where the body stands, in TLC's words.
    pub(crate) described: String,
    pub(crate) body: Shared,
    pub(crate) this: Option<u32>,
    pub(crate) frame: Arc<FrameSize>,
    /// Whether the body reads a state.
    pub(crate) state: bool,
    /// To run it again gives the same and does nothing else.
    pub(crate) steady: bool,
    /// As the predicate of a filtered set, it fails for no element.
    pub(crate) total: bool,
}

impl FunctionCode {
    /// Binds the index, whose components are the indices if there are several.
    pub(crate) fn bind<'a>(&self, env: &mut Env<'a>, argument: Value<'a>) -> Result<()> {
        if let [pattern] = self.patterns.as_slice() {
            return pattern.bind(env, argument);
        }
        let components = functions::as_sequence(env, argument).filter(|c| c.len() == self.patterns.len());
        let Some(components) = components else {
            return Err(EvalError::new(2170, MISMATCH));
        };
        for (pattern, component) in self.patterns.iter().zip(components) {
            pattern.bind(env, *component)?;
        }
        Ok(())
    }
}

/// A definition or constant expression that is evaluated once for all.
#[derive(Debug)]
pub(crate) struct Global {
    pub(crate) code: OnceLock<(Code, u32)>,
    value: OnceLock<Result<Frozen>>,
    /// Depends on the run (the process environment): evaluated once for each environment.
    pub(crate) each_run: bool,
    pub(crate) number: usize,
}

impl Global {
    pub(crate) fn new(each_run: bool, number: usize) -> Global {
        Global { code: OnceLock::new(), value: OnceLock::new(), each_run, number }
    }

    /// A value that is known already.
    pub(crate) fn known(value: Frozen) -> Global {
        Global { code: OnceLock::new(), value: OnceLock::from(Ok(value)), each_run: false, number: usize::MAX }
    }

    fn compute<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let Some((code, size)) = self.code.get() else {
            return Err(EvalError::new(1000, "a definition depends on its own value"));
        };
        env.deeper(|env| env.in_frame(*size as usize, |env| code.eval(env)))
    }

    /// The value, computed at first use.
    pub(crate) fn get<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        if self.each_run {
            if let Some((_, value)) = env.run_values.iter().find(|(number, _)| *number == self.number) {
                return Ok(*value);
            }
            let value = self.compute(env)?;
            env.run_values.push((self.number, value));
            return Ok(value);
        }
        if let Some(done) = self.value.get() {
            return match done {
                Ok(value) => Ok(value.get()),
                Err(_) if env.deferring => self.compute(env),
                Err(error) => Err(error.clone()),
            };
        }
        // It is nobody's in particular: how many steps it takes does not depend on who asks first.
        let (left, deferring) = (env.steps, std::mem::take(&mut env.deferring));
        env.steps = env.limits.steps;
        let computed = self.compute(env).and_then(|v| Frozen::new(env, v));
        (env.steps, env.deferring) = (left, deferring);
        self.value.get_or_init(|| computed).as_ref().map(Frozen::get).map_err(Clone::clone)
    }
}

/// The code of a recursive operator; compiled at its first call.
#[derive(Debug, Default)]
pub(crate) struct Procedure {
    pub(crate) code: OnceLock<(Code, u32)>,
}

/// A compiled model. Expressions are compiled into it by [`crate::compile::Compiler`].
#[derive(Debug)]
pub struct Program {
    pub(crate) names: Vec<Variable>,
    pub(crate) symbols: Arc<Symbols>,
    pub(crate) limits: Limits,
    pub(crate) world: Arc<dyn World>,
    functions: Vec<Arc<FunctionCode>>,
    costs: Costs,
    /// Something in it is remembered from state to state ([`crate::nodes::remembered`]).
    pub(crate) remembers: bool,
}

impl Program {
    pub(crate) fn new(
        names: Vec<Variable>,
        symbols: Arc<Symbols>,
        limits: Limits,
        world: Arc<dyn World>,
        (functions, costs): (Vec<Arc<FunctionCode>>, Costs),
        remembers: bool,
    ) -> Program {
        Program { names, symbols, limits, world, functions, costs, remembers }
    }

    /// How often the expressions of formulas with a role were evaluated; nothing unless
    /// [`crate::compile::Compiler::count_expressions`] asked for it.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// How many variables a state has.
    pub fn variables(&self) -> usize {
        self.names.len()
    }

    /// What may be asked of the machine.
    pub fn world(&self) -> &Arc<dyn World> {
        &self.world
    }

    /// What is evaluated from now on may take so many steps.
    pub fn limit_steps(&mut self, steps: u64) {
        self.limits.steps = steps;
    }

    /// The bounds on evaluation.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn function(&self, number: usize) -> Option<&FunctionCode> {
        self.functions.get(number).map(|f| &**f)
    }
}
