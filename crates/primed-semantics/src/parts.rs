//! The parts that the syntax gives an expression, numbered as subexpression names number them (*TLA+ Version 2*, section 6).

use primed_syntax::ast::{self, Assertion, AssumeItem, Expr, ExprKind, Ident, Selector, Subscripted};

use crate::analysis::deeper;

/// Something that a selection can lead to.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Expr(&'a Expr),
    /// The right-hand side of `f[bounds] == body`.
    Function {
        name: &'a Ident,
        bounds: &'a [ast::Bound],
        body: &'a Expr,
    },
    /// The indices of `f[a, b]`.
    Tuple(&'a [Expr]),
    /// The name of a field.
    Text(&'a Ident),
    Assertion(&'a Assertion),
}

/// What binds names between an expression and a part of it.
#[derive(Clone, Copy)]
pub(crate) enum Binder<'a> {
    Bounds(&'a [ast::Bound]),
    Params(&'a [Ident]),
    Let(&'a [ast::Unit]),
}

impl<'a> Part<'a> {
    /// Without parentheses and labels around it.
    pub(crate) fn plain(self) -> Part<'a> {
        let mut part = self;
        loop {
            part = match part {
                Part::Assertion(Assertion::Expr(e)) => Part::Expr(e),
                Part::Expr(e) => match &*e.kind {
                    ExprKind::Paren(inner) | ExprKind::Label { body: inner, .. } => Part::Expr(inner),
                    _ => return part,
                },
                _ => return part,
            }
        }
    }
}

/// The number that a selector means among `count` operands, from 0.
pub(crate) fn number(selector: &Selector, count: usize) -> Option<usize> {
    match selector {
        Selector::Child(n, _) => (*n as usize).checked_sub(1).filter(|n| *n < count),
        Selector::Left(_) => (count > 0).then_some(0),
        Selector::Right(_) => (count == 2).then_some(1),
        _ => None,
    }
}

/// The names that bounds bind, in order.
pub(crate) fn bound_names(bounds: &[ast::Bound]) -> impl Iterator<Item = &Ident> {
    bounds.iter().flat_map(|b| match &b.pattern {
        ast::BoundPattern::Names(names) | ast::BoundPattern::Tuple(names) => names,
    })
}

/// Bounds and body, if an expression has them.
pub(crate) fn binder(expr: &Expr) -> Option<(&[ast::Bound], &Expr)> {
    match &*expr.kind {
        ExprKind::Quantified { bounds, body, .. }
        | ExprKind::SetMap { body, bounds }
        | ExprKind::Function { bounds, body } => Some((bounds, body)),
        ExprKind::Choose { bound, body } | ExprKind::SetFilter { bound, body } => {
            Some((std::slice::from_ref(bound), body))
        }
        _ => None,
    }
}

/// The operand of this number, if the operands of the expression are no more than that: its parts in the order in which SANY
/// has them.
pub(crate) fn operand<'a>(expr: &'a Expr, selector: &Selector) -> Option<Part<'a>> {
    if let ExprKind::Field { record, field } = &*expr.kind {
        return Some([Part::Expr(record), Part::Text(field)][number(selector, 2)?]);
    }
    if let ExprKind::FunctionApply { function, args } = &*expr.kind {
        return match (number(selector, 2)?, &args[..]) {
            (0, _) => Some(Part::Expr(function)),
            (_, [one]) => Some(Part::Expr(one)),
            (_, many) => Some(Part::Tuple(many)),
        };
    }
    if let ExprKind::Except { function, .. } = &*expr.kind {
        return matches!(selector, Selector::Child(1, _) | Selector::Left(_)).then_some(Part::Expr(function));
    }
    let operands = operands(expr);
    operands.get(number(selector, operands.len())?).map(|e| Part::Expr(e))
}

fn operands(expr: &Expr) -> Vec<&Expr> {
    match &*expr.kind {
        ExprKind::Apply { args: items, .. }
        | ExprKind::Junction(_, items)
        | ExprKind::SetEnum(items)
        | ExprKind::Tuple(items) => items.iter().collect(),
        ExprKind::Qualified(parts) => {
            let args = parts.iter().map(|part| match part {
                Selector::Name { args, .. } | Selector::Args(args, _) => &args[..],
                _ => &[],
            });
            args.flatten().collect()
        }
        ExprKind::FunctionSet(a, b) => vec![a, b],
        ExprKind::Record(fields) | ExprKind::RecordSet(fields) => fields.iter().map(|(_, e)| e).collect(),
        ExprKind::Subscripted { kind: Subscripted::Square | Subscripted::Angle, action, subscript } => {
            vec![action, subscript]
        }
        ExprKind::Subscripted { action, subscript, .. } => vec![subscript, action],
        ExprKind::If(a, b, c) => vec![a, b, c],
        _ => Vec::new(),
    }
}

/// A label inside of something, with what binds names on the way to it, outermost first.
pub(crate) struct Labelled<'a> {
    pub(crate) way: Vec<Binder<'a>>,
    pub(crate) params: &'a [Ident],
    pub(crate) body: Part<'a>,
}

