//! Which expressions are counted when somebody asks how often each was evaluated; code that tells its places.

use primed_semantics::model::{Builtin, Expr, ExprKind, LocalDefinition};
use primed_value::error::Place;

use super::costs::Cost;
use super::{Binding, Compiler, Finds, Names};
use crate::actions::Target;
use crate::node::{Action, Code};
use crate::nodes::counted::{Judged, Passes, Passing};
use crate::nodes::placed::{AppliedCode, Asks, Handling, PlacedAction, PlacedCode};

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
            true => Box::new(PlacedCode { code, place: expr.place, handling: handling(expr) }),
            false => code,
        }
    }

    /// The code of a function that is applied.
    pub(super) fn applied_code(&self, code: Code) -> Code {
        match self.tells_places {
            true => Box::new(AppliedCode(code)),
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

    /// An action that tells the place of a part of it; `whole` is the same as an expression.
    pub(super) fn told_at(&self, place: Place, whole: Code, action: Box<dyn Action>) -> Box<dyn Action> {
        Box::new(PlacedAction { action, whole: Some(whole), place })
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

/// What an expression does with values, as far as TLC tells of it when something fails.
fn handling(expr: &Expr) -> Handling {
    use Builtin::{Difference, Equal, In, Intersection, NotEqual, NotIn, SubsetEq, Union};
    let asks = match &*expr.kind {
        ExprKind::Builtin { op: Equal | NotEqual, .. } => Asks::Compared,
        ExprKind::Builtin { op: In | NotIn, .. } => Asks::Second,
        ExprKind::Builtin { op: SubsetEq | Intersection | Difference, .. } => Asks::Both,
        ExprKind::Builtin { op: Union, .. } => Asks::First,
        ExprKind::Apply(..) | ExprKind::Except { .. } => Asks::First,
        ExprKind::Choose { .. } | ExprKind::Function { .. } | ExprKind::Quantified { .. } => Asks::Elements,
        ExprKind::SetFilter { .. } | ExprKind::SetMap { .. } => Asks::Elements,
        _ => Asks::Nothing,
    };
    let makes = match &*expr.kind {
        ExprKind::Tuple(_) | ExprKind::Record(_) | ExprKind::SetEnum(_) | ExprKind::SetMap { .. } => true,
        ExprKind::SetFilter { .. } | ExprKind::RecordSet(_) | ExprKind::FunctionSet(..) => true,
        ExprKind::Builtin { op, .. } => {
            use Builtin::{BigUnion, Domain, PowerSet, Product};
            matches!(op, Difference | Intersection | Union | PowerSet | BigUnion | Domain | Product)
        }
        _ => false,
    };
    let body = match &*expr.kind {
        ExprKind::Function { body, .. } => Some(body.place),
        _ => None,
    };
    let passes = matches!(
        &*expr.kind,
        ExprKind::Call { .. } | ExprKind::CallLocal { .. } | ExprKind::Local(_) | ExprKind::Let { .. }
    );
    Handling { asks, makes, body, passes }
}
