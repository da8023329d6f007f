//! The expressions around an evaluation error, nested as TLC tells them: what failed is evaluated once more, as TLC does, by code
//! that tells its places. Searching costs nothing more for it.

use std::cell::Cell;

use bumpalo::Bump;
use primed_engine::Flow;
use primed_engine::compile::{Compiler, Expression, Relation, SplitRelation};
use primed_engine::env::Env;
use primed_engine::program::Program;
use primed_explore::search::Step;
use primed_semantics::model::{Expr, ExprKind, Model};
use primed_value::error::{EvalError, EvalErrorKind, Place};
use primed_value::host::{Host, Result as Evaluated};
use primed_value::value::Value;

use crate::model::ModelChecker;
use crate::model::failure::{Failure, Stage};
use crate::model::properties::Properties;
use crate::model::report::Unfingerprinted;
use crate::model::space::{ModelSpace, values};
use crate::startup;

/// TLC's number for a failure inside of a Java override.
const OVERRIDE: u32 = 2154;

/// What is evaluated of a model, in the form that tells its places.
struct Placed {
    program: Program,
    init: Relation,
    next: SplitRelation,
    invariants: Vec<Expression>,
    constraints: Vec<Expression>,
    action_constraints: Vec<Expression>,
    properties: Properties,
    view: Option<Expression>,
    /// What failed was a value of a state, as it was stored.
    storing: Cell<bool>,
}

impl Placed {
    fn of(checker: &ModelChecker) -> Option<Placed> {
        let (model, world) = (&checker.model, checker.program.world());
        let search = startup::search(model).ok()?;
        let mut compiler = Compiler::new(model);
        compiler.tell_places();
        let (init, next) = (compiler.initial(defined(model, &search.init)), compiler.split(&search.next));
        let behaviour = &model.behaviour;
        let invariants = behaviour.invariants.iter().map(|i| compiler.expression(defined(model, &i.expr))).collect();
        let constraints = behaviour.constraints.iter().map(|c| compiler.expression(defined(model, &c.expr))).collect();
        let action_constraints =
            behaviour.action_constraints.iter().map(|c| compiler.expression(defined(model, &c.expr))).collect();
        let properties = Properties::compile(model, &mut compiler, world).ok()?;
        let view = behaviour.view.as_ref().map(|v| compiler.expression(&v.expr));
        let program = compiler.finish(*checker.program.limits(), world.clone());
        let storing = Cell::new(false);
        Some(Placed { program, init, next, invariants, constraints, action_constraints, properties, view, storing })
    }

    /// An invariant, by its number: those of the configuration come first.
    fn invariant(&self, number: usize) -> Option<&Expression> {
        let of_properties = || self.properties.invariants.get(number - self.invariants.len()).map(|(_, e)| e);
        self.invariants.get(number).or_else(of_properties)
    }

