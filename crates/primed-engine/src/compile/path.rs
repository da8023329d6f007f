//! Parts of the values of variables: `v[i].f`.

use primed_semantics::model::{Expr, ExprKind};

use super::{Compiler, Names};
use crate::node::Code;
use crate::nodes::{atoms, functions, path};

impl<'m> Compiler<'m> {
    /// `v[i].f` for a variable.
    pub(super) fn path(&mut self, expr: &'m Expr, names: &Names<'m>) -> Code {
        let (mut at, mut steps) = (expr, Vec::new());
        loop {
            match &*at.kind {
                ExprKind::Apply(function, argument) => {
                    steps.push((functions::Step::Index(self.code(argument, names)), at.place));
                    at = function;
                }
                ExprKind::Select(inner, field) => {
                    steps.push((functions::Step::Field(*field), at.place));
                    at = inner;
                }
                ExprKind::Variable(v) => {
                    steps.reverse();
                    let variable = atoms::Variable { number: v.0, place: at.place };
                    let record = match &*expr.kind {
                        ExprKind::Select(inner, _) => Some(inner.place),
                        _ => None,
                    };
                    return Box::new(path::Path::new(path::Chain { variable, steps }, record));
                }
                _ => return self.unsupported("this expression", at.place),
            }
        }
    }
}

/// A variable, or a part of its value, by functions and records inside each other.
pub(super) fn is_path(expr: &Expr) -> bool {
    let mut at = expr;
    loop {
        match &*at.kind {
            ExprKind::Variable(_) => return true,
            ExprKind::Apply(inner, _) | ExprKind::Select(inner, _) => at = inner,
            _ => return false,
        }
    }
}
