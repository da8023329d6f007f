//! Quantifiers, CHOOSE, filtered and mapped sets.

use std::sync::Arc;

use primed_value::build;
use primed_value::error::{EvalError, EvalErrorKind, Place};
use primed_value::host::{Host, Result};
use primed_value::iterate::Elements;
use primed_value::value::{Closure, Lazy, Value};
use primed_value::{print, sets};

use crate::coverage::Counter;
use crate::env::Env;
use crate::env::aside::Condition;
use crate::explain::{Names, Witness};
use crate::node::{Code, Node, Operand};
use crate::nodes::ahead::ahead;
use crate::nodes::kind::KindTest;
use crate::nodes::logic::condition;
use crate::program::{FunctionCode, Pattern};

/// `x, y \in S`: the set once, the names in order.
#[derive(Debug)]
pub(crate) struct Range {
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) set: Code,
    pub(crate) place: Place,
    /// Counts the elements that are asked for, of a set that is made here, if somebody wants to know.
    pub(crate) cost: Option<Arc<Counter>>,
}

/// All groups of a quantifier.
#[derive(Debug)]
pub(crate) struct Ranges(pub(crate) Vec<Range>);

/// The elements that a body need not be asked about.
pub(crate) type Excluded = Option<KindTest>;

/// A name with the set it ranges over.
pub(crate) type Dimension<'a> = (&'a Pattern, Value<'a>, Place);

impl Ranges {
    /// Evaluates the sets in order, as a quantifier does it.
    pub(crate) fn listed<'a>(&'a self, env: &mut Env<'a>) -> Result<Vec<Dimension<'a>>> {
        self.evaluated(env, ahead)
    }

    /// Evaluates the sets in order, as a function takes them for its domain.
    pub(crate) fn dimensions<'a>(&'a self, env: &mut Env<'a>) -> Result<Vec<Dimension<'a>>> {
        self.evaluated(env, |_, set, _| Ok(set))
    }

    fn evaluated<'a>(
        &'a self,
        env: &mut Env<'a>,
        settle: impl Fn(&mut Env<'a>, Value<'a>, Place) -> Result<Value<'a>>,
    ) -> Result<Vec<Dimension<'a>>> {
        let mut dimensions = Vec::with_capacity(self.0.len());
        for range in &self.0 {
            let set = range.set.eval(env)?;
            let set = settle(env, set, range.place)?;
            dimensions.extend(range.patterns.iter().map(|p| (p, set, range.place)));
        }
        Ok(dimensions)
    }

    /// Runs `body` for every combination, the first name changing fastest, until it says stop.
    #[inline]
    pub(crate) fn each<'a>(
        &'a self,
        env: &mut Env<'a>,
        body: &mut dyn FnMut(&mut Env<'a>) -> Result<bool>,
    ) -> Result<bool> {
        self.each_but(env, None, body)
    }

    /// As [`Ranges::each`], but for elements that are excluded, where there is one name.
    #[inline]
    pub(crate) fn each_but<'a>(
        &'a self,
        env: &mut Env<'a>,
        excluded: Excluded,
        body: &mut dyn FnMut(&mut Env<'a>) -> Result<bool>,
    ) -> Result<bool> {
        if let [Range { patterns, set, place, cost }] = self.0.as_slice()
            && let [pattern] = patterns.as_slice()
        {
            let set = set.eval(env)?;
            let set = ahead(env, set, *place)?;
            let excluded = KindTest::applicable(excluded, env);
            if let Some(counter) = cost {
                // TLC asks for the next element before it looks at one.
                let mut asked = 1;
                let result = each_element(env, (pattern, set, *place), excluded, &mut |env| {
                    asked += 1;
                    body(env)
                });
                counter.spend(asked);
                return result;
            }
            return each_element(env, (pattern, set, *place), excluded, body);
        }
        let dimensions = self.listed(env)?;
        // An empty set anywhere means that no combination exists; the others must still be sets that can be enumerated.
        let mut none = false;
        for (_, set, place) in &dimensions {
            let mut elements = Elements::new(env, *set).map_err(|e| env.gone_through(*set, e).at(*place))?;
            none |= elements.next(env)?.is_none();
        }
        if none {
            return Ok(true);
        }
        nested(env, &dimensions, body)
    }
}