    /// What is evaluated of an initial state once it is found.
    fn checks<'a>(&'a self, env: &mut Env<'a>) -> Evaluated<()> {
        let of_properties = self.properties.invariants.iter().chain(&self.properties.initial).map(|(_, e)| e);
        for constraint in &self.constraints {
            constraint.holds(env)?;
        }
        if let Some(temporal) = &self.properties.temporal {
            temporal.begin(env)?;
        }
        for formula in self.invariants.iter().chain(of_properties) {
            formula.holds(env)?;
        }
        Ok(())
    }

    /// Whether the constraints allow the next state and the step to it.
    fn inside<'a>(&'a self, env: &mut Env<'a>) -> Evaluated<bool> {
        for constraint in &self.constraints {
            if !env.in_successor(|env| constraint.holds(env))? {
                return Ok(false);
            }
        }
        for constraint in &self.action_constraints {
            if !constraint.holds(env)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the VIEW gives for the current state, stored. TLC does not keep what is around an error in there.
    fn viewed<'a>(&'a self, env: &mut Env<'a>, space: &'a ModelSpace<'_>) -> Evaluated<()> {
        let Some(view) = &self.view else { return Ok(()) };
        view.value(env).and_then(|value| space.kept(env, value).map(|_| ())).map_err(|mut error| {
            (error.around, error.places, error.of_value) = (Vec::new(), Vec::new(), false);
            error
        })
    }

    /// The error again. `path` ends with the state whose successors were looked for; it is empty while initial states were.
    fn again<'a>(
        &'a self,
        env: &mut Env<'a>,
        space: &'a ModelSpace<'_>,
        failure: &Failure,
        path: &[Step],
    ) -> Evaluated<()> {
        let Some(last) = path.last() else {
            // The state whose error is told is not looked at again.
            let mut passed_over = failure.later.is_none();
            let mut stored = Ok(());
            let checked = self.init.each_partial(env, &mut |env| {
                match space.stored(env, true) {
                    Ok(()) => {}
                    Err(error) if error.of_value => {
                        stored = Err(error);
                        return Ok(Flow::Stop);
                    }
                    // Where it was made is not known: it is told with what is around the state.
                    error => return error.map(|()| Flow::Stop),
                }
                let checked = env.as_state(|env| self.viewed(env, space).and_then(|()| self.checks(env)));
                let told = passed_over;
                passed_over |= checked.is_err();
                if told { checked.map(|()| Flow::Continue) } else { Ok(Flow::Continue) }
            });
            self.storing.set(stored.is_err());
            return checked.and(stored);
        };
        if failure.stage == Stage::Temporal {
            return self.behaviour(env, &values(&space.interner, env.arena(), &last.row));
        }
        env.set_current(&values(&space.interner, env.arena(), &last.row));
        env.set_level(path.len() as i64);
        if failure.stage == Stage::States {
            let (mut stored, mut viewed) = (Ok(()), Ok(()));
            self.next.relation.each_partial(env, &mut |env| {
                let inside = if env.incomplete().is_some() { Ok(true) } else { self.inside(env) };
                if inside == Ok(true) {
                    stored = space.stored(env, false);
                }
                viewed = match inside {
                    Ok(true) if stored.is_ok() => env.in_successor(|env| self.viewed(env, space)),
                    inside => inside.map(|_| ()),
                };
                Ok(if stored.is_ok() && viewed.is_ok() { Flow::Continue } else { Flow::Stop })
            })?;
            self.storing.set(stored.is_err());
            stored.and(viewed)?;
        }
        let Some(state) = &failure.state else { return Ok(()) };
        env.set_next(&values(&space.interner, env.arena(), state));
        match failure.stage {
            Stage::Action(number) => {
                let formula = self.properties.actions.get(number).map(|(_, formula)| formula);
                formula.map_or(Ok(true), |formula| formula.holds(env))?;
            }
            Stage::Invariant(number) => {
                let formula = self.invariant(number);
                env.in_successor(|env| formula.map_or(Ok(true), |formula| formula.holds(env)))?;
            }
            Stage::States => {
                env.in_successor(|env| self.constraints.iter().try_for_each(|c| c.holds(env).map(|_| ())))?;
                self.action_constraints.iter().try_for_each(|c| c.holds(env).map(|_| ()))?;
                env.in_successor(|env| self.viewed(env, space))?;
            }
            Stage::Initial(_) | Stage::Temporal => {}
        }
        Ok(())
    }

    /// What temporal properties ask of a state, its steps and its successors.
    fn behaviour<'a>(&'a self, env: &mut Env<'a>, state: &[Value<'a>]) -> Evaluated<()> {
        let Some(temporal) = &self.properties.temporal else { return Ok(()) };
        let mut successors: Vec<Vec<Value<'a>>> = Vec::new();
        env.set_current(state);
        self.next.relation.each_partial(env, &mut |env| {
            successors.push(env.next().iter().copied().flatten().collect());
            Ok(Flow::Continue)
        })?;
        successors.push(state.to_vec());
        for successor in &successors {
            env.set_next(successor);
            temporal.of_step(env)?;
        }
        temporal.of_state(env)?;
        successors.iter().try_for_each(|successor| {
            env.set_current(successor);
            temporal.look_ahead(env).map(|_| ())
        })
    }
}

/// What a name of the configuration stands for.
fn defined<'m>(model: &'m Model, expr: &'m Expr) -> &'m Expr {
    match &*expr.kind {
        ExprKind::Call { definition, args } if args.is_empty() => &model.definition(*definition).body,
        _ => expr,
    }
}

