//! Which expressions are counted when somebody asks how often each was evaluated; code that tells its places.

use primed_semantics::model::{Expr, LocalDefinition};

use super::costs::Cost;
use super::{Binding, Compiler, Finds, Names};
use crate::actions::Target;
use crate::node::{Action, Code};
use crate::nodes::counted::{Judged, Passes, Passing};
use crate::nodes::placed::{PlacedAction, PlacedCode};

impl<'m> Compiler<'m> {
    /// From now on, what is compiled tells of an error which expressions are around it ([`EvalError::around`]).
    ///
    /// [`EvalError::around`]: primed_value::error::EvalError::around
    pub fn tell_places(&mut self) {
        self.tells_places = true;
    }

    /// What has no choice is walked like an action all the same: TLC does so, and has other words for what goes wrong there.
    pub(super) fn walks_all(&self) -> bool {
        self.tells_places || self.costs.is_some()
    }

    /// The code, which tells its place if that is wanted.
    pub(super) fn placed(&self, expr: &Expr, code: Code) -> Code {
        match self.tells_places {
            true => Box::new(PlacedCode { code, place: expr.place }),
            false => code,
        }
    }

    /// The same for an action.
    pub(super) fn placed_action(
        &mut self,
        expr: &'m Expr,
        names: &Names<'m>,
        action: Box<dyn Action>,
    ) -> Box<dyn Action> {
        if !self.tells_places {
            return action;
        }
        let whole = (!self.within_whole).then(|| {
            self.within_whole = true;
            let whole = self.code(expr, names);
            self.within_whole = false;
            whole
        });
        Box::new(PlacedAction { action, whole, place: expr.place })
    }

    /// An action that goes on to what is after it: those times count that lead to a state.
    pub(super) fn passing(
        &self,
        names: &Names<'m>,
        finds: Finds,
        target: Option<Target>,
        action: Box<dyn Action>,
    ) -> Box<dyn Action> {
        match self.passes(names, finds) {
            Some(passes) => Box::new(Passing { action, target, passes }),
            None => action,
        }
    }

    /// What counts the times that an action goes on.
    pub(super) fn passes(&self, names: &Names<'m>, finds: Finds) -> Option<Passes> {
        let counter = self.counter(names).filter(|_| names.enabled.is_none())?;
        let initial = match finds {
            Finds::Current => Some(self.whole_counter.clone()?),
            Finds::Next => None,
        };
        Some(Passes { counter, set: None, initial })
    }

    /// A formula of which it is counted how often it is true and how often false, if evaluations are counted.
    pub(super) fn judged(&self, names: &Names<'m>, code: Code) -> Code {
        match self.counter(names) {
            Some(counter) => Box::new(Judged { code, counter }),
            None => code,
        }
    }

    /// What a name stands for, where it is used: in an action, TLC keeps no value of a LET definition.
    pub(super) fn let_in_action(&mut self, definitions: &'m [LocalDefinition], names: &Names<'m>) -> Option<Names<'m>> {
        let counts = names.cost != Cost::None && names.enabled.is_none();
        counts.then(|| {
            let mut inner = names.clone();
            for LocalDefinition { local, params, body, .. } in definitions {
                let names = Names { cost: Cost::Use, ..inner.clone() };
                let binding = match params.as_slice() {
                    [] => Binding::Written { expr: body, names },
                    params => Binding::Operator { params, body, names },
                };
                inner.bindings.insert(*local, binding);
            }
            inner
        })
    }
}
