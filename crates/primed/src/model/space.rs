//! A model as a state space.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bumpalo::Bump;
use primed_engine::compile::Expression;
use primed_engine::env::Env;
use primed_engine::{Flow, Memo, Predicate, Registers, SharedMemo};
use primed_explore::liveness::graph::Observed;
use primed_explore::liveness::normal::Problem;
use primed_explore::space::{Aftermath, Expand, StateSpace, Visit, Visited, Visitor};
use primed_value::error::EvalError;
use primed_value::host::Host;
use primed_value::host::Result as Evaluated;
use primed_value::intern::{Interner, ValueId};
use primed_value::value::Value;
use primed_value::{build, functions};

use crate::model::ModelChecker;
pub(super) use crate::model::failure::{Failure, Stage, Violation};
use crate::model::graph::Dumper;
use crate::model::judged::Judged;
use crate::model::properties::Checked as Formula;
use crate::model::run::RunInfo;
use crate::model::symmetry::{Images, Symmetry};
use crate::model::values::Values;

/// In place of a value's number: the variable has none.
pub(super) const NO_VALUE: u32 = u32::MAX;

/// A model as a state space: rows of interned values.
pub(super) struct ModelSpace<'m> {
    pub(super) checker: &'m ModelChecker,
    pub(super) interner: Interner,
    /// How far the search is, for `TLCGet`.
    pub(super) run: RunInfo<'m>,
    /// TLCSet's registers where no worker evaluates: what the assumptions left, then the initial states (every worker begins
    /// with it), and at the end what the workers left.
    pub(super) registers: Mutex<Registers>,
    pub(super) symmetry: Symmetry,
    /// [`crate::CheckSettings::all_ways`].
    pub(super) all_ways: bool,
    /// What all workers remember may have so many entries.
    pub(super) remembered: usize,
    /// `TLCSet("exit", TRUE)` was evaluated.
    pub(super) exited: AtomicBool,
    /// What a simulation draws among, once somebody asked.
    pub(super) choices: OnceLock<u32>,
    /// What they remember.
    pub(super) shared: OnceLock<Arc<SharedMemo>>,
    /// Most bytes of one evaluation's values.
    pub(super) memory: usize,
    /// Who receives the state graph.
    pub(super) graph: Option<Dumper<'m>>,
    /// The invariants and then the constraints, as a [`Memo`] knows them.
    pub(super) predicates: Vec<Predicate>,
    /// What tableaux ask of an initial state could not be evaluated; TLC looks at the others all the same.
    pub(super) unasked: Mutex<Option<Failure>>,
    /// What temporal properties asked of states that are not yet expanded.
    pub(super) foreseen: super::temporal::Foreseen,
    /// The values of variables, if they are counted.
    pub(super) values: Values,
}

/// What one worker keeps from state to state.
pub(super) struct Worker {
    pub(super) arena: Bump,
    pub(super) registers: Registers,
    images: Images,
    /// What it knows of what is remembered of parts of the next-state relation and of invariants; nothing if that is not allowed.
    memo: Option<Box<Memo>>,
}

/// What a state is checked for. It is not part of the state's own evaluation, so that its failures are told apart.
pub(super) type Checked = Result<bool, Failure>;

