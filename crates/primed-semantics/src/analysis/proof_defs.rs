//! What stands after DEF: the names of definitions, and what SANY says of anything else.

use primed_syntax::ast::{Expr, ExprKind as Ast};
use primed_syntax::span::Span;

use super::expression::is_sign;
use super::graph::SymbolKind;
use super::select::{Found, Wanted};
use super::selected::general_parts;
use super::table::Analyser;

/// Where an entry is no name, and what SANY finds there.
struct Unexpected {
    at: Span,
    what: &'static str,
    /// SANY also says that it wanted a name.
    named: bool,
}

impl Analyser {
    /// An entry after DEF; whether it is a definition.
    pub(super) fn definition_fact(&mut self, expr: &Expr) -> bool {
        let spot = self.spot(expr.span);
        let not_defined = "DEF clause entry should describe a defined operator.";
        if self.no_general_name(expr) {
            self.error(4200, spot, not_defined);
            return false;
        }
        let Ok(found) = self.select(&general_parts(expr), Wanted::DEFINITION, spot) else {
            self.error(4200, spot, not_defined);
            return false;
        };
        let Found::Symbol(sym) = found else { return false };
        let symbol = self.graph.symbol(sym);
        let step = symbol.kind == SymbolKind::Fact && symbol.name.starts_with('<');
        if step {
            self.error(4200, spot, not_defined);
        }
        !step
    }

    /// Complains of an expression that is no name, as far as SANY can tell what it is; whether it was one.
    fn no_general_name(&mut self, expr: &Expr) -> bool {
        if let Ast::Apply { op, args } = &*expr.kind
            && !is_sign(&op.name)
            && let Some(last) = args.last()
        {
            let between = self.written(Span::new(op.span.end, last.span.start));
            let blank = between.len() - between.trim_start().len();
            self.error(4003, self.spot(expr.span), "Was expecting a GeneralId.");
            let at = Span::new(op.span.end + blank as u32, expr.span.end);
            self.error(4005, self.spot(at), "Selector `!(...)' should not have argument(s).");
            return true;
        }
        let Some(Unexpected { at, what, named }) = self.unexpected(expr) else { return false };
        if named {
            self.error(4003, self.spot(expr.span), "Was expecting a GeneralId.");
        }
        self.error(4003, self.spot(at), "Unexpected token found.");
        self.error(4005, self.spot(at), format!("Need name or step number here, not `{what}'."));
        true
    }

    fn unexpected(&self, expr: &Expr) -> Option<Unexpected> {
        let name = |e: &Expr| matches!(&*e.kind, Ast::Name(_));
        let found = |at: Span, what, named| Some(Unexpected { at, what, named });
        match &*expr.kind {
            Ast::Paren(inner) if name(inner) => found(inner.span, "N_GeneralId", false),
            Ast::Tuple(items) | Ast::SetEnum(items) => {
                let first = items.first().filter(|e| name(e))?;
                found(first.span, "N_GeneralId", false)
            }
            Ast::FunctionApply { function, .. } if name(function) => found(self.sign_behind(function, '['), "[", true),
            Ast::Field { record, .. } if name(record) => found(self.sign_behind(record, '.'), ".", true),
            Ast::Apply { op, args } => {
                let first = args.first().filter(|e| name(e))?;
                match first.span.start < op.span.start {
                    true if args.len() == 1 => found(op.span, "N_GenPostfixOp", true),
                    true => found(op.span, "N_GenInfixOp", true),
                    false if self.written(op.span.to(first.span)).contains('(') => None,
                    false => found(first.span, "N_GeneralId", true),
                }
            }
            _ => None,
        }
    }

    /// The place of a sign that comes next after an expression.
    fn sign_behind(&self, before: &Expr, sign: char) -> Span {
        let end = before.span.end;
        let text = self.sources.get(self.file as usize).map_or("", |f| f.text());
        let at = text.get(end as usize..).and_then(|t| t.find(sign)).map_or(end, |i| end + i as u32);
        Span::new(at, at + 1)
    }
}
