//! Which expressions are counted when somebody asks how often each was evaluated; code that tells its places.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use hashbrown::HashMap;
use primed_semantics::model::{Builtin, Expr, ExprKind};
use primed_value::error::Place;

use super::{Compiler, Names};
use crate::natives;
use crate::node::{Action, Code};
use crate::nodes::counted::{CountedAction, CountedCode};
use crate::nodes::placed::{AppliedCode, Asks, Handling, PlacedAction, PlacedCode};
use crate::program::Counts;

/// A counter for each place, however often what stands there was written out.
#[derive(Debug, Default)]
pub(crate) struct Counters(HashMap<Place, Arc<AtomicU64>, ahash::RandomState>);

impl Counters {
    fn of(&mut self, place: Place) -> Arc<AtomicU64> {
        self.0.entry(place).or_default().clone()
    }

    /// All of them, in the order of the text, what is around others before these.
    pub(crate) fn sorted(self) -> Counts {
        let mut all: Vec<_> = self.0.into_iter().collect();
        all.sort_by_key(|(place, _)| (place.file, place.start, std::cmp::Reverse(place.end)));
        all
    }
}

impl<'m> Compiler<'m> {
    /// From now on, what is compiled counts how often it is evaluated ([`crate::program::Program::counts`]).
    pub fn count_expressions(&mut self) {
        self.counters = Some(Counters::default());
    }

    /// From now on, what is compiled tells of an error which expressions are around it ([`EvalError::around`]).
    ///
    /// [`EvalError::around`]: primed_value::error::EvalError::around
    pub fn tell_places(&mut self) {
        self.tells_places = true;
    }

    /// What has no choice is walked like an action all the same: TLC does so, and has other words for what goes wrong there.
    pub(super) fn walks_all(&self) -> bool {
        self.tells_places
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
        match self.tells_places {
            true => Box::new(PlacedAction { action, whole: self.code(expr, names), place: expr.place }),
            false => action,
        }
    }

    /// An action that tells the place of a part of it; `whole` is the same as an expression.
    pub(super) fn told_at(&self, place: Place, whole: Code, action: Box<dyn Action>) -> Box<dyn Action> {
        Box::new(PlacedAction { action, whole, place })
    }

    /// Compiles what is not run in a search: it gets no counters.
    pub(super) fn uncounted<T>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> T {
        let counters = self.counters.take();
        let result = compile(self);
        self.counters = counters;
        result
    }

    /// Whether evaluations of an expression are worth a counter: names, constants and what standard modules do are not.
    fn is_counted(&self, expr: &Expr) -> bool {
        match &*expr.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::String(_)
            | ExprKind::Model(_)
            | ExprKind::Variable(_)
            | ExprKind::StandIn { .. }
            | ExprKind::Local(_)
            | ExprKind::Tuple(_)
            | ExprKind::Builtin { op: Builtin::Prime, .. }
            | ExprKind::Instanced { .. }
            | ExprKind::Unsupported(_) => false,
            ExprKind::Call { definition, .. } => {
                let definition = self.model.definition(*definition);
                // What the configuration names stands where its definition does, and is counted there.
                natives::lookup(definition).is_none()
                    && (definition.body.place != expr.place || !self.is_counted(&definition.body))
            }
            _ => true,
        }
    }

    /// The code, with a counter if evaluations are counted.
    pub(super) fn counted(&mut self, expr: &'m Expr, code: Code) -> Code {
        let already = self.counted_action.is_some_and(|counted| std::ptr::eq(counted, &*expr.kind));
        if already || !self.is_counted(expr) {
            return code;
        }
        match &mut self.counters {
            Some(counters) => Box::new(CountedCode { code, counter: counters.of(expr.place) }),
            None => code,
        }
    }

    /// The action that `compile` makes of the expression, with a counter if evaluations are counted: it counts for the conditions
    /// that stand for the same formula.
    pub(super) fn counted_action(
        &mut self,
        expr: &'m Expr,
        compile: impl FnOnce(&mut Self) -> Box<dyn Action>,
    ) -> Box<dyn Action> {
        if self.counters.is_none() || !self.is_counted(expr) {
            return compile(self);
        }
        let outer = self.counted_action.replace(&*expr.kind);
        let action = compile(self);
        self.counted_action = outer;
        match &mut self.counters {
            Some(counters) => Box::new(CountedAction { action, counter: counters.of(expr.place) }),
            None => action,
        }
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
