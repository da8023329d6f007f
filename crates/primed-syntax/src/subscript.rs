//! What brackets with subscripts, and brackets alone, mean: `[A]_v`, `<<A>>_v`, `WF_v(A)`, `[a, b]`.

use crate::ast::{BoundPattern, Expr, ExprKind, Ident, Selector, Subscripted};
use crate::fold;
use crate::fold::Item;
use crate::lower::{BoundElement, Builder, Flat, is_word};
use crate::operator;
use crate::span::Span;

/// `[A]_` or `<<A>>_` before the subscript of a fairness formula: which, what is in it, where it begins.
pub(crate) type ActionOpen = (Subscripted, Vec<Expr>, u32);

impl Builder<'_> {
    pub(crate) fn subscripted(&mut self, kind: Subscripted, action: Expr, subscript: Expr, span: Span) -> Expr {
        self.expr(ExprKind::Subscripted { kind, action, subscript }, span.start, span.end)
    }

    /// `<<A>>_v`. Of several expressions SANY takes the second for the subscript and forgets the rest.
    pub(crate) fn angle(&mut self, parts: Vec<Expr>, subscript: Expr, span: Span) -> Expr {
        let mut parts = parts.into_iter();
        let action = parts.next().unwrap_or_else(|| fold::missing(span));
        self.subscripted(Subscripted::Angle, action, parts.next().unwrap_or(subscript), span)
    }

    /// A subscript that is a name. SANY parses arguments behind it and forgets them: `[A]_f(x)` is `[A]_f`.
    pub(crate) fn subscript(&mut self, mut selectors: Vec<Selector>, span: Span) -> Expr {
        let word = |s: &Selector| match s {
            Selector::Name { name, .. } => !name.name.starts_with('<') && operator::operator(&name.name).is_none(),
            Selector::At(_) => true,
            _ => false,
        };
        if !selectors.iter().all(word) {
            self.error("the subscript of an action is a name or stands in parentheses", span);
        }
        let mut end = span.end;
        if let Some(Selector::Name { name, args }) = selectors.last_mut() {
            args.clear();
            end = name.span.end;
        }
        self.name(selectors, Span::new(span.start, end))
    }

    /// `[a, b]`.
    pub(crate) fn bracketed(&mut self, parts: Vec<Flat>, span: Span) -> Expr {
        let parts: Vec<Expr> = parts.into_iter().map(|p| self.fold(p)).collect();
        parts.iter().for_each(|p| self.no_bound_first(p));
        self.expr(ExprKind::Bracketed(parts), span.start, span.end)
    }

    /// `WF_I!v(A)`: to the grammar the action is the last name's argument. The subscript begins at `at`.
    pub(crate) fn fairness_of_name(
        &mut self,
        kind: Subscripted,
        opens: Vec<ActionOpen>,
        mut selectors: Vec<Selector>,
        at: u32,
        span: Span,
    ) -> Expr {
        let action = match selectors.last_mut() {
            Some(Selector::Name { args, .. }) if args.len() == 1 => args.pop(),
            _ => None,
        };
        let Some(action) = action else {
            self.error("expected `(`, an action and `)` after the subscript of a fairness formula", span);
            return fold::missing(span);
        };
        let end = match selectors.last() {
            Some(Selector::Name { name, .. }) => name.span.end,
            _ => span.end,
        };
        let place = Span::new(at, end);
        let subscript = if opens.is_empty() { self.name(selectors, place) } else { self.subscript(selectors, place) };
        self.fairness(kind, opens, subscript, action, span)
    }

    /// `WF_Op(x)(A)`.
    pub(crate) fn fairness_of_application(
        &mut self,
        kind: Subscripted,
        opens: Vec<ActionOpen>,
        (selectors, place): (Vec<Selector>, Span),
        action: Expr,
        span: Span,
    ) -> Expr {
        let subscript = if opens.is_empty() { self.name(selectors, place) } else { self.subscript(selectors, place) };
        self.fairness(kind, opens, subscript, action, span)
    }

    /// `WF_v(A)`, or `WF_[B]_v(A)`.
    pub(crate) fn fairness(
        &mut self,
        kind: Subscripted,
        opens: Vec<ActionOpen>,
        subscript: Expr,
        action: Expr,
        span: Span,
    ) -> Expr {
        let subscript = opens.into_iter().rev().fold(subscript, |inner, (kind, parts, start)| {
            let place = Span::new(start, inner.span.end);
            match kind {
                Subscripted::Angle => self.angle(parts, inner, place),
                _ => {
                    let action = parts.into_iter().next().unwrap_or_else(|| fold::missing(place));
                    self.subscripted(kind, action, inner, place)
                }
            }
        });
        self.subscripted(kind, action, subscript, span)
    }

    /// `WF_[A](B)`: brackets alone are no subscript of fairness, but `[A]_[B]` is, until its level is looked at.
    pub(crate) fn bracketed_subscript(&mut self, opens: &[ActionOpen], subscript: &Expr) {
        if opens.is_empty() {
            self.error("the subscript of a fairness formula is a name or stands in parentheses", subscript.span);
        }
    }

    /// A set of its elements. SANY takes `{<<x, y>> \in` for the beginning of a filter, whatever follows: it refuses what is no
    /// tuple of names, and (later, as an error of its analysis) what turns out to be no filter. `{x \in` begins a filter as well:
    /// all that follows, up to a comma or the end, is the set, so that `{x \in S /\ P}` is `{x \in (S /\ P)}`. And names in a
    /// list before `x \in` begin a bound with several names, which a filter cannot have.
    pub(crate) fn set_of(&mut self, items: Vec<Flat>, span: Span) -> Expr {
        let named = items.iter().take_while(|flat| flat.is_name()).count();
        if let Some(flat) = items.get(named).filter(|flat| named > 0 && flat.begins_bound()) {
            let message = "this begins a filter `{x \\in S : P}`, which has one name: put the formula in parentheses";
            self.error(message, flat.span);
        }
        let mut items = items.into_iter();
        let first = items.next().map(|flat| self.first_element(flat));
        let mut parts: Vec<Expr> = first.into_iter().collect();
        parts.extend(items.map(|flat| self.fold(flat)));
        let member = parts.first().and_then(Expr::leading_member);
        if let Some((left, _)) = member
            && let ExprKind::Tuple(names) = &*left.kind
            && !names.iter().all(|part| matches!(&*part.kind, ExprKind::Name(_)))
        {
            let place = left.span;
            self.error("this begins a filter `{<<x, y>> \\in S : P}`: put the formula in parentheses", place);
        }
        self.expr(ExprKind::SetEnum(parts), span.start, span.end)
    }

    fn first_element(&mut self, flat: Flat) -> Expr {
        let span = flat.span;
        let sign = match flat.items.get(1) {
            Some(Item::Infix(op)) if flat.begins_bound() => op.clone(),
            _ => return self.fold(flat),
        };
        match self.bound_element(flat) {
            Ok(BoundElement::In(BoundPattern::Names(names), set)) => {
                let names =
                    names.into_iter().map(|name| Expr { span: name.span, kind: Box::new(ExprKind::Name(name)) });
                let args = names.chain([set]).collect();
                self.expr(ExprKind::Apply { op: sign, args }, span.start, span.end)
            }
            Ok(_) => fold::missing(span),
            Err(flat) => self.fold(flat),
        }
    }

    /// SANY takes `[x \in` for the beginning of a function, whatever follows.
    pub(crate) fn no_bound_first(&mut self, expr: &Expr) {
        if let Some(span) = leading_bound(expr) {
            self.error("this begins a function `[x \\in S |-> e]`: put the formula in parentheses", span);
        }
    }
}

impl Flat {
    fn is_name(&self) -> bool {
        matches!(self.items.as_slice(), [Item::Operand(e, _)] if is_name(e))
    }

    /// Whether it begins with `x \in`.
    fn begins_bound(&self) -> bool {
        let sign = |op: &Ident| &*op.name == "\\in";
        matches!(self.items.as_slice(), [Item::Operand(e, _), Item::Infix(op), ..] if is_name(e) && sign(op))
    }
}

fn is_name(expr: &Expr) -> bool {
    matches!(&*expr.kind, ExprKind::Name(name) if is_word(name))
}

/// Where an expression begins with `x \in` or `<<x, y>> \in`, outside of parentheses.
fn leading_bound(expr: &Expr) -> Option<Span> {
    let (left, sign) = expr.leading_member()?;
    let name = |e: &Expr| matches!(&*e.kind, ExprKind::Name(_));
    let pattern = match &*left.kind {
        ExprKind::Tuple(items) => items.iter().all(name),
        _ => name(left),
    };
    pattern.then(|| left.span.to(sign))
}
