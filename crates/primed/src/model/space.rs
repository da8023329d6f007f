//! A model as a state space.

use bumpalo::Bump;
use primed_engine::env::Env;
use primed_engine::{Flow, Registers};
use primed_explore::space::{Expand, StateSpace, Visit, Visited, Visitor};
use primed_value::error::EvalError;
use primed_value::host::Result as Evaluated;
use primed_value::intern::{Interner, ValueId};
use primed_value::value::Value;

use crate::model::ModelChecker;
use crate::model::run::RunInfo;
use crate::model::symmetry::{Images, Symmetry};

/// In place of a value's number: the variable has none.
pub(super) const NO_VALUE: u32 = u32::MAX;

/// Why the model could not be searched on.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: Box<EvalError>,
    /// While this invariant was evaluated.
    pub(super) invariant: Option<usize>,
    /// The state that was looked at, if it is not on the path of the search yet.
    pub(super) state: Option<Vec<u32>>,
    /// The action that was being run.
    pub(super) action: u32,
}

impl From<Box<EvalError>> for Failure {
    fn from(error: Box<EvalError>) -> Failure {
        Failure { error, invariant: None, state: None, action: 0 }
    }
}

/// What is false: an invariant, by its number.
pub(super) type Violation = usize;

/// A model as a state space: rows of interned values.
pub(super) struct ModelSpace<'m> {
    pub(super) checker: &'m ModelChecker,
    pub(super) interner: Interner,
    /// How far the search is, for `TLCGet`.
    pub(super) run: RunInfo<'m>,
    /// What the assumptions left in TLCSet's registers: every worker begins with it.
    pub(super) registers: Registers,
    pub(super) symmetry: Symmetry,
    pub(super) short_circuit: bool,
}

/// What one worker keeps from state to state.
pub(super) struct Worker {
    arena: Bump,
    registers: Registers,
    images: Images,
}

/// What a state is checked for. It is not part of the state's own evaluation, so that its failures are told apart.
type Checked = Result<bool, Failure>;

