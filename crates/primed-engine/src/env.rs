//! What code runs in: states, frames, the trail.

pub(crate) mod aside;
mod host;
mod states;

use std::sync::Arc;

use bumpalo::Bump;
use hashbrown::HashMap;
use primed_value::error::{EvalError, EvalErrorKind};
use primed_value::host::{Limits, Result};
use primed_value::value::Value;

use crate::env::host::List;
use crate::explain::Explaining;
use crate::memo::{Memo, Rows};
use crate::natives::registers::Registers;
use crate::nodes::once::Found;
use crate::nodes::passed::PassedAction;
use crate::nodes::placed::Made;
use crate::nodes::tagged::TakenParameter;
use crate::program::Program;
use crate::world::Run;

/// A place in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot<'a> {
    /// Not yet computed, or never bound.
    Empty,
    /// A value.
    Value(Value<'a>),
    /// An argument not yet needed: its code, and the frame it was written in.
    Thunk(&'a ThunkCode, u32),
    /// An argument not yet needed that was passed on: where it was passed first.
    Link(u32),
}

/// An argument passed by need.
#[derive(Debug)]
pub(crate) struct ThunkCode {
    pub(crate) code: crate::node::Code,
    /// It may depend on the state being found, if that is the current one.
    pub(crate) reads_current: bool,
    /// It may depend on the state being found, if that is the next one.
    pub(crate) reads_next: bool,
    /// The same as an action, if states are found by it where its parameter stands for a conjunct.
    pub(crate) action: Option<PassedAction>,
}

/// What to undo when an enumeration goes back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Undo<'a> {
    /// A variable of the state that is being found.
    Variable(u32),
    /// A slot that was filled with something that depends on that state.
    Slot(usize),
    /// A slot with an argument that was computed: its code, and the frame it was written in.
    Argument(usize, &'a ThunkCode, u32),
}

/// Which state an enumeration fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// None: plain evaluation.
    Nothing,
    /// The current state (initial predicates).
    Current,
    /// The next state.
    Next,
}

/// The environment of one worker.
pub struct Env<'a> {
    pub(crate) program: &'a Program,
    pub(crate) arena: &'a Bump,
    pub(crate) limits: Limits,
    pub(crate) slots: Vec<Slot<'a>>,
    pub(crate) base: usize,
    pub(crate) current: Vec<Option<Value<'a>>>,
    pub(crate) next: Vec<Option<Value<'a>>>,
    /// A state without values.
    nothing: Vec<Option<Value<'a>>>,
    /// How many variables of the state being found still lack a value.
    pub(crate) open: usize,
    pub(crate) finding: Finding,
    /// How many ENABLED are around.
    pub(crate) enabled: u32,
    pub(crate) trail: Vec<Undo<'a>>,
    depth: u32,
    /// A function that is only applied is evaluated: its values are not listed.
    pub(crate) deferring: bool,
    /// How many steps are left ([`Limits::steps`]).
    pub(crate) steps: u64,
    /// Values of definitions that depend on the run (the process environment), by global number.
    pub(crate) run_values: Vec<(usize, Value<'a>)>,
    /// Entries of the process environment for this run only; they hide the world's.
    pub(crate) variables: Vec<(String, String)>,
    /// Parameters of a named action that the caller fixes.
    pub(crate) given: Vec<Option<Value<'a>>>,
    pub(crate) explaining: Option<Box<Explaining>>,
    /// The action that is being run, of those that the next-state relation is split into; 0 for none.
    pub(crate) action: u32,
    /// Only this action is run, by its number among those that [`crate::compile::SplitRelation::list`] finds; 0 for all.
    pub(crate) only: u32,
    /// How many of them were come by since.
    pub(crate) passed_by: u32,
    /// What is evaluated was evaluated before: it prints nothing.
    pub(crate) muted: bool,
    /// What is left of an action when every variable has its value is followed way by way, not taken as a condition.
    pub(crate) all_ways: bool,
    /// The values of its parameters, if somebody wants to know.
    pub(crate) taken: Option<Vec<(Arc<str>, TakenParameter<'a>)>>,
    /// What TLCExt!CounterExample is.
    pub(crate) counterexample: Option<Value<'a>>,
    /// What TLCExt!Trace is.
    pub(crate) trace: Option<Value<'a>>,
    /// What TLCSet stored.
    pub(crate) registers: Registers,
    /// States in between that compositions of actions have gone through.
    pub(crate) composed: u64,
    /// The level of the current state, 1 for initial ones; 0 if nobody has said.
    pub(crate) level: i64,
    /// What TLCGet answers about the run.
    pub(crate) run: Option<&'a dyn Run>,
    /// `TLCGet("action")`: the action that led to the current state, if it is known.
    pub(crate) arrived_by: Option<Value<'a>>,
    /// The first random number that is asked for begins a stream of its own, of this seed and the current state.
    pub(crate) seed_by_state: Option<u64>,
    /// The actions that the next-state relation is split into are only listed, not run.
    pub(crate) listing: bool,
    /// What definitions that take long gave last ([`crate::nodes::once`]).
    pub(crate) found: Vec<Option<Found<'a>>>,
    /// What was remembered, while the successors of a state are found with it.
    pub(crate) memo: Option<Box<Memo>>,
    /// What is read is noted.
    pub(crate) watching: bool,
    /// What filtered sets held that were gone through, by the addresses of their closures: these live as long as the environment.
    pub(crate) lists: HashMap<usize, List<'a>, ahash::RandomState>,
    /// Where values were made and which of them were operands, while places are told.
    pub(crate) made: Option<Box<Made<'a>>>,
    /// The rows of both states, while they are those of a step whose states are stored.
    pub(crate) rows: Option<Box<Rows<'a>>>,
}

impl std::fmt::Debug for Env<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Env").field("current", &self.current).field("next", &self.next).finish_non_exhaustive()
    }
}

