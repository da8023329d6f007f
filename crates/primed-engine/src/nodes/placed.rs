//! Code that tells an error where it was met.

use primed_value::compare;
use primed_value::error::{EvalError, EvalErrorKind, Place};
use primed_value::host::Result;
use primed_value::intern::same_word;
use primed_value::iterate::Elements;
use primed_value::sets;
use primed_value::value::{Lazy, Value};

use crate::env::{Env, Finding};
use crate::explain::Witness;
use crate::guard;
use crate::node::{Action, Code, Cont, Flow, Node, Operand, Out};

/// Which values an error of an expression's own is met in: TLC knows where those were made that it calls a method of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// None: the expression itself complains.
    Nothing,
    /// The first operand; the second within it, if that cannot be put into order.
    Compared,
    /// The first operand, and the second within it.
    Both,
    /// The first operand.
    First,
    /// The first operand, a set that is gone through, if it cannot be put into order.
    Elements,
    /// The second operand.
    Second,
}

/// What an expression does with values, as far as errors tell of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handling {
    pub(crate) asks: Asks,
    /// The value that it makes knows where it was made.
    pub(crate) makes: bool,
    /// It is a function, whose values for arguments are this.
    pub(crate) body: Option<Place>,
    /// Its value is that of what it stands for.
    pub(crate) passes: bool,
}

/// Most values whose origin is kept.
const KEPT: usize = 1 << 16;

/// Where values were made.
#[derive(Debug, Default)]
pub(crate) struct Made<'a> {
    values: Vec<(Value<'a>, Place)>,
    /// The operands of the expressions under way, as far as they have values.
    operands: Vec<Value<'a>>,
    /// What is evaluated next is a function that is only applied: TLC does not list its values.
    applied: bool,
    /// The error under way was met when such a function was applied, which nothing is around but the application.
    deferred: bool,
}

impl<'a> Made<'a> {
    /// Scalars, and what TLC makes anew before it is used, know nothing.
    fn keep(&mut self, value: Value<'a>, place: Place) {
        let knows = match value {
            Value::Bool(_) | Value::Int(_) | Value::String(_) | Value::Model(_) | Value::Closure(_) => false,
            Value::Lazy(lazy) => !matches!(lazy, Lazy::Filter(..)),
            _ => true,
        };
        if knows && self.values.len() < KEPT {
            self.values.push((value, place));
        }
    }

    fn place(&self, value: Value<'a>) -> Option<Place> {
        self.values.iter().rev().find(|(known, _)| same_word(*known, value)).map(|(_, place)| *place)
    }
}

