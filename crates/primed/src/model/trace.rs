//! Paths of a search as states that can be shown.

use bumpalo::Bump;
use primed_engine::env::Env;
use primed_engine::{Flow, TakenParameter};
use primed_explore::liveness::lasso::Ending;
use primed_explore::search::Step;
use primed_value::intern::{Interner, ValueId};
use primed_value::print;
use primed_value::value::Value;

use crate::model::ModelChecker;
use crate::model::report::{TraceEnding, TraceState};
use crate::model::space::NO_VALUE;

impl ModelChecker {
    pub(super) fn trace(&self, interner: &Interner, path: &[Step]) -> Vec<TraceState> {
        let mut trace = Vec::with_capacity(path.len());
        for (i, step) in path.iter().enumerate() {
            let before = i.checked_sub(1).and_then(|i| path.get(i));
            let arena = Bump::new();
            trace.push(shown(self, interner, &arena, before, step));
        }
        trace
    }

    /// How a behaviour goes on after its last state.
    pub(super) fn ending(&self, interner: &Interner, path: &[Step], ending: Ending) -> Option<TraceEnding> {
        match ending {
            Ending::Any => None,
            Ending::Stutters => Some(TraceEnding::Stutters),
            Ending::Back(state) => {
                let arena = Bump::new();
                let by = shown(self, interner, &arena, path.last(), path.get(state)?);
                Some(TraceEnding::Back { state: state + 1, by })
            }
        }
    }
}

/// A state of a trace with the action that leads to it.
fn shown<'a>(
    checker: &'a ModelChecker,
    interner: &'a Interner,
    arena: &'a Bump,
    before: Option<&Step>,
    step: &Step,
) -> TraceState {
    let mut env = Env::new(&checker.program, arena);
    let state = |step: &Step| -> Vec<Option<Value<'a>>> {
        step.row.iter().map(|id| (*id != NO_VALUE).then(|| interner.get(ValueId(*id)))).collect()
    };
    let values = state(step);
    let names = checker.model.variables.iter().map(|v| v.name.to_string());
    let printed =
        values.into_iter().map(|v| v.map_or_else(|| "null".into(), |v| print::print_short(&mut env, v, usize::MAX)));
    let mut shown = TraceState { values: names.zip(printed).collect(), ..TraceState::default() };
    if let Some(before) = before {
        for (i, value) in state(before).into_iter().enumerate() {
            env.set_current_variable(i, value);
        }
        name(checker, interner, &mut env, &step.row, &mut shown);
    }
    shown
}

/// The first action that leads from the environment's state to the one of this row, as TLC finds it. The next state is not
/// given to the relation: comparing it with what another action makes may be an error.
fn name<'a>(checker: &'a ModelChecker, interner: &'a Interner, env: &mut Env<'a>, row: &[u32], shown: &mut TraceState) {
    env.name_actions();
    let mut found = None;
    let _ = checker.next.relation.each_partial(env, &mut |env| {
        for (id, value) in row.iter().zip(env.next().to_vec()) {
            let same = match value {
                Some(value) => interner.intern(env, value)?.0 == *id,
                None => *id == NO_VALUE,
            };
            if !same {
                return Ok(Flow::Continue);
            }
        }
        let parameters = env.taken().to_vec();
        let parameters = parameters.into_iter().map(|(name, parameter)| match parameter {
            TakenParameter::Value(value) => (name.to_string(), print::print_short(env, value, usize::MAX)),
            TakenParameter::Operator(operator) => (name.to_string(), format!("<Operator {operator}>")),
        });
        let parameters = parameters.collect();
        found = Some((env.action(), parameters));
        Ok(Flow::Stop)
    });
    let Some((action, parameters)) = found else { return };
    let Some(action) = (action as usize).checked_sub(1).and_then(|i| checker.next.actions.get(i)) else { return };
    shown.action = action.name.as_ref().map(ToString::to_string);
    shown.place = Some(checker.model.describe(action.place));
    shown.parameters = parameters;
}
