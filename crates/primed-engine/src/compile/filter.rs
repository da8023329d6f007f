//! Filtered sets.

use primed_semantics::model::{Bound, Builtin, Expr, ExprKind, LocalId};
use primed_value::error::Place;

use super::costs::Cost;
use super::total::is_total;
use super::{Compiler, Names};
use crate::node::Code;
use crate::nodes::binders::Filter;
use crate::nodes::image::{Image, Points};

/// Largest relation, as written, that is compiled twice.
const LARGEST: u32 = 40;

impl<'m> Compiler<'m> {
    pub(super) fn filter(&mut self, bound: &'m Bound, body: &'m Expr, place: Place, names: &Names<'m>) -> Code {
        let Some(set) = &bound.set else { return self.unsupported("an unbounded set", place) };
        let mut inner = names.clone();
        let cost = self.made_here(set, names);
        let set = self.code(set, names);
        let patterns = self.patterns(bound, &mut inner);
        let bounds = std::slice::from_ref(bound);
        let pure = self.is_pure(body, &inner);
        let total = pure && is_total(self.model, bound, body);
        let (number, function) = self.function_code(bounds, patterns, body, &inner, None, total);
        let excluded = self.kind_test(bounds, body);
        let filter = Filter { set, function, number, excluded, predicate: body.place, pure, place, cost };
        match self.as_image(bound, body, names) {
            Some((points, relation)) => Box::new(Image { points, relation, filter }),
            None => Box::new(filter),
        }
    }

    /// The points and the relation, if the set is what the relation pairs with the points.
    fn as_image(&mut self, bound: &'m Bound, body: &'m Expr, names: &Names<'m>) -> Option<(Points, Code)> {
        let second = single(bound)?;
        if names.cost != Cost::None || self.walks_all() {
            return None;
        }
        match &*body.kind {
            ExprKind::Builtin { op: Builtin::In, args } => {
                let (first, relation) = paired(args, second)?;
                let plain = [first, relation].into_iter().all(|e| self.is_plain(e, &[second]));
                plain.then(|| (Points::One(self.code(first, names)), self.code(relation, names)))
            }
            ExprKind::Quantified { forall: false, bounds, body } => {
                let [point] = bounds.as_slice() else { return None };
                let (local, points) = (single(point)?, point.set.as_ref()?);
                let ExprKind::Builtin { op: Builtin::In, args } = &*body.kind else { return None };
                let (first, relation) = paired(args, second)?;
                let of_point = matches!(&*first.kind, ExprKind::Local(name) if *name == local);
                let plain = [points, relation].into_iter().all(|e| self.is_plain(e, &[second, local]));
                (of_point && plain).then(|| (Points::Of(self.code(points, names)), self.code(relation, names)))
            }
            _ => None,
        }
    }

    /// It is the same for all elements, and to evaluate it once more does nothing.
    fn is_plain(&mut self, expr: &'m Expr, names: &[LocalId]) -> bool {
        let facts = self.analysis.facts(expr);
        !facts.moment && names.iter().all(|name| !facts.free.contains(name)) && self.analysis.size_of(expr) <= LARGEST
    }
}

/// The one name that is bound.
fn single(bound: &Bound) -> Option<LocalId> {
    match bound.locals.as_slice() {
        [name] if !bound.tuple => Some(name.local),
        _ => None,
    }
}

/// `first` and `relation` of `<<first, name>> \in relation`.
fn paired(args: &[Expr], name: LocalId) -> Option<(&Expr, &Expr)> {
    let [pair, relation] = args else { return None };
    let ExprKind::Tuple(items) = &*pair.kind else { return None };
    let [first, second] = items.as_slice() else { return None };
    matches!(&*second.kind, ExprKind::Local(local) if *local == name).then_some((first, relation))
}
