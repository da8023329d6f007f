//! Quantifiers over the messages of one kind.

use primed_semantics::model::{Argument, Bound, Builtin, Expr, ExprKind, LocalId};
use primed_value::value::Value;

use super::Compiler;
use crate::nodes::kind::KindTest;

/// Definitions followed to the first condition.
const DEPTH: usize = 20;

impl<'m> Compiler<'m> {
    /// The test that a body begins with: where it is false the body of `\E` or of a filtered set is, too. None if
    /// evaluations are counted.
    pub(super) fn kind_test(&self, bounds: &'m [Bound], body: &'m Expr) -> Option<KindTest> {
        let [bound] = bounds else { return None };
        let [local] = bound.locals.as_slice() else { return None };
        if bound.tuple || self.costs.is_some() {
            return None;
        }
        self.first_test(body, local.local)
    }

    /// As [`Compiler::kind_test`], where `\A` is true if the test is false.
    pub(super) fn kind_premise(&self, bounds: &'m [Bound], body: &'m Expr) -> Option<KindTest> {
        match &*body.kind {
            ExprKind::Builtin { op: Builtin::Implies, args } => self.kind_test(bounds, args.first()?),
            _ => None,
        }
    }

    fn first_test(&self, body: &'m Expr, local: LocalId) -> Option<KindTest> {
        let (mut at, mut local) = (body, local);
        for _ in 0..DEPTH {
            match &*at.kind {
                ExprKind::Junction { and: true, items } => at = items.first()?,
                ExprKind::Builtin { op: Builtin::And, args } => at = args.first()?,
                ExprKind::Let { body, .. } => at = body,
                ExprKind::Builtin { op: Builtin::Equal, args } => {
                    let [left, right] = args.as_slice() else { return None };
                    return self.field_test(left, right, local).or_else(|| self.field_test(right, left, local));
                }
                ExprKind::Call { definition, args } => {
                    let definition = self.model.definition(*definition);
                    if definition.recursive || crate::natives::lookup(definition).is_some() {
                        return None;
                    }
                    let passed = |arg: &Argument| matches!(arg, Argument::Value(e) if is_local(e, local));
                    local = definition.params.get(args.iter().position(passed)?)?.local;
                    at = &definition.body;
                }
                _ => return None,
            }
        }
        None
    }

    fn field_test(&self, left: &'m Expr, right: &'m Expr, local: LocalId) -> Option<KindTest> {
        match &*left.kind {
            ExprKind::Select(record, field) if is_local(record, local) => {
                Some(KindTest { field: *field, value: self.kind_value(right)? })
            }
            _ => None,
        }
    }

    /// A string or model value, or a definition that is one.
    fn kind_value(&self, expr: &'m Expr) -> Option<Value<'static>> {
        let mut at = expr;
        for _ in 0..DEPTH {
            match &*at.kind {
                ExprKind::String(s) => return Some(Value::String(*s)),
                ExprKind::Model(m) => return Some(Value::Model(*m)),
                ExprKind::Call { definition, args } if args.is_empty() => {
                    let definition = self.model.definition(*definition);
                    if crate::natives::lookup(definition).is_some() {
                        return None;
                    }
                    at = &definition.body;
                }
                _ => return None,
            }
        }
        None
    }
}

fn is_local(expr: &Expr, local: LocalId) -> bool {
    matches!(&*expr.kind, ExprKind::Local(other) if *other == local)
}
