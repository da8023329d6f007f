//! Conditions that are evaluated in memory of their own, which is given back when the answer is known.
//!
//! Values are never freed one by one: what an evaluation makes stays until the worker's arena is emptied, when a state has been
//! expanded. Of a condition nothing is left but its answer, and where one is asked for every element of a large set what they
//! all leave behind is too much. Once an arena is crowded each is evaluated in an environment that lives no longer than it.

use bumpalo::Bump;
use primed_value::freeze;
use primed_value::host::Result;
use primed_value::intern::same_word;
use primed_value::value::Value;

use super::{Env, Slot, Undo};
use crate::node::{Action, Node};
use crate::nodes::once::Found;

/// What is asked.
#[derive(Clone, Copy)]
pub(crate) enum Condition<'a> {
    /// Whether this is true.
    Test(&'a dyn Node),
    /// Whether this holds in the states at hand.
    Holds(&'a dyn Action),
}

impl<'a> Condition<'a> {
    fn answer(self, env: &mut Env<'a>) -> Result<bool> {
        match self {
            Condition::Test(code) => code.test(env),
            Condition::Holds(action) => action.holds(env),
        }
    }
}

impl<'a> Env<'a> {
    /// Much is in use that cannot be given back before the whole evaluation has ended.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        self.arena.allocated_bytes() > self.limits.crowded
    }

    /// The answer of a condition; where the arena is crowded nothing that it needs remains there.
    ///
    /// # Errors
    /// Those of evaluating it.
    #[inline]
    pub(crate) fn ask(&mut self, condition: Condition<'a>) -> Result<bool> {
        if self.is_crowded() { self.ask_aside(condition) } else { condition.answer(self) }
    }

    #[cold]
    fn ask_aside(&mut self, condition: Condition<'a>) -> Result<bool> {
        let arena = Bump::new();
        let mut inner = self.lend(&arena);
        let answer = condition.answer(&mut inner);
        let Env {
            slots,
            trail,
            found,
            variables,
            explaining,
            registers,
            composed,
            seed_by_state,
            memo,
            watching,
            steps,
            ..
        } = inner;
        self.steps = steps;
        (self.variables, self.explaining, self.registers, self.memo) = (variables, explaining, registers, memo);
        (self.composed, self.seed_by_state, self.watching) = (composed, seed_by_state, watching);
        self.keep_values(&slots, &trail);
        self.keep_found(&found);
        answer
    }

    /// An environment in the same states and frames whose values live shorter. What is not a value is lent to it.
    fn lend<'t>(&mut self, arena: &'t Bump) -> Env<'t>
    where
        'a: 't,
    {
        let mut limits = self.limits;
        limits.memory = limits.memory.saturating_sub(self.arena.allocated_bytes());
        Env {
            program: self.program,
            arena,
            limits,
            slots: self.slots.clone(),
            base: self.base,
            current: self.current.clone(),
            next: self.next.clone(),
            nothing: Vec::new(),
            open: self.open,
            finding: self.finding,
            enabled: self.enabled,
            trail: Vec::new(),
            depth: self.depth,
            steps: self.steps,
            deferring: self.deferring,
            run_values: self.run_values.clone(),
            variables: std::mem::take(&mut self.variables),
            given: self.given.clone(),
            explaining: self.explaining.take(),
            action: self.action,
            only: self.only,
            passed_by: self.passed_by,
            muted: self.muted,
            all_ways: self.all_ways,
            taken: self.taken.clone(),
            counterexample: self.counterexample,
            trace: self.trace,
            registers: std::mem::take(&mut self.registers),
            composed: self.composed,
            level: self.level,
            run: self.run,
            arrived_by: self.arrived_by,
            seed_by_state: self.seed_by_state,
            listing: self.listing,
            found: self.found.clone(),
            memo: self.memo.take(),
            watching: self.watching,
            lists: self.lists.clone(),
            made: None,
            rows: self.rows.clone(),
        }
    }

    /// Arguments and LET values that were needed for the first time are not computed again for the next condition, unless they
    /// depend on the state that is being found.
    fn keep_values(&mut self, slots: &[Slot<'_>], trail: &[Undo<'_>]) {
        for (i, found) in slots.iter().enumerate().take(self.slots.len()) {
            let (Slot::Value(value), false) = (found, matches!(self.slots[i], Slot::Value(_))) else { continue };
            let undone = |undo: &Undo<'_>| matches!(undo, Undo::Slot(at) | Undo::Argument(at, ..) if *at == i);
            if !trail.iter().any(undone) {
                self.slots[i] = Slot::Value(freeze::copy_into(self.arena, *value));
            }
        }
    }

    /// What definitions gave for the states at hand is kept, too. Other states may have been values that are gone: another value may
    /// come to stand where one stood.
    fn keep_found(&mut self, found: &[Option<Found<'_>>]) {
        for (at, found) in found.iter().enumerate() {
            let Some(Found { read, value }) = found else { continue };
            let state = |variable: u32, word| {
                let states = [self.current[variable as usize], self.next[variable as usize]];
                states.into_iter().flatten().find(|v| same_word(*v, word))
            };
            let read: Option<Vec<(u32, Value<'a>)>> = read.iter().map(|(v, w)| Some((*v, state(*v, *w)?))).collect();
            let known = matches!((&read, self.found.get(at)), (Some(read), Some(Some(old)))
                if old.read.iter().zip(read).all(|(a, b)| same_word(a.1, b.1)));
            if let (Some(read), false) = (read, known) {
                self.found.resize(self.found.len().max(at + 1), None);
                self.found[at] = Some(Found { read, value: freeze::copy_into(self.arena, *value) });
            }
        }
    }
}
