//! The precedence fold: flat lists of operands and operators to trees.
//!
//! Precedences are ranges; two operators whose ranges overlap may not meet without parentheses, with the exception of a
//! left-associative operator that meets itself. The rules and their order are those of SANY's `OperatorStack`.

use crate::MAX_NESTING;
use crate::ast::{Expr, ExprKind, Ident};
use crate::diagnostic::Diagnostic;
use crate::operator::{self, Associativity, OperatorInfo};
use crate::span::Span;

/// One element of a flat list.
#[derive(Debug)]
pub(crate) enum Item {
    /// An operand and how deep it is.
    Operand(Expr, usize),
    Prefix(Ident),
    Infix(Ident),
    Postfix(Ident),
    /// `[a, b]` after an operand, and how deep the arguments are.
    Index(Vec<Expr>, Span, usize),
    Field(Ident),
}

/// A folded list.
pub(crate) struct Folded {
    pub(crate) expr: Expr,
    pub(crate) depth: usize,
    pub(crate) errors: Vec<Diagnostic>,
    /// The tree would be deeper than allowed; `expr` is then a part of it.
    pub(crate) too_deep: bool,
}

/// Function application binds like a postfix operator of this precedence.
const APPLICATION: (u8, u8) = (16, 16);

/// Folds a list. A list without an operand (which the grammar does not make) becomes the name `?`.
pub(crate) fn fold(items: Vec<Item>, span: Span) -> Folded {
    let mut fold = Fold { operands: Vec::new(), pending: Vec::new(), errors: Vec::new(), too_deep: false };
    for item in items {
        fold.item(item);
    }
    while fold.reduce() {}
    let (expr, depth) = fold.operands.pop().unwrap_or_else(|| (missing(span), 1));
    Folded { expr, depth, errors: fold.errors, too_deep: fold.too_deep }
}

/// What stands for an expression that could not be understood.
pub(crate) fn missing(span: Span) -> Expr {
    Expr { kind: Box::new(ExprKind::Name(Ident { name: "?".into(), span })), span }
}

struct Pending {
    op: Ident,
    range: (u8, u8),
    left_associative: bool,
    prefix: bool,
}

struct Fold {
    operands: Vec<(Expr, usize)>,
    pending: Vec<Pending>,
    errors: Vec<Diagnostic>,
    too_deep: bool,
}

impl Fold {
    fn item(&mut self, item: Item) {
        match item {
            Item::Operand(expr, depth) => {
                self.check_label(&expr);
                self.operands.push((expr, depth));
            }
            Item::Prefix(op) => {
                let pending = pending(op, true);
                // SANY: a minus may follow an operator only if that binds less; other prefix operators always may.
                if pending.op.name.as_ref() == "-."
                    && let Some(left) = self.pending.last().filter(|l| l.range.0 > pending.range.1)
                {
                    self.errors.push(conflict(&left.op, &pending.op));
                }
                self.pending.push(pending);
            }
            Item::Infix(op) => {
                let pending = pending(op, false);
                self.meet(&pending.op, pending.range, pending.left_associative);
                self.pending.push(pending);
            }
            Item::Postfix(op) => {
                let range = range(operator::operator(&op.name));
                self.meet(&op, range, false);
                self.apply(|operand| {
                    let span = operand.span.to(op.span);
                    Expr { kind: Box::new(ExprKind::Apply { op, args: vec![operand] }), span }
                });
            }
            Item::Index(args, span, depth) => {
                self.meet(&Ident { name: "[".into(), span }, APPLICATION, true);
                if let Some(operand) = self.operands.last_mut() {
                    operand.1 = operand.1.max(depth);
                }
                self.apply(|function| {
                    let span = function.span.to(span);
                    Expr { kind: Box::new(ExprKind::FunctionApply { function, args }), span }
                });
            }
            Item::Field(field) => self.apply(|record| {
                let span = record.span.to(field.span);
                Expr { kind: Box::new(ExprKind::Field { record, field }), span }
            }),
        }
    }

    /// A label may not change how what stands around it belongs together: `a * lab :: b + c` is refused.
    fn check_label(&mut self, expr: &Expr) {
        let ExprKind::Label { body, .. } = &*expr.kind else { return };
        let ExprKind::Apply { op, args } = &*body.kind else { return };
        if !args.first().is_some_and(|a| args.len() > 1 && a.span.start < op.span.start) {
            return;
        }
        let inner = range(operator::operator(&op.name));
        if let Some(left) = self.pending.last().filter(|left| left.range.1 >= inner.0) {
            self.errors.push(conflict(&left.op, op));
        }
    }

    /// Reduces what binds tighter than an operator that comes next, and complains if that cannot be told.
    fn meet(&mut self, right: &Ident, range: (u8, u8), left_associative: bool) {
        while let Some(left) = self.pending.last() {
            let same = left_associative && !left.prefix && left.op.name == right.name;
            if left.range.1 < range.0 {
                return;
            }
            if left.range.0 <= range.1 && !same {
                let error = conflict(&left.op, right);
                self.errors.push(error);
            }
            if !self.reduce() {
                return;
            }
        }
    }

    /// Applies the last pending operator.
    fn reduce(&mut self) -> bool {
        let Some(top) = self.pending.pop() else {
            return false;
        };
        if top.prefix {
            self.apply(|operand| {
                let span = top.op.span.to(operand.span);
                Expr { kind: Box::new(ExprKind::Apply { op: top.op, args: vec![operand] }), span }
            });
            return true;
        }
        let (Some((right, right_depth)), Some(left)) = (self.operands.pop(), self.operands.last_mut()) else {
            return false;
        };
        left.1 = left.1.max(right_depth);
        self.apply(|left| infix(top.op, left, right));
        true
    }

    /// Replaces the last operand by something one level higher.
    fn apply(&mut self, make: impl FnOnce(Expr) -> Expr) {
        if let Some((operand, depth)) = self.operands.pop() {
            if depth >= MAX_NESTING {
                self.too_deep = true;
                self.operands.push((missing(operand.span), 1));
            } else {
                self.operands.push((make(operand), depth + 1));
            }
        }
    }
}

/// `a \X b \X c` is one product of three; `(a \X b) \X c` is not, its left side is a `Paren`.
fn infix(op: Ident, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    match *left.kind {
        ExprKind::Apply { op: first, mut args }
            if op.name.as_ref() == "\\times" && first.name == op.name && first.span.start > left.span.start =>
        {
            args.push(right);
            Expr { kind: Box::new(ExprKind::Apply { op: first, args }), span }
        }
        kind => {
            let left = Expr { kind: Box::new(kind), span: left.span };
            Expr { kind: Box::new(ExprKind::Apply { op, args: vec![left, right] }), span }
        }
    }
}

fn pending(op: Ident, prefix: bool) -> Pending {
    let info = operator::operator(&op.name);
    let left_associative = info.is_some_and(|o| o.associativity == Associativity::Left);
    Pending { op, range: range(info), left_associative, prefix }
}

fn range(info: Option<&OperatorInfo>) -> (u8, u8) {
    info.map_or((1, 17), |o| (o.low, o.high))
}

fn conflict(left: &Ident, right: &Ident) -> Diagnostic {
    let shown = |op: &Ident| {
        if op.name.as_ref() == "-." { "-".to_owned() } else { op.name.to_string() }
    };
    let message = format!("precedence conflict between `{}` and `{}`", shown(left), shown(right));
    Diagnostic::error(4003, message, right.span)
        .with_help("add parentheses to say which one is applied first")
        .with_note("the other operator", left.span)
}
