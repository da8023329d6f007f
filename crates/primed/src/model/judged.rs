//! What a state that was generated is for the search: its row, what it is told apart by, whether the constraints allow it.

use std::sync::PoisonError;

use primed_engine::env::Env;
use primed_explore::space::StateSpace;
use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::held;
use primed_value::host::{Host, Result as Evaluated};
use primed_value::intern::same_word;
use primed_value::print;
use primed_value::value::{Lazy, Value};

use crate::model::failure::{Failure, Stage};
use crate::model::space::{ModelSpace, NO_VALUE, all_hold, values};
use crate::model::symmetry::Images;

/// A state that was generated, seen by the search.
pub(super) struct Judged {
    pub(super) row: Vec<u32>,
    /// What it is told apart by ([`StateSpace::key_width`]), if it is stored.
    pub(super) key: Vec<u32>,
    /// The constraints allow it.
    pub(super) inside: bool,
    /// They cannot be evaluated; that is told after everything else about the state.
    pub(super) late: Option<Box<Failure>>,
}

impl ModelSpace<'_> {
    /// What the state is for the search. Only one that is stored must have a canonical form; of the others TLC puts no value
    /// into order.
    pub(super) fn judge<'a>(
        &'a self,
        env: &mut Env<'a>,
        initial: bool,
        before: &[u32],
        images: &mut Images,
    ) -> Result<Judged, Failure> {
        let (row, unordered) = match self.row(env, initial, before, false) {
            Ok(row) => (row, None),
            Err(error) => (self.row(env, initial, before, true)?, Some(error)),
        };
        let simulates = self.run.simulates();
        // The state is known, and belongs to what is told of a failure.
        let told = initial || !simulates;
        let of_state = |error, action| Failure { state: told.then(|| row.clone()), action, ..Failure::from(error) };
        let (inside, late) = match self.inside(env, initial).map_err(|error| of_state(error, env.action())) {
            Ok(inside) => (inside, None),
            // A simulation asks for constraints last.
            Err(failure) if simulates => (false, Some(Box::new(failure))),
            Err(failure) => return Err(failure),
        };
        if inside && unordered.is_some() {
            let named = |failure| Failure { state: initial.then(|| row.clone()), ..failure };
            self.unordered(env, initial, unordered)
                .map_err(|failure| if failure.unshown { failure } else { named(failure) })?;
        }
        let key = match self.key_width() {
            0 => Vec::new(),
            _ if !inside || simulates => Vec::new(),
            _ => {
                let key = self.in_state(env, initial, |env| self.key(env, &row, images));
                // TLC has taken no step to a state that it cannot tell apart from others.
                key.map_err(|error| if initial { of_state(error, 0) } else { Failure::from(error) })?
            }
        };
        Ok(Judged { row, key, inside, late })
    }

    /// A state that the search goes on from has no canonical form, for this reason: TLC has no fingerprint for it either. With a VIEW
    /// it takes none of the state, and in a simulation of no state; enumerated sets are put into order nevertheless, in a
    /// simulation those of initial states, when all have been generated.
    fn unordered<'a>(&'a self, env: &mut Env<'a>, initial: bool, why: Option<Box<EvalError>>) -> Result<(), Failure> {
        let simulates = self.run.simulates();
        let seen = self.checker.view.is_some() && self.symmetry.is_trivial();
        let why = match simulates || seen {
            true if simulates && !initial => None,
            true => {
                let state = if initial { env.current() } else { env.next() };
                let values: Vec<Value<'a>> = state.iter().copied().flatten().collect();
                values.into_iter().try_for_each(|value| held::put_into_order(env, value)).err()
            }
            false => why,
        };
        let Some(error) = why else { return Ok(()) };
        let compared = error.kind == EvalErrorKind::Evaluation && error.message.starts_with("Attempted to compare");
        let unshown = initial && (compared || simulates);
        let unstored = initial && !simulates && !env.current().iter().copied().flatten().any(is_unplaced);
        let failure = Failure { unshown, unstored, ..Failure::from(error) };
        if simulates {
            self.unasked.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
            return Ok(());
        }
        Err(failure)
    }

    /// A failure that TLC tells with the initial state that it was met in. If that cannot be shown, because what can be listed of it
    /// is listed for that, this is what it tells.
    #[cold]
    pub(super) fn shown_with<'a>(&'a self, env: &mut Env<'a>, failure: Failure) -> Failure {
        let told = failure.state.is_some() && failure.stage != Stage::Temporal && !failure.error.is_of_module();
        if !told || failure.unshown || self.run.simulates() {
            return failure;
        }
        let values: Vec<Value<'a>> = env.current().iter().copied().flatten().collect();
        match values.into_iter().try_for_each(|value| print::print(env, value).map(|_| ())) {
            Ok(()) => failure,
            Err(error) => Failure { unshown: true, ..Failure::from(error) },
        }
    }

    /// The id of a variable's value. TLC bounds the size of sets that an expression makes, not of those that a state has.
    pub(super) fn kept<'a>(&'a self, env: &mut Env<'a>, value: Value<'a>) -> Evaluated<u32> {
        let kept = match self.interner.intern(env, value) {
            Err(error) if error.kind == EvalErrorKind::Limit => {
                env.with_any_set(|env| self.interner.intern(env, value))
            }
            kept => kept,
        };
        Ok(kept?.0)
    }

    /// Whether the state satisfies the constraints, and then the step to it the action constraints.
    fn inside<'a>(&'a self, env: &mut Env<'a>, initial: bool) -> Evaluated<bool> {
        let constraints = |env: &mut Env<'a>| all_hold(env, &self.checker.constraints);
        let inside = self.checker.constraints.is_empty() || self.in_state(env, initial, constraints)?;
        Ok(inside && (initial || all_hold(env, &self.checker.action_constraints)?))
    }

    /// The ids of the state that was generated; if it is `held`, of its values as they stand.
    fn row<'a>(&'a self, env: &mut Env<'a>, initial: bool, before: &[u32], held: bool) -> Evaluated<Vec<u32>> {
        let mut row = Vec::with_capacity(self.width());
        for variable in 0..self.width() {
            let state = if initial { env.current() } else { env.next() };
            let Some(value) = state[variable] else { continue };
            // What an UNCHANGED copied needs no look-up.
            let same = !initial && env.current()[variable].is_some_and(|old| same_word(old, value));
            row.push(match before.get(variable) {
                Some(id) if same => *id,
                _ if held => self.interner.hold(env, value)?.0,
                _ => self.kept(env, value)?,
            });
        }
        Ok(row)
    }

    /// What the current state is told apart by, if not by all its variables ([`StateSpace::key_width`]).
    pub(super) fn key<'a>(&'a self, env: &mut Env<'a>, row: &[u32], images: &mut Images) -> Evaluated<Vec<u32>> {
        let Some(view) = &self.checker.view else {
            return self.symmetry.least(env, &self.interner, row, images);
        };
        let value = match self.symmetry.is_trivial() {
            true => view.value(env)?,
            // TLC looks at the state that stands for all symmetric ones.
            false => {
                let least = self.symmetry.least(env, &self.interner, row, images)?;
                env.with_current(&values(&self.interner, env.arena(), &least), |env| view.value(env))?
            }
        };
        Ok(vec![self.interner.intern(env, value)?.0])
    }

    /// The ids of a state in which variables have no value.
    pub(super) fn partial_row<'a>(&'a self, env: &mut Env<'a>, initial: bool) -> Evaluated<Vec<u32>> {
        let state = if initial { env.current() } else { env.next() }.to_vec();
        let id = |value: Option<Value<'a>>| value.map_or(Ok(NO_VALUE), |v| Ok(self.interner.hold(env, v)?.0));
        state.into_iter().map(id).collect()
    }
}

/// TLC does not know where such a value was made, and generates no more initial states after one that has it and cannot be stored.
fn is_unplaced(value: Value<'_>) -> bool {
    match value {
        Value::Closure(_) => true,
        Value::Lazy(lazy) => matches!(
            lazy,
            Lazy::Nat | Lazy::Int | Lazy::Real | Lazy::String | Lazy::Any | Lazy::Sequences(_) | Lazy::Filter(..)
        ),
        _ => false,
    }
}
