//! Functions, records, tuples: constructors, application, EXCEPT.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use primed_value::error::{EvalError, EvalErrorKind, Place};
use primed_value::host::{Host, Result};
use primed_value::symbol::Symbol;
use primed_value::value::Value;
use primed_value::{build, functions, sets};

use crate::env::Env;
use crate::node::{Code, Node, Operand};
use crate::nodes::binders::{Dimension, Ranges, close};
use crate::program::FunctionCode;

/// `<<a, b>>`.
#[derive(Debug)]
pub(crate) struct Tuple(pub(crate) Vec<Code>);

impl Node for Tuple {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let mut items = bumpalo::collections::Vec::with_capacity_in(self.0.len(), env.arena());
        for item in &self.0 {
            items.push(item.eval(env)?);
        }
        Ok(build::tuple_of(env, items.into_bump_slice()))
    }
}

/// `[a |-> 1, b |-> 2]`: the fields sorted when compiled, evaluated in the order written.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) shape: Vec<Symbol>,
    /// In the order written: where the value goes, and its code.
    pub(crate) values: Vec<(usize, Code)>,
}

impl Node for Record {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let values = env.arena().alloc_slice_fill_copy(self.values.len(), Value::Bool(false));
        for (position, code) in &self.values {
            values[*position] = code.eval(env)?;
        }
        Ok(build::record_with_shape(env, &self.shape, values))
    }
}

/// `[x \in S |-> e]`.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) ranges: Ranges,
    pub(crate) function: Arc<FunctionCode>,
    pub(crate) number: usize,
    /// The function is defined in terms of itself.
    pub(crate) recursive: bool,
    pub(crate) place: Place,
}

impl Node for Function {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        primed_value::limits::check_memory(env).map_err(|e| e.at(self.place))?;
        let dimensions = self.ranges.dimensions(env)?;
        // TLC computes the values at once only over sets that are written out.
        let explicit =
            dimensions.iter().all(|(_, set, _)| matches!(set, Value::Set(_) | Value::Interval(_) | Value::Mixed(_)));
        if self.recursive || !explicit {
            return Ok(self.symbolic(env, &dimensions));
        }
        match self.listed(env, &dimensions) {
            // TLC does not list the values of what is only applied.
            Err(error) if error.kind == EvalErrorKind::Evaluation && self.function.steady && env.defers() => {
                Ok(self.symbolic(env, &dimensions))
            }
            result => result,
        }
    }
}

impl Function {
    /// The function as a rule.
    fn symbolic<'a>(&'a self, env: &mut Env<'a>, dimensions: &[Dimension<'a>]) -> Value<'a> {
        let domain = match dimensions {
            [(_, set, _)] => *set,
            many => {
                let sets: Vec<_> = many.iter().map(|d| d.1).collect();
                sets::product(env, &sets)
            }
        };
        close(env, &self.function, self.number, domain)
    }

    /// With the values for all arguments.
    fn listed<'a>(&'a self, env: &mut Env<'a>, dimensions: &[Dimension<'a>]) -> Result<Value<'a>> {
        let [(_, set, _)] = dimensions else { return self.product(env, dimensions) };
        let domain = sets::elements(env, *set).map_err(|e| e.at(self.place))?;
        let values = env.arena().alloc_slice_fill_copy(domain.len(), Value::Bool(false));
        for (value, element) in values.iter_mut().zip(domain) {
            self.function.bind(env, *element).map_err(|e| e.at(self.place))?;
            *value = self.function.body.eval(env)?;
        }
        Ok(build::function(env, domain, values))
    }

    /// Several indices: the domain is a set of tuples.
    fn product<'a>(&'a self, env: &mut Env<'a>, dimensions: &[Dimension<'a>]) -> Result<Value<'a>> {
        let sets: Vec<_> = dimensions.iter().map(|d| d.1).collect();
        let product = sets::product(env, &sets);
        let domain = sets::elements(env, product).map_err(|e| e.at(self.place))?;
        let values = env.arena().alloc_slice_fill_copy(domain.len(), Value::Bool(false));
        for (value, element) in values.iter_mut().zip(domain) {
            self.function.bind(env, *element).map_err(|e| e.at(self.place))?;
            *value = self.function.body.eval(env)?;
        }
        Ok(build::function(env, domain, values))
    }
}

/// `f[e]`.
#[derive(Debug)]
pub(crate) struct Apply {
    pub(crate) function: Code,
    pub(crate) argument: Code,
    /// The function is written as a rule, which TLC has listed the values of (`Some(false)`) or not.
    pub(crate) rule: Option<bool>,
    pub(crate) place: Place,
}