fn each_element<'a>(
    env: &mut Env<'a>,
    (pattern, set, place): Dimension<'a>,
    excluded: Excluded,
    body: &mut dyn FnMut(&mut Env<'a>) -> Result<bool>,
) -> Result<bool> {
    let mut elements = Elements::new(env, set).map_err(|e| env.gone_through(set, e).at(place))?;
    let mut count = 0u32;
    while let Some(element) = elements.next(env)? {
        count = count.wrapping_add(1);
        if count.is_multiple_of(CHECKED) {
            checked(env).map_err(|e| e.at(place))?;
        }
        if excluded.is_some_and(|test| test.excludes(element)) {
            continue;
        }
        pattern.bind(env, element).map_err(|e| e.at(place))?;
        if !body(env)? {
            return Ok(false);
        }
    }
    env.spend(u64::from(count % CHECKED)).map_err(|e| e.at(place))?;
    Ok(true)
}

/// After so many elements it is looked whether the evaluation may go on.
const CHECKED: u32 = 1024;

/// So many more elements have been gone through.
fn checked(env: &mut Env<'_>) -> Result<()> {
    primed_value::limits::check_memory(env)?;
    env.spend(u64::from(CHECKED))
}

fn nested<'a>(
    env: &mut Env<'a>,
    dimensions: &[Dimension<'a>],
    body: &mut dyn FnMut(&mut Env<'a>) -> Result<bool>,
) -> Result<bool> {
    match dimensions {
        [] => body(env),
        [inner @ .., outer] => each_element(env, *outer, None, &mut |env| nested(env, inner, body)),
    }
}

/// `\A` or `\E` over sets.
#[derive(Debug)]
pub(crate) struct Quantified {
    pub(crate) forall: bool,
    pub(crate) ranges: Ranges,
    pub(crate) excluded: Excluded,
    /// The names that it binds, for an explanation.
    pub(crate) names: Names,
    pub(crate) body: Code,
    pub(crate) place: Place,
}

impl Node for Quantified {
    condition!();

    fn test<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        let (forall, body) = (self.forall, &self.body);
        let body = Condition::Test(&**body);
        let completed = self.ranges.each_but(env, self.excluded, &mut |env| Ok(env.ask(body)? == forall));
        match completed {
            Ok(completed) => Ok(completed == forall),
            Err(error) => Err(not_decided(error, self.place)),
        }
    }

    fn operands(&self) -> Vec<Operand<'_>> {
        self.ranges.0.iter().map(|r| Operand::new(&r.set, r.place)).collect()
    }

    fn witness<'a>(&'a self, env: &mut Env<'a>, value: bool, found: &mut Witness) {
        // The one element that makes it false, or true; or how many do not.
        let (decisive, body) = (!self.forall, Condition::Test(&*self.body));
        let mut tried = 0usize;
        let completed = self.ranges.each(env, &mut |env| {
            tried = tried.saturating_add(1);
            Ok(env.ask(body)? != decisive)
        });
        match completed {
            Ok(false) if value == decisive => {
                found.bound(env, &self.names);
                found.inside(env, &*self.body, value);
            }
            Ok(true) if value != decisive && !self.forall => {
                found.tried(&self.names, tried);
                if tried == 0 {
                    found.part(env, self.operands());
                }
            }
            _ => found.part(env, self.operands()),
        }
    }
}

/// A body that is no Boolean; in it, that has been told of another quantifier.
#[cold]
fn not_decided(error: Box<EvalError>, place: Place) -> Box<EvalError> {
    if error.code == 2215 && error.told.is_none() { error.told(" ", place) } else { error }
}

/// A quantifier or CHOOSE without a set, which TLC does not evaluate.
#[derive(Debug)]
pub(crate) struct Unbounded {
    pub(crate) what: &'static str,
    pub(crate) place: Place,
}

impl Node for Unbounded {
    fn eval<'a>(&'a self, _: &mut Env<'a>) -> Result<Value<'a>> {
        let form = match self.what {
            "CHOOSE" => "CHOOSE x \\in S: P(x)",
            "\\A" => "\\A x \\in S: P(x)",
            _ => "\\E x \\in S: P(x)",
        };
        let message = format!(
            "TLC attempted to evaluate an unbounded {}.\nMake sure that the expression is of form {form}.",
            self.what
        );
        Err(EvalError::new(1000, message).told("\n", self.place))
    }
}

