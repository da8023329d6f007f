//! Predicates of filtered sets that can be evaluated for every element, whatever the state: of such a set nobody can tell how much of
//! it was listed.
//!
//! What is known of values is their kind, as far as the text tells it. Whatever is not known may fail.

use hashbrown::HashMap;
use primed_semantics::model::{Argument, Bound, Builtin, Definition, DefinitionId, Expr, ExprKind, LocalId, Model};

/// Definitions and expressions within each other that are followed.
const DEPTH: u32 = 40;
/// Parts that are looked at.
const MOST: u32 = 2_000;
/// Integers of TLC.
const INTEGERS: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);
/// No larger set is counted.
const LARGEST: i64 = 1 << 30;

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// Nothing, or not enough.
    Unknown,
    /// There is none: the element of the empty set.
    None,
    Bool,
    /// Not below the first, not above the second.
    Int(i64, i64),
    Text,
    /// A model value without type.
    Model,
    /// A finite set of such elements.
    Set(Box<Kind>),
    Tuple(Vec<Kind>),
}

impl Kind {
    fn set(element: Kind) -> Kind {
        Kind::Set(Box::new(element))
    }

    fn is_scalar(&self) -> bool {
        matches!(self, Kind::None | Kind::Bool | Kind::Int(..) | Kind::Text | Kind::Model)
    }

    /// What the elements are.
    fn element(self) -> Kind {
        match self {
            Kind::Set(element) => *element,
            _ => Kind::Unknown,
        }
    }

    /// Two values of these kinds can be compared.
    fn fits(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::None, _) | (_, Kind::None) => true,
            (Kind::Bool, Kind::Bool) | (Kind::Int(..), Kind::Int(..)) => true,
            (Kind::Text, Kind::Text) | (Kind::Model, Kind::Model) => true,
            (Kind::Set(a), Kind::Set(b)) => a.fits(b),
            (Kind::Tuple(a), Kind::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.fits(b)),
            _ => false,
        }
    }

    /// A value is of one of the kinds.
    fn or(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::None, kind) | (kind, Kind::None) => kind,
            (Kind::Int(a, b), Kind::Int(c, d)) => Kind::Int(a.min(c), b.max(d)),
            (Kind::Set(a), Kind::Set(b)) => Kind::set(a.or(*b)),
            (Kind::Tuple(a), Kind::Tuple(b)) if a.len() == b.len() => {
                Kind::Tuple(a.into_iter().zip(b).map(|(a, b)| a.or(b)).collect())
            }
            (a, b) if a == b => a,
            _ => Kind::Unknown,
        }
    }

    /// An integer in these bounds; it is not known whether larger ones fit.
    fn within(low: Option<i64>, high: Option<i64>) -> Kind {
        match (low, high) {
            (Some(low), Some(high)) if INTEGERS.0 <= low && high <= INTEGERS.1 => Kind::Int(low, high),
            _ => Kind::Unknown,
        }
    }
}

/// Whether the predicate of a filtered set cannot fail for any element.
pub(super) fn is_total(model: &Model, bound: &Bound, body: &Expr) -> bool {
    let Some(set) = &bound.set else { return false };
    let mut search = Search { model, known: HashMap::new(), total: true, left: MOST };
    let element = search.kind(set, 0).element();
    search.bind(bound, &element);
    // That the set itself could be evaluated is known by the time.
    search.total = true;
    search.is(body, &Kind::Bool, 0);
    search.total
}

/// What has been found out so far.
struct Search<'m> {
    model: &'m Model,
    known: HashMap<LocalId, Kind>,
    /// Nothing that was looked at can fail.
    total: bool,
    left: u32,
}