/// The label of this name that does not stand in another label or in a definition of a LET.
pub(crate) fn find_label<'a>(part: Part<'a>, label: &str) -> Option<Labelled<'a>> {
    let mut way = Vec::new();
    let (params, body) = match part {
        Part::Expr(e) => in_expr(e, label, &mut way)?,
        Part::Function { bounds, body, .. } => under(Binder::Bounds(bounds), body, label, &mut way)?,
        Part::Assertion(assertion) => in_assertion(assertion, label, &mut way)?,
        Part::Tuple(_) | Part::Text(_) => return None,
    };
    Some(Labelled { way, params, body })
}

type Found<'a> = Option<(&'a [Ident], Part<'a>)>;

fn in_assertion<'a>(assertion: &'a Assertion, label: &str, way: &mut Vec<Binder<'a>>) -> Found<'a> {
    match assertion {
        Assertion::Expr(e) => in_expr(e, label, way),
        Assertion::AssumeProve { assumptions, goal, .. } => {
            let found = assumptions.iter().find_map(|item| match item {
                AssumeItem::Assertion { label: Some(name), assertion } => {
                    (*name.name == *label).then_some((&[][..], Part::Assertion(assertion)))
                }
                AssumeItem::Assertion { label: None, assertion } => deeper(|| in_assertion(assertion, label, way)),
                AssumeItem::New { set, .. } => set.as_ref().and_then(|s| in_expr(s, label, way)),
            });
            found.or_else(|| in_expr(goal, label, way))
        }
    }
}

fn under<'a>(binder: Binder<'a>, body: &'a Expr, label: &str, way: &mut Vec<Binder<'a>>) -> Found<'a> {
    way.push(binder);
    let found = in_expr(body, label, way);
    if found.is_none() {
        way.pop();
    }
    found
}

fn in_expr<'a>(expr: &'a Expr, label: &str, way: &mut Vec<Binder<'a>>) -> Found<'a> {
    deeper(|| match &*expr.kind {
        ExprKind::Label { name, params, body } => (*name.name == *label).then_some((&params[..], Part::Expr(body))),
        ExprKind::Paren(inner) => in_expr(inner, label, way),
        ExprKind::Let { units, body } => under(Binder::Let(units), body, label, way),
        ExprKind::Lambda { params, body } => under(Binder::Params(params), body, label, way),
        ExprKind::Case { arms, other } => {
            let found = arms.iter().find_map(|(a, b)| in_expr(a, label, way).or_else(|| in_expr(b, label, way)));
            found.or_else(|| other.as_ref().and_then(|e| in_expr(e, label, way)))
        }
        ExprKind::FunctionApply { function, args } => {
            in_expr(function, label, way).or_else(|| args.iter().find_map(|a| in_expr(a, label, way)))
        }
        ExprKind::Except { function: inner, .. } | ExprKind::Field { record: inner, .. } => in_expr(inner, label, way),
        _ => match binder(expr) {
            Some((bounds, body)) => {
                let found = bounds.iter().filter_map(|b| b.set.as_ref()).find_map(|s| in_expr(s, label, way));
                found.or_else(|| under(Binder::Bounds(bounds), body, label, way))
            }
            None => operands(expr).into_iter().find_map(|e| in_expr(e, label, way)),
        },
    })
}