impl ModelChecker {
    /// Tells an error with all places that are around what failed, innermost first, and in the words that TLC has where it walks
    /// an action; it is left as it is if it does not come again.
    pub(super) fn tell_around(&self, space: &ModelSpace<'_>, failure: &mut Failure, path: &[Step]) {
        let Some((again, stored)) = self.again(space, failure, path) else { return };
        let error = failure.later.as_ref().unwrap_or(&failure.error);
        let same = again.message == error.message;
        let wrapped = again.code == OVERRIDE && error.code != OVERRIDE;
        if !same && !again.places.first().zip(error.places.first()).is_some_and(|(a, b)| overlap(*a, *b)) {
            return;
        }
        if !again.around.is_empty() {
            failure.error.places = joined(&again);
        } else if failure.stage == Stage::Temporal || again.places.is_empty() {
            // An atom that is no operator applied has nothing around it.
            failure.error.places = Vec::new();
        }
        failure.wrapped = wrapped;
        if failure.later.is_none() && !wrapped {
            let error = &mut failure.error;
            // The place of such a set is told by the words alone.
            let bound = is_bound(&again).then(|| again.places.first().map(|place| ("\n", *place))).flatten();
            (error.code, error.message, error.told) = (again.code, again.message, again.told.or(bound));
        }
        failure.unfingerprinted = match (again.of_value, stored) {
            (false, _) => Unfingerprinted::No,
            (true, false) => Unfingerprinted::Used,
            (true, true) => Unfingerprinted::Stored,
        };
    }

    /// The error, when what failed is evaluated by code that tells its places, and whether it was met as a value of a state was
    /// stored; nothing if that makes no sense.
    fn again(&self, space: &ModelSpace<'_>, failure: &Failure, path: &[Step]) -> Option<(Box<EvalError>, bool)> {
        let error = &failure.error;
        // Who has reached a limit would reach it again, and of others there is nothing to tell.
        let told = matches!(
            error.kind,
            EvalErrorKind::Evaluation
                | EvalErrorKind::Assert
                | EvalErrorKind::Incomplete
                | EvalErrorKind::NotEnumerable
        );
        if !told || error.code == 2109 || space.run.simulates() {
            return None;
        }
        let placed = Placed::of(self)?;
        let arena = Bump::new();
        let mut env = Env::new(&placed.program, &arena);
        env.put_registers(space.registers());
        env.set_run(&space.run);
        env.seed_by_state(space.run.seed as u64);
        env.tell_values();
        let error = placed.again(&mut env, space, failure, path).err()?;
        Some((error, placed.storing.get()))
    }
}

impl ModelSpace<'_> {
    /// Stores the values of a state that was generated again, as far as it has any; an error tells in which of them it was met.
    fn stored<'a>(&'a self, env: &mut Env<'a>, initial: bool) -> Evaluated<()> {
        for variable in 0..self.checker.model.variables.len() {
            let state = if initial { env.current() } else { env.next() };
            let Some(value) = state[variable] else { continue };
            self.kept(env, value).map_err(|error| env.within_value(value, error))?;
        }
        Ok(())
    }
}

/// One of the places is in the other.
fn overlap(a: Place, b: Place) -> bool {
    let inside = |a: Place, b: Place| a.start <= b.start && b.end <= a.end;
    a.file == b.file && (inside(a, b) || inside(b, a))
}

/// It is about a set that names are bound over, which TLC has evaluated.
fn is_bound(error: &EvalError) -> bool {
    error.message.starts_with("TLC encountered a non-enumerable quantifier bound")
}

/// What is around the error, and the place in it if that is more exact.
fn joined(error: &EvalError) -> Vec<Place> {
    let (Some(innermost), Some(exact)) = (error.around.first(), error.places.first()) else {
        return error.around.clone();
    };
    // TLC is about to evaluate what is no Boolean then; a set that cannot be listed it has evaluated.
    if error.code == 2247 || is_bound(error) {
        return error.around.clone();
    }
    let inside = exact.file == innermost.file && innermost.start <= exact.start && exact.end <= innermost.end;
    match inside && exact != innermost {
        true => [std::slice::from_ref(exact), &error.around].concat(),
        false => error.around.clone(),
    }
}
