//! Where a specification has `SUBSET` of a set that may be empty, by its syntax tree: TLC has flaws with `SUBSET {}`.

use primed_syntax::ast::{
    Bound, BoundPattern, DefinitionBody, ExceptStep, Expr, ExprKind, Module, Selector, Unit, UnitKind,
};
use primed_syntax::parse_file;
use primed_syntax::span::SourceFile;

/// Several names are bound over one `SUBSET` of a set that may be empty: `\A a, b \in SUBSET {} : P`.
pub fn are_shared(text: &str) -> bool {
    any(text, &mut |seen| match seen {
        Seen::Bound(Bound { pattern: BoundPattern::Names(names), set: Some(set) }) => {
            names.len() > 1 && is_subset_of_nothing(set)
        }
        _ => false,
    })
}

/// `SUBSET` of a set that may be empty is an operand of a union.
pub fn are_united(text: &str) -> bool {
    any(text, &mut |seen| match seen {
        Seen::Expr(expr) => match &*expr.kind {
            ExprKind::Apply { op, args } => {
                matches!(&*op.name, "\\cup" | "\\union") && args.iter().any(is_subset_of_nothing)
            }
            _ => false,
        },
        Seen::Bound(_) => false,
    })
}

enum Seen<'a> {
    Expr(&'a Expr),
    Bound(&'a Bound),
}

fn is_subset_of_nothing(set: &Expr) -> bool {
    match &*set.kind {
        ExprKind::Paren(inner) => is_subset_of_nothing(inner),
        ExprKind::Apply { op, args } if &*op.name == "SUBSET" => args.iter().all(may_be_empty),
        _ => false,
    }
}

/// Nothing in how the set is written says that it has an element.
fn may_be_empty(set: &Expr) -> bool {
    match &*set.kind {
        ExprKind::Paren(inner) => may_be_empty(inner),
        ExprKind::SetEnum(items) => items.is_empty(),
        ExprKind::Apply { op, args } => match (&*op.name, args.as_slice()) {
            ("\\cup" | "\\union", args) => args.iter().all(may_be_empty),
            ("SUBSET", _) => false,
            ("..", [low, high]) => match (number(low), number(high)) {
                (Some(low), Some(high)) => low > high,
                _ => true,
            },
            _ => true,
        },
        _ => true,
    }
}

fn number(expr: &Expr) -> Option<i64> {
    match &*expr.kind {
        ExprKind::Number { digits, base: 10 } => digits.parse().ok(),
        _ => None,
    }
}

/// Whether something holds of an expression of a text, or of what one binds.
fn any(text: &str, holds: &mut dyn FnMut(Seen<'_>) -> bool) -> bool {
    let parsed = parse_file(&SourceFile::new("module", text));
    let mut todo = Vec::new();
    parsed.modules.iter().for_each(|module| of_module(module, &mut todo));
    while let Some(expr) = todo.pop() {
        if holds(Seen::Expr(expr)) || bounds(expr).iter().any(|bound| holds(Seen::Bound(bound))) {
            return true;
        }
        todo.extend(bounds(expr).iter().filter_map(|bound| bound.set.as_ref()));
        parts(expr, &mut todo);
    }
    false
}

fn of_module<'a>(module: &'a Module, todo: &mut Vec<&'a Expr>) {
    module.units.iter().for_each(|unit| of_unit(unit, todo));
}

fn of_unit<'a>(unit: &'a Unit, todo: &mut Vec<&'a Expr>) {
    match &unit.kind {
        UnitKind::Definition(definition) => match &definition.body {
            DefinitionBody::Operator(body) => todo.push(body),
            DefinitionBody::Function { bounds, body } => {
                todo.push(body);
                todo.extend(bounds.iter().filter_map(|bound| bound.set.as_ref()));
            }
            DefinitionBody::Instance(_) => {}
        },
        UnitKind::Assumption(assumption) => todo.push(&assumption.body),
        UnitKind::Module(module) => of_module(module, todo),
        _ => {}
    }
}

/// What an expression binds.
fn bounds(expr: &Expr) -> &[Bound] {
    match &*expr.kind {
        ExprKind::Quantified { bounds, .. } | ExprKind::SetMap { bounds, .. } | ExprKind::Function { bounds, .. } => {
            bounds
        }
        ExprKind::Choose { bound, .. } | ExprKind::SetFilter { bound, .. } => std::slice::from_ref(bound),
        _ => &[],
    }
}