impl Search<'_> {
    /// Something may fail.
    fn fails(&mut self) -> Kind {
        self.total = false;
        Kind::Unknown
    }

    fn bind(&mut self, bound: &Bound, element: &Kind) {
        for (at, name) in bound.locals.iter().enumerate() {
            let kind = match (bound.tuple, element) {
                (false, kind) => kind.clone(),
                (true, Kind::Tuple(parts)) if parts.len() == bound.locals.len() => parts[at].clone(),
                (true, _) => self.fails(),
            };
            self.known.insert(name.local, kind);
        }
    }

    /// The expression is of this kind, or it may fail.
    fn is(&mut self, expr: &Expr, wanted: &Kind, depth: u32) {
        let kind = self.kind(expr, depth);
        if !matches!((&kind, wanted), (Kind::Bool, Kind::Bool) | (Kind::Set(_), Kind::Set(_))) {
            self.total = false;
        }
    }

    fn kinds(&mut self, items: &[Expr], depth: u32) -> Vec<Kind> {
        items.iter().map(|item| self.kind(item, depth)).collect()
    }

    fn kind(&mut self, expr: &Expr, depth: u32) -> Kind {
        self.left = self.left.saturating_sub(1);
        if depth > DEPTH || self.left == 0 {
            return self.fails();
        }
        let depth = depth + 1;
        match &*expr.kind {
            ExprKind::Bool(_) => Kind::Bool,
            ExprKind::Int(n) => Kind::within(Some(*n), Some(*n)),
            ExprKind::String(_) => Kind::Text,
            ExprKind::Model(model) if model.kind == 0 => Kind::Model,
            ExprKind::Local(local) => match self.known.get(local) {
                Some(kind) => kind.clone(),
                None => self.fails(),
            },
            ExprKind::Call { definition, args } => self.call(*definition, args, depth),
            ExprKind::Builtin { op, args } => self.builtin(*op, args, depth),
            ExprKind::Junction { items, .. } => {
                items.iter().for_each(|item| self.is(item, &Kind::Bool, depth));
                Kind::Bool
            }
            ExprKind::If(condition, then, other) => {
                self.is(condition, &Kind::Bool, depth);
                let then = self.kind(then, depth);
                then.or(self.kind(other, depth))
            }
            ExprKind::Quantified { bounds, body, .. } => {
                bounds.iter().for_each(|bound| self.range(bound, depth));
                self.is(body, &Kind::Bool, depth);
                Kind::Bool
            }
            ExprKind::SetEnum(items) => {
                let element = self.kinds(items, depth).into_iter().fold(Kind::None, Kind::or);
                Kind::set(element)
            }
            ExprKind::SetFilter { bound, body } => {
                let set = bound.set.as_ref().map_or(Kind::Unknown, |set| self.kind(set, depth));
                self.bind(bound, &set.clone().element());
                self.is(body, &Kind::Bool, depth);
                set
            }
            ExprKind::Tuple(items) => Kind::Tuple(self.kinds(items, depth)),
            _ => self.fails(),
        }
    }

    /// The names of a quantifier get their kinds.
    fn range(&mut self, bound: &Bound, depth: u32) {
        match bound.set.as_ref().map(|set| self.kind(set, depth)) {
            // Those of several kinds may have no order.
            Some(Kind::Set(element)) if *element != Kind::Unknown => self.bind(bound, &element),
            _ => self.total = false,
        }
    }

    fn call(&mut self, id: DefinitionId, args: &[Argument], depth: u32) -> Kind {
        let definition = self.model.definition(id);
        let mut kinds = Vec::with_capacity(args.len());
        for arg in args {
            let Argument::Value(arg) = arg else { return self.fails() };
            kinds.push(self.kind(arg, depth));
        }
        if crate::natives::lookup(definition).is_some() {
            return self.native(definition, &kinds);
        }
        if definition.recursive {
            return self.fails();
        }
        for (param, kind) in definition.params.iter().zip(kinds) {
            self.known.insert(param.local, kind);
        }
        self.kind(&definition.body, depth)
    }

    /// Arithmetic, and how many elements a set has.
    fn native(&mut self, definition: &Definition, kinds: &[Kind]) -> Kind {
        let kind = match (&*definition.name, kinds) {
            // That of a set of sets or tuples may have to be computed, and overflow.
            ("Cardinality", [Kind::Set(element)]) if element.is_scalar() => Kind::Int(0, LARGEST),
            ("<" | ">" | "\\leq" | "\\geq", [Kind::Int(..), Kind::Int(..)]) => Kind::Bool,
            ("..", [Kind::Int(low, _), Kind::Int(_, high)]) => Kind::set(Kind::Int(*low, *high)),
            // Elements of an interval are integers, wherever it ends.
            ("..", _) => {
                self.total = false;
                Kind::set(Kind::Int(INTEGERS.0, INTEGERS.1))
            }
            ("+", [Kind::Int(a, b), Kind::Int(c, d)]) => Kind::within(a.checked_add(*c), b.checked_add(*d)),
            ("-", [Kind::Int(a, b), Kind::Int(c, d)]) => Kind::within(a.checked_sub(*d), b.checked_sub(*c)),
            ("*", [Kind::Int(a, b), Kind::Int(c, d)]) => {
                let products = [a * c, a * d, b * c, b * d];
                Kind::within(products.into_iter().min(), products.into_iter().max())
            }
            _ => Kind::Unknown,
        };
        if kind == Kind::Unknown {
            return self.fails();
        }
        kind
    }

    fn builtin(&mut self, op: Builtin, args: &[Expr], depth: u32) -> Kind {
        if op == Builtin::Booleans {
            return Kind::set(Kind::Bool);
        }
        let kinds = self.kinds(args, depth);
        let kind = match (op, kinds.as_slice()) {
            (Builtin::And | Builtin::Or | Builtin::Implies | Builtin::Equiv, [Kind::Bool, Kind::Bool]) => Kind::Bool,
            (Builtin::Not, [Kind::Bool]) => Kind::Bool,
            (Builtin::Equal | Builtin::NotEqual, [a, b]) if a.fits(b) => Kind::Bool,
            (Builtin::In | Builtin::NotIn, [a, Kind::Set(element)]) if a.fits(element) => Kind::Bool,
            (Builtin::SubsetEq, [a @ Kind::Set(_), b @ Kind::Set(_)]) if a.fits(b) => Kind::Bool,
            (Builtin::Union | Builtin::Intersection | Builtin::Difference, [a @ Kind::Set(_), b @ Kind::Set(_)])
                if a.fits(b) =>
            {
                a.clone().or(b.clone())
            }
            (Builtin::PowerSet, [set @ Kind::Set(_)]) => Kind::set(set.clone()),
            (Builtin::Product, sets) if sets.iter().all(|set| matches!(set, Kind::Set(_))) => {
                Kind::set(Kind::Tuple(kinds.into_iter().map(Kind::element).collect()))
            }
            _ => Kind::Unknown,
        };
        if kind == Kind::Unknown {
            return self.fails();
        }
        kind
    }
}