impl ModelSpace<'_> {
    /// A state was generated: intern it, ask whether it is new, check it. The environment's next state is it (the current one,
    /// if `initial`). False ends the search.
    pub(super) fn found<'a>(
        &'a self,
        env: &mut Env<'a>,
        initial: bool,
        before: &[u32],
        images: &mut Images,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Checked {
        if let Some(row) = env.given().map(<[u32]>::to_vec) {
            if self.is_plain() {
                return self.found_again(env, &row, visitor);
            }
            env.set_next(&values(&self.interner, env.arena(), &row));
            let checked = self.found_now(env, initial, before, images, visitor);
            // Those after it begin with nothing.
            env.clear_next();
            return checked;
        }
        let found = self.found_now(env, initial, before, images, visitor);
        if initial { found.map_err(|failure| self.shown_with(env, failure)) } else { found }
    }

    /// As [`ModelSpace::found`], of a state in which variables have no value.
    pub(super) fn found_incomplete<'a>(
        &'a self,
        env: &mut Env<'a>,
        error: Box<EvalError>,
        initial: bool,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Checked {
        // TLC counts it.
        visitor.visit(Visit { row: &[], key: &[], inside: false, action: env.action() });
        let state = Some(self.partial_row(env, initial)?);
        Err(Failure { state, action: env.action(), ..Failure::from(error) })
    }

    /// As [`ModelSpace::found`]; the next state has its values.
    fn found_now<'a>(
        &'a self,
        env: &mut Env<'a>,
        initial: bool,
        before: &[u32],
        images: &mut Images,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Checked {
        if self.counts() {
            self.run.live.generated();
        }
        let Judged { row, key, inside, late } = match self.judge(env, initial, before, images) {
            Ok(judged) => judged,
            Err(failure) => {
                // It was generated nevertheless.
                visitor.visit(Visit { row: &[], key: &[], inside: false, action: env.action() });
                return Err(failure);
            }
        };
        env.remember(&row);
        let mut fresh = false;
        let look = |env: &mut Env<'a>| {
            let visited = visitor.visit(Visit { row: &row, key: &key, inside, action: env.action() });
            if let Some(graph) = &self.graph {
                graph.found(self.checker, env, before, &row, visited);
            }
            if matches!(visited, Visited::Known(_)) {
                return Ok(Ok(true));
            }
            fresh = matches!(visited, Visited::New(_));
            if self.counts() && fresh {
                self.run.live.found(env.level().unsigned_abs());
                // TLC queues initial states before it checks them.
                if initial {
                    self.run.live.queued();
                }
            }
            if initial && inside && fresh {
                match self.begins(env, &row) {
                    Ok(true) => {}
                    // Nothing else is asked any more.
                    other => return Ok(other.map(|_| true)),
                }
            }
            Ok(self.checks(env, &row, initial, visitor).map_err(|failure| Failure { fresh, ..failure }))
        };
        let checked = self.in_state(env, initial, look)??;
        if fresh && !initial {
            self.values.found(&row, inside);
        }
        let checked = checked && (initial || self.stepped(env, &row, fresh, visitor)?);
        if fresh && !initial && self.counts() {
            self.run.live.queued();
        }
        match late {
            Some(failure) if checked => Err(*failure),
            _ => Ok(checked),
        }
    }

    /// As [`ModelSpace::steps`], of the state that was generated, which is new or not.
    fn stepped<'a>(
        &'a self,
        env: &mut Env<'a>,
        row: &[u32],
        fresh: bool,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Checked {
        let mut steps = |env: &mut Env<'a>| Ok(self.steps(env, row, visitor));
        env.as_state(&mut steps)?.map_err(|failure| Failure { fresh, ..failure })
    }

    /// Evaluates something of the state that was generated: it is the current one meanwhile.
    pub(super) fn in_state<'a, T>(
        &'a self,
        env: &mut Env<'a>,
        initial: bool,
        run: impl FnOnce(&mut Env<'a>) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let run = |env: &mut Env<'a>| {
            if self.knows_action() {
                let before = env.arrived_by();
                let action = self.checker.taken_action(env, initial);
                env.set_arrived_by(Some(action));
                let result = run(env);
                env.set_arrived_by(before);
                return result;
            }
            run(env)
        };
        let run = |env: &mut Env<'a>| {
            if !self.checker.asks_trace {
                return run(env);
            }
            let before = env.trace().unwrap_or(build::empty_tuple());
            let state = self.record(env);
            let trace = functions::as_sequence(env, before).unwrap_or_default();
            let trace = build::tuple_vec(env, [trace, &[state]].concat());
            env.set_trace(trace);
            let result = run(env);
            env.set_trace(before);
            result
        };
        if !initial {
            return env.in_successor(run);
        }
        let result = env.as_state(run);
        // Another state is looked for.
        env.forget_rows();
        result
    }

    /// What is found is counted state by state, for `TLCGet`.
    fn counts(&self) -> bool {
        self.checker.asks_run && self.run.workers == 1
    }

    /// `TLCGet("action")` is known, and asked for.
    fn knows_action(&self) -> bool {
        self.checker.asks_run && self.run.simulates()
    }

    /// Checks the invariants of the current state, and what has to hold of initial states.
    pub(super) fn checks<'a>(
        &'a self,
        env: &mut Env<'a>,
        row: &[u32],
        initial: bool,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Checked {
        let checker = self.checker;
        // What is stored has numbers, by which invariants are remembered.
        env.set_current(&values(&self.interner, env.arena(), row));
        env.tell_row(&self.interner, row);
        let known = |env: &mut Env<'a>, (_, formula): &'a Formula, number: usize| match self.predicates.get(number) {
            Some(predicate) => formula.holds_again(env, *predicate, row),
            None => formula.holds(env),
        };
        let go_on = each(
            env,
            (&checker.invariants, Stage::Invariant, initial && !self.run.simulates()),
            row,
            &known,
            &mut |number, action| visitor.violated(Violation::Invariant(number), row, action),
        )?;
        // A simulation, for TLC, does not look at what has to hold of initial states.
        if !initial || !go_on || self.run.simulates() {
            return Ok(go_on);
        }
        each(env, (&checker.properties.initial, Stage::Initial, true), row, &plainly, &mut |number, action| {
            visitor.violated(Violation::Initial(number), row, action)
        })
    }

    /// Checks what has to hold of steps: of every one that is generated.
    fn steps<'a>(&'a self, env: &mut Env<'a>, row: &[u32], visitor: &mut dyn Visitor<Violation>) -> Checked {
        if self.checker.properties.actions.is_empty() {
            return Ok(true);
        }
        // What is stored has numbers, by which state functions are remembered.
        env.with_next(&values(&self.interner, env.arena(), row), |env| {
            env.tell_next_row(row);
            let checked = each(
                env,
                (&self.checker.properties.actions, Stage::Action, false),
                row,
                &plainly,
                &mut |number, action| visitor.violated(Violation::Action(number), row, action),
            );
            env.tell_next_row(&[]);
            checked
        })
    }

    /// A copy of the registers.
    pub(super) fn registers(&self) -> Registers {
        self.registers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn keep_registers(&self, registers: Registers) {
        *self.registers.lock().unwrap_or_else(PoisonError::into_inner) = registers;
    }

    pub(super) fn run<'a>(
        &'a self,
        worker: &'a mut Worker,
        expand: Option<Expand<'_>>,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Result<(), Failure> {
        let state = expand.map(|e| e.state);
        let Worker { arena, registers, images, memo } = worker;
        arena.reset();
        let mut env = Env::new(&self.checker.program, arena);
        env.put_registers(std::mem::take(registers));
        env.limit_memory(self.memory);
        env.set_run(&self.run);
        let mut all_known = false;
        let relation = if state.is_some() { &self.checker.next.relation } else { &self.checker.init };
        env.set_level(1);
        if self.checker.asks_trace {
            let trace = self.trace_of(&mut env, &visitor.path());
            env.set_trace(trace);
        }
        if self.graph.is_some() || self.knows_action() {
            if self.knows_action() && expand.is_some() {
                let action = self.last_action(&mut env, &visitor.path());
                env.set_arrived_by(action);
                env.clear_next();
            }
            env.name_actions();
        }
        if expand.is_none()
            && let Some(memo) = memo.take()
        {
            env.put_memo(memo);
        }
        if let Some(expand) = expand {
            if !self.run.simulates() {
                env.seed_by_state(self.run.seed as u64);
            }
            let values = values(&self.interner, env.arena(), expand.state);
            env.set_current(&values);
            env.set_level(expand.level as i64);
            if let Some(mut memo) = memo.take() {
                all_known = memo.look_up(expand.state, &values);
                env.put_memo(memo);
                env.tell_row(&self.interner, expand.state);
            }
            if self.all_ways {
                env.follow_all_ways();
            }
            if let Some(action) = expand.action {
                env.only_action(action + 1);
            }
        }
        let mut end = Ok(true);
        if all_known && self.is_plain() {
            let result = self.all_found_again(&mut env, visitor);
            *memo = env.take_memo(false);
            *registers = env.take_registers();
            return result;
        }
        let mut found = |env: &mut Env<'a>| {
            // What is remembered was complete.
            let incomplete = if env.given().is_some() { None } else { env.incomplete() };
            end = match incomplete {
                Some(error) => self.found_incomplete(env, error, state.is_none(), visitor),
                None => self.found(env, state.is_none(), state.unwrap_or(&[]), images, visitor),
            };
            let goes_on = matches!(end, Ok(true)) && !visitor.is_over(env.arena().allocated_bytes());
            Ok(if goes_on { Flow::Continue } else { Flow::Stop })
        };
        let run = match self.deepens() && state.is_none() {
            true => {
                end = self.found_together(&mut env, images, visitor);
                Ok(Flow::Continue)
            }
            false => relation.each_partial(&mut env, &mut found),
        };
        visitor.passed(env.composed());
        if state.is_some() {
            *memo = env.take_memo(run.is_ok() && matches!(end, Ok(true)));
        } else {
            *memo = env.take_memo(false);
        }
        self.expanded(&env, matches!(end, Ok(true)));
        *registers = env.take_registers();
        run.map_err(Failure::from).and_then(|_| end.map(|_| ()))
    }

    /// An expansion is over; `complete` if nothing ended it.
    fn expanded(&self, env: &Env<'_>, complete: bool) {
        if env.exit_requested() {
            self.exited.store(true, Ordering::Relaxed);
            self.run.progress.stop();
        }
        if self.counts() && complete {
            self.run.live.done();
        }
    }
}