/// Runs over the elements of an enumerable set in TLC's order as long as it is told to. Those that come in order anyway are not
/// listed first: there may be more than a set may have.
#[inline]
fn each_listed<'a>(
    env: &mut Env<'a>,
    set: Value<'a>,
    place: Place,
    mut run: impl FnMut(&mut Env<'a>, Value<'a>) -> Result<bool>,
) -> Result<()> {
    if let Value::Interval((low, high)) = set {
        for (count, n) in (1_u32..).zip(*low..=*high) {
            if count.is_multiple_of(CHECKED) {
                checked(env).map_err(|e| e.at(place))?;
            }
            if !run(env, Value::Int(n))? {
                break;
            }
        }
        return Ok(());
    }
    if matches!(set, Value::Lazy(_)) && sets::comes_sorted(set) {
        let mut elements = Elements::new(env, set).map_err(|e| env.gone_through(set, e).at(place))?;
        let mut count = 0u32;
        while let Some(element) = elements.next(env).map_err(|e| e.at(place))? {
            count = count.wrapping_add(1);
            if count.is_multiple_of(CHECKED) {
                checked(env).map_err(|e| e.at(place))?;
            }
            if !run(env, element)? {
                break;
            }
        }
        return Ok(());
    }
    for element in sets::elements(env, set).map_err(|e| e.at(place))? {
        if !run(env, *element)? {
            break;
        }
    }
    Ok(())
}

/// `CHOOSE x \in S : P`: the first element, in TLC's order, that satisfies P.
#[derive(Debug)]
pub(crate) struct Choose {
    pub(crate) pattern: Pattern,
    pub(crate) set: Code,
    pub(crate) body: Code,
    pub(crate) place: Place,
}

impl Node for Choose {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let set = self.set.eval(env)?;
        if !sets::is_enumerable(set) {
            return Err(not_choosable().told("\n", self.place));
        }
        let set = ahead(env, set, self.place)?;
        let mut chosen = None;
        each_listed(env, set, self.place, |env, element| {
            self.pattern.bind(env, element).map_err(|e| e.at(self.place))?;
            let holds = env.ask(Condition::Test(&*self.body));
            if holds.map_err(|error| not_decided(error, self.place))? {
                chosen = Some(element);
            }
            Ok(chosen.is_none())
        })?;
        if let Some(element) = chosen {
            return Ok(element);
        }
        Err(none_chosen().told("\n", self.place))
    }
}

/// The set of a CHOOSE cannot be listed.
#[cold]
pub(crate) fn not_choosable() -> Box<EvalError> {
    let message =
        "Attempted to compute the value of an expression of\nform CHOOSE x \\in S: P, but S was not enumerable.";
    EvalError::new(1000, message)
}

/// Nothing satisfies a CHOOSE.
#[cold]
pub(crate) fn none_chosen() -> Box<EvalError> {
    let message =
        "Attempted to compute the value of an expression of form\nCHOOSE x \\in S: P, but no element of S satisfied P.";
    EvalError::new(1000, message)
}

/// `{x \in S : P}`.
#[derive(Debug)]
pub(crate) struct Filter {
    pub(crate) set: Code,
    /// P with the pattern of x.
    pub(crate) function: Arc<FunctionCode>,
    pub(crate) number: usize,
    pub(crate) excluded: Excluded,
    /// Where the predicate stands.
    pub(crate) predicate: Place,
    /// To evaluate the predicate changes nothing: it may be done for more elements than TLC does it for.
    pub(crate) pure: bool,
    pub(crate) place: Place,
    /// [`Range::cost`].
    pub(crate) cost: Option<Arc<Counter>>,
}

/// Larger sets that TLC goes through when they are listed are not gone through before: often only one element is asked for.
const LISTED: usize = 1 << 14;

impl Node for Filter {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let set = self.set.eval(env)?;
        // TLC looks at the elements at once only where they are at hand. To do so always is faster, and the difference shows only
        // with sets that cannot be listed, or whose elements the predicate does not fit.
        if sets::is_reducible(set) {
            return self.listed(env, set);
        }
        if !self.pure || !sets::is_small(set, env.limits.set_size.min(LISTED)) {
            return Ok(self.symbolic(env, set));
        }
        match self.listed(env, set) {
            Err(error) if !matches!(error.kind, EvalErrorKind::Limit | EvalErrorKind::Forbidden) => {
                Ok(self.symbolic(env, set))
            }
            result => result,
        }
    }

    fn has<'a>(&'a self, env: &mut Env<'a>, element: Value<'a>) -> Result<bool> {
        let set = self.set.eval(env)?;
        if sets::is_reducible(set) {
            // TLC looks at every element, and fails on any that the predicate does not fit.
            let kept = self.listed(env, set)?;
            return sets::member(env, element, kept);
        }
        if !sets::member(env, element, set)? {
            return Ok(false);
        }
        self.function.bind(env, element).map_err(|e| e.at(self.place))?;
        self.holds(env).map_err(|error| sets::undecided(env, element, set, error))
    }
}