/// An argument whose evaluation failed was used after all.
pub(crate) const UNUSABLE: &str = "an argument whose evaluation failed was used";

/// Bytes of stack that must be left before a nested call, and the size of a new piece.
const RED_ZONE: usize = 256 << 10;
const STACK_PIECE: usize = 8 << 20;

impl<'a> Env<'a> {
    /// An environment with no state.
    pub fn new(program: &'a Program, arena: &'a Bump) -> Env<'a> {
        let variables = program.variables();
        Env {
            program,
            arena,
            limits: program.limits,
            slots: Vec::new(),
            base: 0,
            current: vec![None; variables],
            next: vec![None; variables],
            nothing: Vec::new(),
            open: 0,
            finding: Finding::Nothing,
            enabled: 0,
            trail: Vec::new(),
            depth: 0,
            steps: program.limits.steps,
            deferring: false,
            run_values: Vec::new(),
            variables: Vec::new(),
            given: Vec::new(),
            explaining: None,
            action: 0,
            only: 0,
            passed_by: 0,
            muted: false,
            all_ways: false,
            taken: None,
            counterexample: None,
            trace: None,
            registers: Registers::default(),
            composed: 0,
            level: 0,
            run: None,
            arrived_by: None,
            seed_by_state: None,
            listing: false,
            found: Vec::new(),
            memo: None,
            watching: false,
            // A random hasher would cost a counter that all workers share; these keys are addresses, nobody's choice.
            lists: HashMap::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4)),
            made: None,
            rows: None,
        }
    }

    /// Sets the current state.
    pub fn set_current(&mut self, state: &[Value<'a>]) {
        self.current.clear();
        self.current.extend(state.iter().map(|v| Some(*v)));
    }

    /// Sets the next state.
    pub fn set_next(&mut self, state: &[Value<'a>]) {
        self.next.clear();
        self.next.extend(state.iter().map(|v| Some(*v)));
    }

    /// Forgets the next state.
    pub fn clear_next(&mut self) {
        self.next.iter_mut().for_each(|v| *v = None);
    }

    /// The current state; `None` where a variable has no value.
    pub fn current(&self) -> &[Option<Value<'a>>] {
        &self.current
    }

    /// The next state; `None` where a variable has no value.
    pub fn next(&self) -> &[Option<Value<'a>>] {
        &self.next
    }

    /// Gives one variable of the current state a value, or takes it away.
    pub fn set_current_variable(&mut self, variable: usize, value: Option<Value<'a>>) {
        self.current[variable] = value;
    }

    /// Gives one variable of the next state a value, or takes it away.
    pub fn set_next_variable(&mut self, variable: usize, value: Option<Value<'a>>) {
        self.next[variable] = value;
    }

    /// Fixes parameters of a named action, in order; `None` leaves one to its range.
    pub fn give(&mut self, parameters: &[Option<Value<'a>>]) {
        self.given.clear();
        self.given.extend_from_slice(parameters);
    }

    /// Sets a variable of the process environment for this run, as `IOEnv` shows it.
    pub fn set_variable(&mut self, name: &str, value: &str) {
        self.variables.retain(|(n, _)| n != name);
        self.variables.push((name.into(), value.into()));
        self.run_values.clear();
    }

    /// Values may take at most so many bytes, if that is less than the program allows.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.limits.memory = self.limits.memory.min(bytes);
    }

    /// Tells the level of the current state, 1 for an initial one, for `TLCGet("level")`.
    pub fn set_level(&mut self, level: i64) {
        self.level = level;
    }

    /// The level of the current state.
    pub fn level(&self) -> i64 {
        self.level
    }

    /// The action that found the state that was found last, by its number in [`crate::compile::SplitRelation`]; 0 for none.
    pub fn action(&self) -> u32 {
        self.action
    }

    /// Tells the action that found a state.
    pub fn set_action(&mut self, action: u32) {
        self.action = action;
    }

    /// Follows what is left of an action way by way even when every variable has its value: a state is then found once for each
    /// way in which that can be true. TLC does so with `-nowarning`. Initial states are not concerned.
    pub fn follow_all_ways(&mut self) {
        self.all_ways = true;
    }

    /// Leaves out all other actions than this one when the relation is run next: the first that
    /// [`crate::compile::SplitRelation::list`] finds has number 1.
    pub fn only_action(&mut self, action: u32) {
        (self.only, self.passed_by) = (action, 0);
    }

    /// Whether what is evaluated from now on prints nothing, since it was evaluated before.
    pub fn mute(&mut self, muted: bool) {
        self.muted = muted;
    }

    /// Keeps the values of the parameters of actions that are run from now on.
    pub fn name_actions(&mut self) {
        self.taken = Some(Vec::new());
    }

    /// The parameters of the action that is being run, with their values; empty if they are not kept.
    pub fn taken(&self) -> &[(Arc<str>, TakenParameter<'a>)] {
        self.taken.as_deref().unwrap_or(&[])
    }

    /// Tells what `TLCExt!CounterExample` is.
    pub fn set_counterexample(&mut self, counterexample: Value<'a>) {
        self.counterexample = Some(counterexample);
    }

    /// Tells what `TLCExt!Trace` is: the states up to the current one.
    pub fn set_trace(&mut self, trace: Value<'a>) {
        self.trace = Some(trace);
    }

    /// What `TLCExt!Trace` is.
    pub fn trace(&self) -> Option<Value<'a>> {
        self.trace
    }

    /// The complaint about the state that was found, if a variable of it has no value (2106, 2109).
    pub fn incomplete(&self) -> Option<Box<EvalError>> {
        (self.open > 0).then(|| crate::actions::incomplete(self, self.finding == Finding::Current))
    }

    /// Every variable of the state that is being found has a value, and what remains is a plain condition.
    #[inline]
    pub(crate) fn complete(&self) -> bool {
        self.open == 0 && (!self.all_ways || self.finding == Finding::Current)
    }

    /// Tells who answers `TLCGet` about the run.
    pub fn set_run(&mut self, run: &'a dyn Run) {
        self.run = Some(run);
    }

    /// Gives the environment the registers of an earlier one.
    pub fn put_registers(&mut self, registers: Registers) {
        self.registers = registers;
    }

    /// Takes the registers, for the next environment.
    pub fn take_registers(&mut self) -> Registers {
        std::mem::take(&mut self.registers)
    }

    /// How many states in between the compositions `A \cdot B` have gone through; TLC counts them as generated.
    pub fn composed(&self) -> u64 {
        self.composed
    }

    /// Whether `TLCSet("exit", TRUE)` was evaluated.
    pub fn exit_requested(&self) -> bool {
        self.registers.exit
    }

    /// The next random numbers depend on this seed and on the state that is current when the first is asked for.
    pub fn seed_by_state(&mut self, seed: u64) {
        self.seed_by_state = Some(seed);
    }

    /// What `TLCGet("action")` is.
    pub fn arrived_by(&self) -> Option<Value<'a>> {
        self.arrived_by
    }

    /// Tells what `TLCGet("action")` is.
    pub fn set_arrived_by(&mut self, action: Option<Value<'a>>) {
        self.arrived_by = action;
    }

    /// Runs outside any search for a state: what is evaluated sees the states as they are.
    ///
    /// # Errors
    /// Whatever `run` gives.
    pub fn as_state<T>(&mut self, run: impl FnOnce(&mut Env<'a>) -> Result<T>) -> Result<T> {
        let outer = (std::mem::replace(&mut self.finding, Finding::Nothing), std::mem::take(&mut self.trail));
        let result = run(self);
        (self.finding, self.trail) = outer;
        result
    }

    /// Looks for next states inside an evaluation: the next state is `given`, what is undone or explained outside is out of reach,
    /// and states in between are not counted.
    ///
    /// # Errors
    /// Whatever `run` gives.
    pub(crate) fn finding_next<T>(
        &mut self,
        given: Vec<Option<Value<'a>>>,
        run: impl FnOnce(&mut Env<'a>) -> Result<T>,
    ) -> Result<T> {
        let watched = if self.watching { self.watch_another(given.len()) } else { None };
        let open = given.iter().filter(|v| v.is_none()).count();
        let outer = (
            std::mem::replace(&mut self.next, given),
            std::mem::replace(&mut self.open, open),
            std::mem::replace(&mut self.finding, Finding::Next),
            std::mem::take(&mut self.trail),
            (self.explaining.take(), self.rows.take()),
            self.composed,
        );
        let result = run(self);
        // LET values that read the tentative next state must not survive it.
        self.undo(0);
        (self.next, self.open, self.finding, self.trail, (self.explaining, self.rows), self.composed) = outer;
        self.watch_first(watched);
        result
    }

    /// Runs without a limit on the size of sets.
    pub fn with_any_set<T>(&mut self, run: impl FnOnce(&mut Env<'a>) -> T) -> T {
        let limit = std::mem::replace(&mut self.limits.set_size, usize::MAX);
        let result = run(self);
        self.limits.set_size = limit;
        result
    }

    /// Runs code in a fresh frame of the given size.
    pub(crate) fn in_frame<T>(&mut self, size: usize, run: impl FnOnce(&mut Env<'a>) -> Result<T>) -> Result<T> {
        let (base, top) = (self.base, self.slots.len());
        self.slots.resize(top + size, Slot::Empty);
        self.base = top;
        let result = run(self);
        self.slots.truncate(top);
        self.base = base;
        result
    }

    /// One call deeper, with more stack if need be.
    pub(crate) fn deeper<T>(&mut self, run: impl FnOnce(&mut Env<'a>) -> Result<T>) -> Result<T> {
        if self.depth >= self.limits.depth {
            return Err(self.too_deep());
        }
        primed_value::host::Host::spend(self, 1)?;
        self.depth += 1;
        let result = stacker::maybe_grow(RED_ZONE, STACK_PIECE, || run(self));
        self.depth -= 1;
        result
    }

    /// Nested too deep, or without end.
    #[cold]
    pub(crate) fn too_deep(&self) -> Box<EvalError> {
        let message = format!("StackOverflow: evaluation is nested more than {} calls deep", self.limits.depth);
        EvalError::of_kind(EvalErrorKind::StackOverflow, 1005, message)
    }

    /// The values in the arena.
    pub(crate) fn copied(&self, values: &[Value<'a>]) -> &'a [Value<'a>] {
        self.arena.alloc_slice_copy(values)
    }

    #[inline]
    pub(crate) fn slot(&self, slot: u32) -> Slot<'a> {
        self.slots[self.base + slot as usize]
    }

    #[inline]
    pub(crate) fn set_slot(&mut self, slot: u32, value: Value<'a>) {
        let i = self.base + slot as usize;
        self.slots[i] = Slot::Value(value);
    }

    #[inline]
    pub(crate) fn clear_slot(&mut self, slot: u32) {
        let i = self.base + slot as usize;
        self.slots[i] = Slot::Empty;
    }

    /// The value in a parameter's slot, computed now if it was passed by need. If it depends on the state that is being found, it is
    /// kept only until the enumeration goes back.
    pub(crate) fn force_slot(&mut self, slot: u32) -> Result<Value<'a>> {
        let at = self.base + slot as usize;
        let (first, code, base) = match self.slots[at] {
            Slot::Value(value) => return Ok(value),
            Slot::Thunk(code, base) => (at, code, base),
            // What is linked to is never a link itself.
            Slot::Link(first) => match self.slots.get(first as usize) {
                Some(Slot::Value(value)) => return Ok(*value),
                Some(Slot::Thunk(code, base)) => (first as usize, *code, *base),
                _ => return Err(EvalError::new(1000, UNUSABLE)),
            },
            Slot::Empty => return Err(EvalError::new(1000, UNUSABLE)),
        };
        let here = std::mem::replace(&mut self.base, base as usize);
        let value = self.deeper(|env| code.code.eval(env));
        self.base = here;
        let value = value?;
        let volatile = match self.finding {
            Finding::Nothing => false,
            Finding::Current => code.reads_current,
            Finding::Next => code.reads_next,
        };
        self.slots[first] = Slot::Value(value);
        match volatile {
            true => self.trail.push(Undo::Argument(first, code, base)),
            false => self.slots[at] = Slot::Value(value),
        }
        Ok(value)
    }

    /// The argument in a parameter's slot, if it has not been computed yet, and the frame that it was written in.
    pub(crate) fn not_computed(&self, slot: u32) -> Option<(&'a ThunkCode, usize)> {
        let held = match self.slot(slot) {
            Slot::Link(first) => self.slots.get(first as usize).copied()?,
            held => held,
        };
        match held {
            Slot::Thunk(code, base) => Some((code, base as usize)),
            _ => None,
        }
    }

    /// What a slot holds, to be passed on: computed or not, it is computed only once.
    pub(crate) fn passed_on(&self, slot: u32) -> Slot<'a> {
        match self.slot(slot) {
            Slot::Thunk(..) => Slot::Link((self.base + slot as usize) as u32),
            Slot::Link(first) => match self.slots.get(first as usize) {
                Some(Slot::Value(value)) => Slot::Value(*value),
                _ => Slot::Link(first),
            },
            other => other,
        }
    }

    /// Undoes everything since the trail had this length.
    #[inline]
    pub(crate) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Variable(v)) => {
                    let state = if self.finding == Finding::Current { &mut self.current } else { &mut self.next };
                    state[v as usize] = None;
                    self.open += 1;
                }
                Some(Undo::Slot(i)) => {
                    if let Some(slot) = self.slots.get_mut(i) {
                        *slot = Slot::Empty;
                    }
                }
                Some(Undo::Argument(i, code, base)) => {
                    if let Some(slot) = self.slots.get_mut(i) {
                        *slot = Slot::Thunk(code, base);
                    }
                }
                None => return,
            }
        }
    }

    /// The frame as a closure captures it.
    pub(crate) fn snapshot(&mut self, size: usize) -> &'a [Option<Value<'a>>] {
        let frame = (0..size as u32).map(|i| match self.slot(i) {
            Slot::Value(value) => Some(value),
            // An argument that fails is reported when, and if, the closure needs it.
            Slot::Thunk(..) | Slot::Link(_) => self.force_slot(i).ok(),
            Slot::Empty => None,
        });
        let frame: Vec<_> = frame.collect();
        self.arena.alloc_slice_copy(&frame)
    }
}