/// The values of a row; those that are not kept whole in the arena.
pub(super) fn values<'a>(interner: &'a Interner, arena: &'a Bump, row: &[u32]) -> Vec<Value<'a>> {
    row.iter().map(|id| interner.get(arena, ValueId(*id))).collect()
}

/// Checks formulas in the environment's states; `violated` says whether to go on after the first that is false.
fn each<'a>(
    env: &mut Env<'a>,
    (formulas, stage, all): (&'a [Formula], fn(usize) -> Stage, bool),
    row: &[u32],
    holds: &dyn Fn(&mut Env<'a>, &'a Formula, usize) -> Evaluated<bool>,
    violated: &mut dyn FnMut(usize, u32) -> bool,
) -> Checked {
    for (number, formula) in formulas.iter().enumerate() {
        match holds(env, formula, number) {
            Ok(true) => {}
            // TLC reports the first that is false, and of an initial state all, if it goes on after one.
            Ok(false) => {
                let go_on = violated(number, env.action());
                if !go_on || !all {
                    return Ok(go_on);
                }
            }
            Err(error) => {
                let (stage, state) = (stage(number), Some(row.to_vec()));
                return Err(Failure { stage, state, action: env.action(), ..Failure::from(error) });
            }
        }
    }
    Ok(true)
}

