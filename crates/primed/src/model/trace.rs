//! Paths of a search as states that can be shown.

use bumpalo::Bump;
use primed_engine::env::Env;
use primed_engine::{Flow, TakenParameter};
use primed_explore::liveness::lasso::Ending;
use primed_explore::search::Step;
use primed_value::host::Host;
use primed_value::intern::{Interner, ValueId};
use primed_value::value::Value;
use primed_value::{build, itf, json, print};

use crate::model::ModelChecker;
use crate::model::counterexample::{Location, Seen, printed};
use crate::model::report::{CheckVerdict, During, Mode, Parameter, TraceEnding, TraceState, TraceValue};
use crate::model::space::{ModelSpace, NO_VALUE, values};
use crate::model::symmetry::Images;

/// Most bytes that looking for an initial state again may take.
const MOST_FOR_INITIAL: usize = 1 << 30;

/// What becomes of a trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Showing {
    /// It is shown under the ALIAS.
    pub(super) aliased: bool,
    /// Post-conditions are asked.
    pub(super) asks: bool,
}

impl Showing {
    /// TLC shows an initial state from which there is no step as it is, and asks no post-condition after an error in an initial
    /// state, an invariant or a property. In iterative deepening it asks none at all, and shows behaviours as they are.
    pub(super) fn of(verdict: &CheckVerdict, states: usize, mode: Mode) -> Showing {
        let (simulates, deepens) = (matches!(mode, Mode::Simulation { .. }), matches!(mode, Mode::Bounded(_)));
        let (stuck, asks) = match verdict {
            CheckVerdict::Deadlock => (true, true),
            CheckVerdict::Error { during, .. } => {
                let step = matches!(during, During::Next | During::Temporal);
                (step, step)
            }
            _ => (false, true),
        };
        let aliased = if states > 1 { !deepens } else { !stuck || simulates };
        Showing { aliased, asks: (asks || simulates) && !deepens }
    }
}

impl ModelChecker {
    /// The states of a path as they are shown.
    pub(super) fn trace(&self, space: &ModelSpace<'_>, path: &[Step]) -> Vec<TraceState> {
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let seen = self.seen(space, &mut env, path, (true, Ending::Any));
        self.all_shown(space, &mut env, &seen)
    }

    /// TLC names the initial predicate in simulations only.
    fn all_shown<'a>(&'a self, space: &ModelSpace<'_>, env: &mut Env<'a>, seen: &[Seen<'a>]) -> Vec<TraceState> {
        let mut trace: Vec<TraceState> = seen.iter().map(|state| self.shown(env, state)).collect();
        if let Some(first) = trace.first_mut()
            && space.run.simulates()
            && let Some((name, place)) = self.initial_parts().pop()
        {
            first.action = name.map(|name| name.to_string());
            first.place = Some(self.model.describe(place));
            first.location = Location::of(&self.model, place).map(|l| l.json());
        }
        trace
    }

    /// A path whose states stand for all that SYMMETRY or VIEW does not tell apart, as a behaviour: each state is a successor of the
    /// one before, and not told apart from the one in its place.
    pub(super) fn unfolded(&self, space: &ModelSpace<'_>, path: &[Step]) -> Vec<Step> {
        let mut real: Vec<Step> = Vec::with_capacity(path.len());
        for step in path {
            let found = real.last().and_then(|before| self.equivalent_successor(space, before, step));
            real.push(found.unwrap_or_else(|| step.clone()));
        }
        real
    }

    /// The first successor that is not told apart from this state.
    fn equivalent_successor(&self, space: &ModelSpace<'_>, before: &Step, wanted: &Step) -> Option<Step> {
        if space.symmetry.is_trivial() && self.view.is_none() {
            return None;
        }
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let (interner, mut images) = (&space.interner, Images::default());
        env.set_current(&values(interner, env.arena(), &wanted.row));
        let key = space.key(&mut env, &wanted.row, &mut images).ok()?;
        env.set_current(&values(interner, env.arena(), &before.row));
        env.seed_by_state(space.run.seed as u64);
        let mut found = None;
        // An error further on has nothing to do with the state that is looked for.
        drop(self.next.relation.each_partial(&mut env, &mut |env| {
            let mut row = Vec::with_capacity(wanted.row.len());
            for value in env.next().to_vec() {
                let Some(value) = value else { return Ok(Flow::Continue) };
                row.push(interner.intern(env, value)?.0);
            }
            if env.in_successor(|env| space.key(env, &row, &mut images))? != key {
                return Ok(Flow::Continue);
            }
            found = Some(Step { row, action: env.action() });
            Ok(Flow::Stop)
        }));
        found
    }

