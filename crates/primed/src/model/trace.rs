//! Paths of a search as states that can be shown.

use bumpalo::Bump;
use primed_engine::env::Env;
use primed_explore::liveness::lasso::Ending;
use primed_explore::search::Step;
use primed_value::intern::{Interner, ValueId};
use primed_value::print;
use primed_value::value::Value;

use crate::model::ModelChecker;
use crate::model::report::{TraceEnding, TraceState};

impl ModelChecker {
    pub(super) fn trace(&self, interner: &Interner, path: &[Step]) -> Vec<TraceState> {
        let mut trace = Vec::with_capacity(path.len());
        for (i, step) in path.iter().enumerate() {
            let before = i.checked_sub(1).and_then(|i| path.get(i));
            trace.push(self.trace_state(interner, before, step));
        }
        trace
    }

    /// How a behaviour goes on after its last state.
    pub(super) fn ending(&self, interner: &Interner, path: &[Step], ending: Ending) -> Option<TraceEnding> {
        match ending {
            Ending::Any => None,
            Ending::Stutters => Some(TraceEnding::Stutters),
            Ending::Back(state) => {
                let again = self.trace_state(interner, path.last(), path.get(state)?);
                Some(TraceEnding::Back { state: state + 1, action: again.action, place: again.place })
            }
        }
    }

    fn trace_state(&self, interner: &Interner, before: Option<&Step>, step: &Step) -> TraceState {
        let arena = Bump::new();
        named(self, interner, &arena, before, step)
    }
}

/// A state of a trace with the name of the action that leads to it.
fn named<'a>(
    checker: &'a ModelChecker,
    interner: &'a Interner,
    arena: &'a Bump,
    before: Option<&Step>,
    step: &Step,
) -> TraceState {
    let mut env = Env::new(&checker.program, arena);
    let values: Vec<Value<'a>> = step.row.iter().map(|id| interner.get(ValueId(*id))).collect();
    let (mut action, mut place) = (None, None);
    if let Some(before) = before {
        let current: Vec<Value<'a>> = before.row.iter().map(|id| interner.get(ValueId(*id))).collect();
        env.set_current(&current);
        env.set_next(&values);
        let found = checker.actions.iter().find(|(_, _, action)| action.relation.holds(&mut env).unwrap_or(false));
        action = found.map(|(name, _, _)| name.to_string());
        place = found.map(|(_, place, _)| checker.model.describe(*place));
    }
    let names = checker.model.variables.iter().map(|v| v.name.to_string());
    let values = values.iter().map(|v| print::print_short(&mut env, *v, usize::MAX));
    TraceState { action, place, values: names.zip(values).collect() }
}