/// The expressions that one consists of, but for the sets of what it binds.
fn parts<'a>(expr: &'a Expr, todo: &mut Vec<&'a Expr>) {
    match &*expr.kind {
        ExprKind::Apply { args: all, .. }
        | ExprKind::Junction(_, all)
        | ExprKind::SetEnum(all)
        | ExprKind::Tuple(all)
        | ExprKind::Bracketed(all) => todo.extend(all),
        ExprKind::Qualified(selectors) => todo.extend(selectors.iter().flat_map(arguments)),
        ExprKind::Quantified { body, .. }
        | ExprKind::Choose { body, .. }
        | ExprKind::SetFilter { body, .. }
        | ExprKind::SetMap { body, .. }
        | ExprKind::Function { body, .. }
        | ExprKind::Lambda { body, .. }
        | ExprKind::Label { body, .. }
        | ExprKind::Paren(body) => todo.push(body),
        ExprKind::FunctionSet(a, b) => todo.extend([a, b]),
        ExprKind::Record(fields) | ExprKind::RecordSet(fields) => todo.extend(fields.iter().map(|(_, e)| e)),
        ExprKind::Except { function, updates } => {
            todo.push(function);
            for update in updates {
                todo.push(&update.value);
                todo.extend(update.path.iter().flat_map(|step| match step {
                    ExceptStep::Index(all) => all.as_slice(),
                    ExceptStep::Field(_) => &[],
                }));
            }
        }
        ExprKind::FunctionApply { function, args } => {
            todo.push(function);
            todo.extend(args);
        }
        ExprKind::Field { record, .. } => todo.push(record),
        ExprKind::Subscripted { action, subscript, .. } => todo.extend([action, subscript]),
        ExprKind::If(a, b, c) => todo.extend([a, b, c]),
        ExprKind::Case { arms, other } => {
            todo.extend(arms.iter().flat_map(|(a, b)| [a, b]));
            todo.extend(other);
        }
        ExprKind::Let { units, body } => {
            units.iter().for_each(|unit| of_unit(unit, todo));
            todo.push(body);
        }
        ExprKind::Number { .. } | ExprKind::Decimal(_) | ExprKind::String(_) | ExprKind::Name(_) => {}
    }
}

fn arguments(selector: &Selector) -> &[Expr] {
    match selector {
        Selector::Name { args, .. } | Selector::Args(args, _) => args,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(definition: &str) -> String {
        format!("---- MODULE M ----\nEXTENDS Integers\nCONSTANT S\n{definition}\n====\n")
    }

    #[test]
    fn names_that_share_the_subsets_of_nothing_are_seen() {
        let shared = |text: &str| are_shared(&module(text));
        assert!(shared("Inv == (\\A bq1, bq2 \\in (SUBSET {}) : FALSE)"));
        assert!(shared("F == {<<a, b>> : a, b \\in SUBSET ({} \\cap S)}"));
        assert!(shared("F == LET G(x) == [a, b \\in SUBSET (2..1) |-> x] IN <<G(1), [r |-> 1]>>"));
        assert!(shared("F[x \\in S] == CASE x = 1 -> TRUE [] OTHER -> \\E a, b \\in SUBSET S : a # b"));
        assert!(!shared("F == \\E a \\in SUBSET {}, b \\in {1} : TRUE"));
        assert!(!shared("F == \\E a \\in {1}, b \\in SUBSET {1} : TRUE"));
        assert!(!shared("F == \\A a, b \\in S : a \\in SUBSET {}"));
        assert!(!shared("F == \\A a, b \\in SUBSET {1} : TRUE"));
        assert!(!shared("F == \"\\\\A a, b \\\\in SUBSET {}\" \\* \\A a, b \\in SUBSET {} : TRUE"));
    }

    #[test]
    fn so_are_subsets_that_are_united_with_others() {
        let united = |text: &str| are_united(&module(text));
        assert!(united("F == (SUBSET {}) \\cup {S}"));
        assert!(united("F == {S} \\union (SUBSET (3..2))"));
        assert!(!united("F == (SUBSET {1}) \\cup {{}}"));
        assert!(!united("F == SUBSET ({} \\cup {1})"));
        assert!(!united("F == SUBSET {} \\* \\cup"));
    }
}