    /// How a behaviour goes on after its last state.
    pub(super) fn ending(&self, space: &ModelSpace<'_>, path: &[Step], ending: Ending) -> Option<TraceEnding> {
        match ending {
            Ending::Any => None,
            Ending::Stutters => Some(TraceEnding::Stutters),
            Ending::Back(state) => {
                let step = self.unfolded(space, &[path.last()?.clone(), path.get(state)?.clone()]);
                let by = Box::new(self.trace(space, &step).pop()?);
                Some(TraceEnding::Back { state: state + 1, by })
            }
        }
    }

    /// The states of a path as they are shown, and the post-condition that is false of them, if there is one. The states are
    /// announced before post-conditions, which may print, are evaluated.
    pub(super) fn shown_trace(
        &self,
        space: &ModelSpace<'_>,
        (path, ending, showing): (&[Step], Ending, Showing),
        announce: &dyn Fn(&[TraceState]),
    ) -> (Vec<TraceState>, Option<String>) {
        let arena = Bump::new();
        let mut env = Env::new(&self.program, &arena);
        let seen = self.seen(space, &mut env, path, (showing.aliased, ending));
        let trace = self.all_shown(space, &mut env, &seen);
        announce(&trace);
        if self.postconditions.is_empty() || self.unusable_postcondition.is_some() || path.is_empty() || !showing.asks {
            return (trace, None);
        }
        // TLC puts what ALIAS gives into behaviours only that break an invariant or a property of steps.
        let plain = matches!(ending, Ending::Stutters | Ending::Back(_)) || path.len() == 1;
        let seen = if plain && self.alias.is_some() { self.seen(space, &mut env, path, (false, ending)) } else { seen };
        let closing = match ending {
            Ending::Any => None,
            // TLC takes it for another step of the action that led to the last state.
            Ending::Stutters => seen.last().map(|last| (seen.len(), last.clone())),
            Ending::Back(state) => {
                let step: Vec<Step> = path.last().into_iter().chain(path.get(state)).cloned().collect();
                let step = self.unfolded(space, &step);
                self.seen(space, &mut env, &step, (false, Ending::Any)).pop().map(|by| (state + 1, by))
            }
        };
        let counterexample = self.counterexample(&mut env, &seen, closing).ok();
        let failed = self.false_postcondition(&mut env, &space.run, space.registers(), counterexample);
        (trace, failed)
    }