impl Apply {
    /// The function without its values being listed, after that has failed: perhaps the one that is asked for does not.
    #[cold]
    fn unlisted<'a>(&'a self, env: &mut Env<'a>, error: Box<EvalError>) -> Result<Value<'a>> {
        if env.deferring || env.made.is_some() || error.kind != EvalErrorKind::Evaluation {
            return Err(error);
        }
        env.deferring = true;
        let function = self.function.eval(env);
        env.deferring = false;
        function.map_err(|_| error)
    }

    /// For TLC a function that is written as a rule is none that was listed, also if its values are those of a tuple.
    #[cold]
    fn reworded<'a>(
        &self,
        env: &mut Env<'a>,
        (function, argument): (Value<'a>, Value<'a>),
        error: Box<EvalError>,
    ) -> Box<EvalError> {
        let outside = match (function, argument) {
            (Value::Tuple(_), Value::Int(_)) | (Value::Record(_), Value::String(_)) => true,
            (Value::Function(_), _) => error.message.starts_with("Attempted to apply function:"),
            _ => false,
        };
        match self.rule.filter(|_| outside) {
            Some(rule) => functions::outside::<(), _>(env, function, argument, rule).err().unwrap_or(error),
            None => error,
        }
    }
}

impl Node for Apply {
    #[inline]
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let function = match self.function.eval(env) {
            Ok(function) => function,
            Err(error) => self.unlisted(env, error)?,
        };
        let argument = self.argument.eval(env)?;
        functions::apply(env, function, argument)
            .map_err(|e| self.reworded(env, (function, argument), e).at(self.place))
    }
}

/// `r.a`.
#[derive(Debug)]
pub(crate) struct Select {
    pub(crate) record: Code,
    pub(crate) field: Symbol,
    pub(crate) record_place: Place,
    /// The record is written as a function `[x \in S |-> e]`.
    pub(crate) function: bool,
    pub(crate) place: Place,
}

impl Node for Select {
    #[inline]
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let record = self.record.eval(env)?;
        functions::select(env, record, self.field).map_err(|error| {
            let outside = self.function && matches!(record, Value::Record(_));
            let reworded = outside
                .then(|| functions::outside::<(), _>(env, record, Value::String(self.field), false).err())
                .flatten();
            reworded.unwrap_or_else(|| error.at(self.place))
        })
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        vec![Operand::new(&self.record, self.record_place)]
    }
}

/// A step into a function.
#[derive(Debug)]
pub(crate) enum Step {
    Index(Code),
    Field(Symbol),
}

/// One `![a].b = e`.
#[derive(Debug)]
pub(crate) struct Update {
    pub(crate) path: Vec<Step>,
    /// Where `@` is kept while the value is computed.
    pub(crate) at: u32,
    pub(crate) value: Code,
}

/// `[f EXCEPT ...]`.
#[derive(Debug)]
pub(crate) struct Except {
    pub(crate) function: Code,
    pub(crate) updates: Vec<Update>,
    pub(crate) place: Place,
    pub(crate) missed: Missed,
}

/// What is said of an EXCEPT that names something outside of the domain.
#[derive(Debug)]
pub(crate) struct Missed {
    /// Where the function stands, in TLC's words.
    pub(crate) place: Box<str>,
    pub(crate) told: AtomicBool,
}

impl Missed {
    #[cold]
    fn tell(&self, env: &Env<'_>) {
        if !self.told.swap(true, Ordering::Relaxed) {
            let text = format!("The EXCEPT was applied to non-existing fields of the value at\n{}", self.place);
            env.program.world.warn(2144, &text);
        }
    }
}

impl Node for Except {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let mut value = self.function.eval(env)?;
        for update in &self.updates {
            value = self.update(env, value, &update.path, update)?;
        }
        Ok(value)
    }
}

impl Except {
    fn update<'a>(
        &'a self,
        env: &mut Env<'a>,
        old: Value<'a>,
        path: &'a [Step],
        update: &'a Update,
    ) -> Result<Value<'a>> {
        let Some((step, rest)) = path.split_first() else {
            env.set_slot(update.at, old);
            return update.value.eval(env);
        };
        let located = |e: Box<EvalError>| e.at(self.place);
        if !matches!(old, Value::Tuple(_) | Value::Record(_) | Value::Function(_) | Value::Closure(_)) {
            // The index of what is no function is not evaluated.
            functions::lookup(env, old, Value::Bool(false)).map_err(located)?;
        }
        let key = match step {
            Step::Index(code) => code.eval(env)?,
            Step::Field(field) => Value::String(*field),
        };
        let Some(inner) = functions::lookup(env, old, key).map_err(located)? else {
            // TLC warns (2144) and leaves the function as it is.
            self.missed.tell(env);
            return Ok(old);
        };
        let new = self.update(env, inner, rest, update)?;
        Ok(functions::update(env, old, key, new).map_err(located)?.unwrap_or(old))
    }
}