impl ModelSpace<'_> {
    /// A state was generated: intern it, ask whether it is new, check it. The environment's next state is it (the current one,
    /// if `initial`). False ends the search.
    fn found<'a>(
        &'a self,
        env: &mut Env<'a>,
        initial: bool,
        before: &[u32],
        images: &mut Images,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Checked {
        let (row, key, inside) = match self.judge(env, initial, before, images) {
            Ok(judged) => judged,
            Err(error) => {
                // It was generated nevertheless.
                visitor.visit(Visit { row: &[], key: &[], inside: false, action: env.action() });
                return Err(error.into());
            }
        };
        let look = |env: &mut Env<'a>| {
            let visited = visitor.visit(Visit { row: &row, key: &key, inside, action: env.action() });
            Ok(if matches!(visited, Visited::Known(_)) { Ok(true) } else { self.invariants(env, &row, visitor) })
        };
        if initial { env.as_state(look) } else { env.in_next(look) }?
    }

    /// The state as a row, what it is told apart by, and whether the constraints allow it.
    fn judge<'a>(
        &'a self,
        env: &mut Env<'a>,
        initial: bool,
        before: &[u32],
        images: &mut Images,
    ) -> Evaluated<(Vec<u32>, Vec<u32>, bool)> {
        let row = self.row(env, initial, before)?;
        let mut inside = true;
        if !initial {
            for constraint in &self.checker.action_constraints {
                inside = inside && constraint.holds(env)?;
            }
        }
        let look = |env: &mut Env<'a>| {
            for constraint in &self.checker.constraints {
                inside = inside && constraint.holds(env)?;
            }
            self.key(env, &row, images)
        };
        let key = if initial { env.as_state(look) } else { env.in_next(look) }?;
        Ok((row, key, inside))
    }

    /// The ids of the state that was generated.
    fn row<'a>(&'a self, env: &mut Env<'a>, initial: bool, before: &[u32]) -> Evaluated<Vec<u32>> {
        let mut row = Vec::with_capacity(self.width());
        for variable in 0..self.width() {
            let state = if initial { env.current() } else { env.next() };
            let Some(value) = state[variable] else { continue };
            // What an UNCHANGED copied needs no look-up.
            let same = !initial && env.current()[variable].is_some_and(|old| same_word(old, value));
            row.push(match before.get(variable) {
                Some(id) if same => *id,
                _ => self.interner.intern(env, value)?.0,
            });
        }
        Ok(row)
    }

    /// What the current state is told apart by, if not by all its variables.
    fn key<'a>(&'a self, env: &mut Env<'a>, row: &[u32], images: &mut Images) -> Evaluated<Vec<u32>> {
        let Some(view) = &self.checker.view else {
            return match self.symmetry.is_trivial() {
                true => Ok(Vec::new()),
                false => self.symmetry.least(env, &self.interner, row, images),
            };
        };
        let value = match self.symmetry.is_trivial() {
            true => view.value(env)?,
            // TLC looks at the state that stands for all symmetric ones.
            false => {
                let least = self.symmetry.least(env, &self.interner, row, images)?;
                let values: Vec<Value<'a>> = least.iter().map(|id| self.interner.get(ValueId(*id))).collect();
                let outer: Vec<Option<Value<'a>>> = env.current().to_vec();
                env.set_current(&values);
                let value = view.value(env);
                outer.into_iter().enumerate().for_each(|(i, v)| env.set_current_variable(i, v));
                value?
            }
        };
        Ok(vec![self.interner.intern(env, value)?.0])
    }

    /// Checks the invariants of the current state.
    fn invariants<'a>(&'a self, env: &mut Env<'a>, row: &[u32], visitor: &mut dyn Visitor<Violation>) -> Checked {
        for (number, (_, invariant)) in self.checker.invariants.iter().enumerate() {
            match invariant.holds(env) {
                Ok(true) => {}
                // TLC reports the first that is false.
                Ok(false) => return Ok(visitor.violated(number, row, env.action())),
                Err(error) => {
                    return Err(Failure {
                        error,
                        invariant: Some(number),
                        state: Some(row.to_vec()),
                        action: env.action(),
                    });
                }
            }
        }
        Ok(true)
    }

    fn run<'a>(
        &'a self,
        worker: &'a mut Worker,
        expand: Option<Expand<'_>>,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Result<(), Failure> {
        let state = expand.map(|e| e.state);
        let Worker { arena, registers, images } = worker;
        arena.reset();
        let mut env = Env::new(&self.checker.program, arena);
        env.put_registers(std::mem::take(registers));
        env.set_run(&self.run);
        env.set_short_circuit(self.short_circuit);
        let relation = if state.is_some() { &self.checker.next.relation } else { &self.checker.init };
        env.set_level(1);
        if let Some(expand) = expand {
            let values: Vec<Value<'a>> = expand.state.iter().map(|id| self.interner.get(ValueId(*id))).collect();
            env.set_current(&values);
            env.set_level(expand.level as i64);
        }
        let mut end = Ok(true);
        let run = relation.each_partial(&mut env, &mut |env| {
            end = match env.incomplete() {
                Some(error) => {
                    // TLC counts it.
                    visitor.visit(Visit { row: &[], key: &[], inside: false, action: env.action() });
                    let state = Some(self.partial_row(env, state.is_none())?);
                    Err(Failure { error, invariant: None, state, action: env.action() })
                }
                None => self.found(env, state.is_none(), state.unwrap_or(&[]), images, visitor),
            };
            Ok(if matches!(end, Ok(true)) { Flow::Continue } else { Flow::Stop })
        });
        if env.exit_requested() {
            self.run.progress.stop();
        }
        *registers = env.take_registers();
        run.map_err(Failure::from).and_then(|_| end.map(|_| ()))
    }

    /// The ids of a state in which variables have no value.
    fn partial_row<'a>(&'a self, env: &mut Env<'a>, initial: bool) -> Evaluated<Vec<u32>> {
        let state = if initial { env.current() } else { env.next() }.to_vec();
        let id = |value: Option<Value<'a>>| value.map_or(Ok(NO_VALUE), |v| Ok(self.interner.intern(env, v)?.0));
        state.into_iter().map(id).collect()
    }
}

/// The same word: a scalar of the same value, or the same reference.
fn same_word<'a>(a: Value<'a>, b: Value<'a>) -> bool {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) => std::ptr::eq(a, b),
        (Value::Record(a), Value::Record(b)) => std::ptr::eq(a, b),
        (Value::Function(a), Value::Function(b)) => std::ptr::eq(a, b),
        (Value::Set(a), Value::Set(b)) => std::ptr::eq(a, b),
        _ => false,
    }
}

impl StateSpace for ModelSpace<'_> {
    type Worker = Worker;
    type Violation = Violation;
    type Failure = Failure;

    fn width(&self) -> usize {
        self.checker.model.variables.len()
    }

    fn key_width(&self) -> usize {
        match (&self.checker.view, self.symmetry.is_trivial()) {
            (Some(_), _) => 1,
            (None, false) => self.width(),
            (None, true) => 0,
        }
    }

    fn bytes(&self) -> usize {
        self.interner.allocated_bytes()
    }

    fn worker(&self) -> Worker {
        Worker { arena: Bump::new(), registers: self.registers.clone(), images: Images::default() }
    }

    fn initial(&self, worker: &mut Worker, visitor: &mut dyn Visitor<Violation>) -> Result<(), Failure> {
        self.run(worker, None, visitor)
    }

    fn successors(
        &self,
        worker: &mut Worker,
        expand: Expand<'_>,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Result<(), Failure> {
        self.run(worker, Some(expand), visitor)
    }
}