    /// The states of a path with the actions that led to them, under the ALIAS.
    fn seen<'a>(
        &'a self,
        space: &'a ModelSpace<'_>,
        env: &mut Env<'a>,
        path: &[Step],
        (aliased, ending): (bool, Ending),
    ) -> Vec<Seen<'a>> {
        let interner = &space.interner;
        let names: Vec<_> = self.model.variables.iter().map(|v| env.symbols().intern(&v.name)).collect();
        let mut states: Vec<Vec<Option<Value<'a>>>> = Vec::with_capacity(path.len());
        let mut seen: Vec<Seen<'a>> = Vec::with_capacity(path.len());
        for step in path {
            let mut this = Seen::default();
            let again = match states.last() {
                None => self.initial_again(space, env.arena(), &step.row),
                Some(before) => {
                    set_current(env, before);
                    env.clear_next();
                    if !space.run.simulates() {
                        env.seed_by_state(space.run.seed as u64);
                    }
                    let again = self.find_action(interner, env, &step.row, &mut this);
                    if this.action == 0 {
                        // What was drawn by lot does not come again.
                        this.action = step.action;
                    }
                    again
                }
            };
            // What is stored has one form for equal values: an interval may be the set with the same elements.
            let stored = || {
                step.row.iter().map(|id| (*id != NO_VALUE).then(|| interner.get(env.arena(), ValueId(*id)))).collect()
            };
            let state = again.unwrap_or_else(stored);
            let shown = self.model.shown.iter().map(|id| id.0 as usize);
            this.values = shown.filter_map(|i| Some((*names.get(i)?, *state.get(i)?))).collect();
            seen.push(this);
            states.push(state);
        }
        if aliased && self.alias.is_some() {
            self.under_alias(space, env, (&states, ending), &mut seen);
        }
        for (this, state) in seen.iter_mut().zip(&states).filter(|_| self.shows_view) {
            set_current(env, state);
            if let Some(shown) = self.viewed(env) {
                this.values = shown;
            }
        }
        seen
    }

    /// The action that leads from the environment's state to the one of this row, as `TLCGet("action")` gives it.
    pub(super) fn action_to<'a>(&'a self, interner: &'a Interner, env: &mut Env<'a>, row: &[u32]) -> Option<Value<'a>> {
        let mut seen = Seen::default();
        self.find_action(interner, env, row, &mut seen);
        Some(self.action_record(env, &seen)).filter(|_| seen.action > 0)
    }

    /// Replaces states by what the ALIAS gives for them. The successor of the last state is the one that the behaviour goes back to,
    /// or else the state itself.
    fn under_alias<'a>(
        &'a self,
        space: &'a ModelSpace<'_>,
        env: &mut Env<'a>,
        (states, ending): (&[Vec<Option<Value<'a>>>], Ending),
        seen: &mut [Seen<'a>],
    ) {
        env.set_run(&space.run);
        env.put_registers(space.registers());
        let records: Vec<Value<'a>> = seen.iter().map(|s| s.record(env)).collect();
        let back = if let Ending::Back(state) = ending { Some(state) } else { None };
        for (i, state) in seen.iter_mut().enumerate() {
            set_current(env, &states[i]);
            let next = states.get(i + 1).or_else(|| states.get(back?)).unwrap_or(&states[i]);
            for (variable, value) in next.iter().enumerate() {
                env.set_next_variable(variable, *value);
            }
            env.set_level(i as i64 + 1);
            if space.run.simulates() {
                let action = if i == 0 { self.taken_action(env, true) } else { self.action_record(env, state) };
                env.set_arrived_by(Some(action));
            }
            let trace = build::tuple(env, &records[..=i]);
            env.set_trace(trace);
            if let Some(shown) = self.alias(env, state) {
                state.values = shown;
            }
        }
    }

    /// The values of an initial state as they are computed.
    fn initial_again<'a>(
        &'a self,
        space: &'a ModelSpace<'_>,
        arena: &'a Bump,
        row: &[u32],
    ) -> Option<Vec<Option<Value<'a>>>> {
        let mut env = Env::new(&self.program, arena);
        env.limit_memory(MOST_FOR_INITIAL);
        env.put_registers(space.registers());
        let mut found = None;
        // What was drawn by lot may not come again.
        drop(self.init.each_partial(&mut env, &mut |env| {
            let state = env.current().to_vec();
            if !is_row(&space.interner, env, &state, row)? {
                return Ok(Flow::Continue);
            }
            found = Some(state);
            Ok(Flow::Stop)
        }));
        found
    }

    /// The first action that leads from the environment's state to the one of this row, as TLC finds it. The next state is not
    /// given to the relation: comparing it with what another action makes may be an error. The state as the action computes it.
    fn find_action<'a>(
        &'a self,
        interner: &'a Interner,
        env: &mut Env<'a>,
        row: &[u32],
        seen: &mut Seen<'a>,
    ) -> Option<Vec<Option<Value<'a>>>> {
        env.name_actions();
        let mut found = None;
        // An error further on has nothing to do with the action that is looked for.
        drop(self.next.relation.each_partial(env, &mut |env| {
            let state = env.next().to_vec();
            if !is_row(interner, env, &state, row)? {
                return Ok(Flow::Continue);
            }
            (seen.action, seen.parameters) = (env.action(), env.taken().to_vec());
            found = Some(state);
            Ok(Flow::Stop)
        }));
        found
    }

    fn shown<'a>(&'a self, env: &mut Env<'a>, seen: &Seen<'a>) -> TraceState {
        let values = seen.values.iter().map(|(name, value)| shown_value(env, env_text(env, *name), *value)).collect();
        let action = (seen.action as usize).checked_sub(1).and_then(|i| self.next.actions.get(i));
        let parameters = seen.parameters.iter().map(|(name, parameter)| match parameter {
            TakenParameter::Value(value) => {
                let json = json::to_text(env, *value).ok();
                Parameter { name: name.to_string(), text: print::print_short(env, *value, usize::MAX), json }
            }
            TakenParameter::Operator(operator) => {
                Parameter { name: name.to_string(), text: format!("<Operator {operator}>"), json: None }
            }
        });
        TraceState {
            parameters: parameters.collect(),
            action: action.and_then(|a| a.name.as_ref()).map(ToString::to_string),
            place: action.map(|a| self.model.describe(a.place)),
            location: action.and_then(|a| Location::of(&self.model, a.place)).map(|l| l.json()),
            values,
        }
    }
}

/// Whether values are those of a row.
pub(super) fn is_row<'a>(
    interner: &'a Interner,
    env: &mut Env<'a>,
    state: &[Option<Value<'a>>],
    row: &[u32],
) -> primed_value::host::Result<bool> {
    for (id, value) in row.iter().zip(state) {
        let same = match value {
            Some(value) => interner.is(env, *value, ValueId(*id))?,
            None => *id == NO_VALUE,
        };
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

fn set_current<'a>(env: &mut Env<'a>, state: &[Option<Value<'a>>]) {
    for (variable, value) in state.iter().enumerate() {
        env.set_current_variable(variable, *value);
    }
}

fn env_text(env: &Env<'_>, name: primed_value::symbol::Symbol) -> String {
    env.symbols().text(name).to_string()
}

fn shown_value<'a>(env: &mut Env<'a>, name: String, value: Option<Value<'a>>) -> TraceValue {
    let text = printed(env, value);
    let json = value.and_then(|v| json::to_text(env, v).ok());
    let mut informal = String::new();
    let written = value.is_some_and(|v| itf::write(env, v, &mut informal).is_ok());
    TraceValue { name, text, json, itf: written.then_some(informal) }
}