impl Filter {
    /// Whether the predicate holds for the element that is bound.
    #[inline]
    fn holds<'a>(&'a self, env: &mut Env<'a>) -> Result<bool> {
        // What fails there fails again, and says in which words a predicate does.
        if env.is_crowded()
            && let Ok(holds) = env.ask(Condition::Test(&*self.function.body))
        {
            return Ok(holds);
        }
        match self.function.body.eval(env)? {
            Value::Bool(holds) => Ok(holds),
            other => Err(self.not_boolean(other)),
        }
    }

    #[cold]
    fn not_boolean(&self, predicate: Value<'_>) -> Box<EvalError> {
        let kind = print::kind_name(predicate);
        let message = format!("Attempted to evaluate an expression of form {{x \\in S : P(x)}} when P was {kind}.");
        EvalError::new(1000, message).told("\n", self.predicate)
    }

    /// The filter as a rule.
    fn symbolic<'a>(&'a self, env: &mut Env<'a>, set: Value<'a>) -> Value<'a> {
        match close(env, &self.function, self.number, set) {
            Value::Closure(closure) => build::lazy(env, Lazy::Filter(set, closure)),
            other => other,
        }
    }

    /// The elements that satisfy the predicate.
    fn listed<'a>(&'a self, env: &mut Env<'a>, set: Value<'a>) -> Result<Value<'a>> {
        let (mut kept, mut count) = (Vec::new(), 0);
        let limit = env.limits.set_size;
        let excluded = KindTest::applicable(self.excluded, env);
        each_listed(env, set, self.place, |env, element| {
            count += 1;
            if excluded.is_some_and(|test| test.excludes(element)) {
                return Ok(true);
            }
            self.function.bind(env, element).map_err(|e| e.at(self.place))?;
            match self.holds(env)? {
                true if kept.len() == limit => Err(too_large(limit).at(self.place)),
                true => {
                    kept.push(element);
                    Ok(true)
                }
                false => Ok(true),
            }
        })?;
        if let Some(counter) = &self.cost {
            counter.spend(count as u64 + 1);
        }
        // Everything is kept. An interval, say, has been listed by now: TLC prints it so.
        if kept.len() == count && matches!(set, Value::Set(_)) {
            return Ok(set);
        }
        let kept = primed_value::host::Host::arena(env).alloc_slice_copy(&kept);
        Ok(build::set_sorted(env, kept))
    }
}

/// A closure over the current frame.
pub(crate) fn close<'a>(env: &mut Env<'a>, function: &'a FunctionCode, code: usize, domain: Value<'a>) -> Value<'a> {
    let frame = env.snapshot(function.frame.size());
    let arena = primed_value::host::Host::arena(env);
    let (state, next): (&[_], &[_]) = match function.state {
        true => (arena.alloc_slice_copy(&env.current), arena.alloc_slice_copy(&env.next)),
        false => (&[], &[]),
    };
    Value::Closure(arena.alloc(Closure { code, domain, frame, state, next, updates: &[] }))
}

/// `{e : x \in S, ...}`.
#[derive(Debug)]
pub(crate) struct Map {
    pub(crate) ranges: Ranges,
    pub(crate) body: Code,
    pub(crate) place: Place,
}

impl Node for Map {
    fn eval<'a>(&'a self, env: &mut Env<'a>) -> Result<Value<'a>> {
        let mut items = Vec::new();
        let limit = env.limits.set_size;
        self.ranges.each(env, &mut |env| {
            items.push(self.body.eval(env)?);
            if items.len() > limit {
                return Err(too_large(limit).at(self.place));
            }
            Ok(true)
        })?;
        build::set(env, items).map_err(|e| e.at(self.place))
    }
}

#[cold]
fn too_large(limit: usize) -> Box<EvalError> {
    let message = format!("Attempted to construct a set with too many elements (>{limit}).");
    EvalError::of_kind(primed_value::error::EvalErrorKind::Limit, 1000, message)
}