/// The parts of a value.
fn parts<'a>(value: Value<'a>) -> Vec<Value<'a>> {
    match value {
        Value::Tuple(tuple) => tuple.elements.to_vec(),
        Value::Record(record) => record.values.to_vec(),
        Value::Function(function) => function.values.to_vec(),
        Value::Set(set) => set.elements.to_vec(),
        Value::Mixed(items) => items.to_vec(),
        Value::Lazy(lazy) => match lazy {
            Lazy::Subset(set) | Lazy::Sequences(set) | Lazy::BigUnion(set) => vec![*set],
            Lazy::Functions(a, b) | Lazy::Union(a, b) | Lazy::Intersection(a, b) | Lazy::Difference(a, b) => {
                vec![*a, *b]
            }
            Lazy::Records(_, sets) | Lazy::Product(sets) => sets.to_vec(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// It cannot be put into order, or a part of it.
fn is_mixed(value: Value<'_>) -> bool {
    matches!(value, Value::Mixed(_)) || parts(value).into_iter().any(is_mixed)
}

impl<'a> Env<'a> {
    /// From now on it is kept where values are made.
    pub fn tell_values(&mut self) {
        self.made = Some(Box::default());
    }

    /// A function of which a value fails is left a rule: it is only applied.
    pub(crate) fn defers(&self) -> bool {
        self.deferring || self.made.as_ref().is_some_and(|made| made.applied)
    }

    /// The error of a value that was to be stored, with the places where it and the part that fails were made.
    pub fn within_value(&mut self, value: Value<'a>, error: Box<EvalError>) -> Box<EvalError> {
        let made = self.chain(value);
        error.in_values(&made)
    }

    /// The error of a set that was to be gone through; TLC could not even begin with it if its place is told, and those of its
    /// parts that are to blame.
    #[cold]
    pub(crate) fn gone_through(&mut self, set: Value<'a>, error: Box<EvalError>) -> Box<EvalError> {
        let told = self.made.is_some() && error.around.is_empty() && error.kind == EvalErrorKind::Evaluation;
        if !told || is_mixed(set) {
            return error;
        }
        let places = self.not_begun(set);
        error.in_values(&places)
    }

    /// The places of the set and of those of its parts that cannot be gone through, from the outside in.
    fn not_begun(&mut self, set: Value<'a>) -> Vec<Place> {
        let Value::Lazy(lazy) = set else { return Vec::new() };
        if !sets::is_enumerable(set) || Elements::new(self, set).is_ok() {
            return Vec::new();
        }
        let own = self.made.as_ref().and_then(|made| made.place(set));
        let parts = if let Lazy::Filter(of, _) = lazy { vec![*of] } else { parts(set) };
        let inner = parts.into_iter().map(|part| self.not_begun(part)).find(|places| !places.is_empty());
        own.into_iter().chain(inner.unwrap_or_default()).collect()
    }

    /// The places of the value and of the part of it that cannot be put into order, from the outside in.
    fn chain(&mut self, value: Value<'a>) -> Vec<Place> {
        let own = self.made.as_ref().and_then(|made| made.place(value));
        let parts = parts(value);
        let inner = match parts.iter().position(|v| is_mixed(*v)) {
            Some(mixed) => Some(parts[mixed]),
            // The first element that does not fit those before it is asked.
            None if matches!(value, Value::Mixed(_)) => (1..parts.len())
                .find(|i| parts[..*i].iter().any(|v| compare::compare(self, parts[*i], *v).is_err()))
                .map(|i| parts[i]),
            None => None,
        };
        own.into_iter().chain(inner.map(|v| self.chain(v)).unwrap_or_default()).collect()
    }
}

/// An expression with its place.
#[derive(Debug)]
pub(crate) struct PlacedCode {
    pub(crate) code: Code,
    pub(crate) place: Place,
    pub(crate) handling: Handling,
}

impl PlacedCode {
    /// Runs the code; what it met on the way are its operands.
    fn run<'a, T>(
        &'a self,
        env: &mut Env<'a>,
        run: impl FnOnce(&mut Env<'a>) -> Result<T>,
        value: impl FnOnce(&T) -> Value<'a>,
    ) -> Result<T> {
        let Some(made) = &mut env.made else { return run(env).map_err(|e| e.within(self.place)) };
        let (before, applied) = (made.operands.len(), made.applied);
        made.applied &= self.handling.passes;
        let result = run(env);
        let Some(made) = &mut env.made else { return result };
        match result {
            Ok(result) => {
                let value = value(&result);
                made.operands.truncate(before);
                made.operands.push(value);
                if self.handling.makes {
                    made.keep(value, self.place);
                }
                Ok(result)
            }
            Err(error) => {
                let operands = made.operands.split_off(before);
                Err(self.told(env, &operands, applied, error))
            }
        }
    }

    /// The error with what is around it.
    #[cold]
    fn told<'a>(
        &self,
        env: &mut Env<'a>,
        operands: &[Value<'a>],
        applied: bool,
        mut error: Box<EvalError>,
    ) -> Box<EvalError> {
        if let (Some(body), Some(inner)) = (self.handling.body, error.around.last()) {
            let inside = inner.file == body.file && body.start <= inner.start && inner.end <= body.end;
            error.of_value |= inside && !applied;
            if let (true, Some(made)) = (inside && applied, &mut env.made) {
                made.deferred = true;
            }
        }
        if applied
            && (self.handling.passes || self.handling.body.is_some())
            && env.made.as_ref().is_some_and(|m| m.deferred)
        {
            return error;
        }
        if error.around.is_empty() && error.kind == EvalErrorKind::Evaluation {
            let places = self.asked(env, operands);
            error = error.in_values(&places);
        }
        error.within(self.place)
    }

    /// Where the values were made that the expression's own error was met in.
    fn asked<'a>(&self, env: &mut Env<'a>, operands: &[Value<'a>]) -> Vec<Place> {
        let (first, second) = (operands.first().copied(), operands.get(1).copied());
        let of = |env: &mut Env<'a>, value: Option<Value<'a>>| value.map(|v| env.chain(v)).unwrap_or_default();
        match (self.handling.asks, second) {
            (Asks::Nothing, _) => Vec::new(),
            (Asks::Elements, _) if !first.is_some_and(is_mixed) => Vec::new(),
            (Asks::Second, _) => of(env, second),
            (Asks::Both, Some(_)) => [of(env, first), of(env, second)].concat(),
            (Asks::Compared, Some(right)) if is_mixed(right) && !first.is_some_and(is_mixed) => {
                [of(env, first), of(env, second)].concat()
            }
            _ => of(env, first),
        }
    }
}

impl Node for PlacedCode {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        self.run(env, |env| self.code.eval(env), |value| *value)
    }

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        self.run(env, |env| self.code.test(env), |holds| Value::Bool(*holds))
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        // The set itself was evaluated if nothing in it failed: the error is of who asks for the element.
        self.code.has(env, element).map_err(|e| match (e.around.is_empty(), self.handling.makes) {
            (true, false) => e,
            // A filter that is asked for an element has not been listed, and does not know where it was made.
            (true, true) if e.message.starts_with("Cannot decide if element") => e.within(self.place),
            (true, true) => e.in_values(&[self.place]),
            (false, _) => e.within(self.place),
        })
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.code.operands()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        self.code.witness(env, value, found);
    }
}

/// The function of an application: its values are not listed for it.
#[derive(Debug)]
pub(crate) struct AppliedCode(pub(crate) Code);

impl Node for AppliedCode {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        if let Some(made) = &mut env.made {
            made.applied = true;
        }
        let value = self.0.eval(env);
        if let Some(made) = &mut env.made {
            (made.applied, made.deferred) = (false, false);
        }
        value
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.0.operands()
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