/// A formula is evaluated as it stands.
fn plainly<'a>(env: &mut Env<'a>, (_, formula): &'a Formula, _: usize) -> Evaluated<bool> {
    formula.holds(env)
}

/// Whether all are true; those behind the first that is not are not evaluated.
pub(super) fn all_hold<'a>(env: &mut Env<'a>, constraints: &'a [Expression]) -> Evaluated<bool> {
    for constraint in constraints {
        if !constraint.holds(env)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl StateSpace for ModelSpace<'_> {
    type Worker = Worker;
    type Violation = Violation;
    type Failure = Failure;

    fn width(&self) -> usize {
        self.checker.model.variables.len()
    }

    /// TLC does not go on where an initial state has not what a property asks of it, with `-continue` either.
    fn ends(&self, violation: &Violation) -> bool {
        matches!(violation, Violation::Initial(_))
    }

    fn key_width(&self) -> usize {
        match (&self.checker.view, self.symmetry.is_trivial()) {
            (Some(_), _) => 1,
            (None, false) => self.width(),
            (None, true) => 0,
        }
    }

    fn actions(&self) -> u32 {
        self.checker.next.actions.len() as u32
    }

    fn choices(&self) -> u32 {
        *self.choices.get_or_init(|| self.checker.choices())
    }

    fn bytes(&self) -> usize {
        self.interner.allocated_bytes() + self.graph.as_ref().map_or(0, Dumper::bytes)
    }

    fn worker(&self) -> Worker {
        let registers = self.registers().for_worker();
        Worker { arena: Bump::new(), registers, images: Images::default(), memo: self.memo() }
    }

    fn initial(&self, worker: &mut Worker, visitor: &mut dyn Visitor<Violation>) -> Result<(), Failure> {
        // All workers have what is set while initial states are generated.
        worker.registers = self.registers();
        let result = self.run(worker, None, visitor);
        let registers = std::mem::take(&mut worker.registers);
        worker.registers = registers.for_worker();
        self.keep_registers(registers);
        let unasked = self.unasked.lock().unwrap_or_else(PoisonError::into_inner).take();
        result.and(unasked.map_or(Ok(()), Err))
    }

    fn save(&self, workers: &[&Worker], out: &mut dyn Write) -> io::Result<()> {
        // Without a VIEW, those that have no canonical form are in no state that is stored.
        if self.checker.view.is_some() && !self.interner.holds_none() {
            return Err(io::Error::other("states have values that cannot be written: sets without order, say"));
        }
        self.write(workers.iter().map(|w| &w.registers), out)
    }

    fn restore(&self, input: &mut dyn Read) -> io::Result<Vec<Worker>> {
        let registers = self.read(input)?;
        let worker = |registers| Worker { arena: Bump::new(), registers, images: Images::default(), memo: self.memo() };
        Ok(registers.into_iter().map(worker).collect())
    }

    fn save_violation(&self, violation: &Violation, out: &mut dyn Write) -> io::Result<()> {
        violation.write(out)
    }

    fn restore_violation(&self, input: &mut dyn Read) -> io::Result<Violation> {
        Violation::read(input)
    }

    fn ended(&self, workers: Vec<Worker>) {
        if let Some(registers) = Registers::of_workers(workers.into_iter().map(|w| w.registers).collect()) {
            self.keep_registers(registers);
        }
    }

    fn successors(
        &self,
        worker: &mut Worker,
        expand: Expand<'_>,
        visitor: &mut dyn Visitor<Violation>,
    ) -> Result<(), Failure> {
        match self.deepens() {
            true => self.found_by_action(worker, expand, visitor),
            false => self.run(worker, Some(expand), visitor),
        }
    }

    fn after(&self, failure: &Failure) -> Aftermath {
        failure.aftermath()
    }

    fn look_ahead(&self, worker: &mut Worker, _: &Problem, expand: Expand<'_>, fresh: &[u32]) -> Result<(), Failure> {
        self.foreseen(worker, expand, fresh)
    }

    fn observe(
        &self,
        worker: &mut Worker,
        problem: &Problem,
        expand: Expand<'_>,
        successors: &[u32],
        observed: &mut Observed,
    ) -> Result<(), Failure> {
        self.observed(worker, expand, problem, successors, observed)
    }
}
