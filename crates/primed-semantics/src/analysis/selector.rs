//! The parts of a name with `!`.

use primed_syntax::ast::{Expr, Ident, Selector};
use primed_syntax::span::Span;

/// A selector, borrowed from the tree: what an application is given is never copied.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Name(&'a Ident, &'a [Expr]),
    Child(u32, Span),
    Left(Span),
    Right(Span),
    Whole(Span),
    At(Span),
    Args(&'a [Expr], Span),
}

impl<'a> From<&'a Selector> for Part<'a> {
    fn from(selector: &'a Selector) -> Part<'a> {
        match selector {
            Selector::Name { name, args } => Part::Name(name, args),
            Selector::Child(n, span) => Part::Child(*n, *span),
            Selector::Left(span) => Part::Left(*span),
            Selector::Right(span) => Part::Right(*span),
            Selector::Whole(span) => Part::Whole(*span),
            Selector::At(span) => Part::At(*span),
            Selector::Args(args, span) => Part::Args(args, *span),
        }
    }
}

/// The arguments of a selector.
pub(super) fn arguments<'a>(part: Part<'a>) -> &'a [Expr] {
    match part {
        Part::Name(_, args) | Part::Args(args, _) => args,
        _ => &[],
    }
}

/// A selector in SANY's words.
pub(super) fn shown(part: Part<'_>) -> String {
    match part {
        Part::Name(name, _) => name.name.to_string(),
        Part::Child(n, _) => format!("argument selector {n}"),
        Part::Left(_) => "<<".into(),
        Part::Right(_) => ">>".into(),
        Part::Whole(_) => ":".into(),
        Part::At(_) => "@".into(),
        Part::Args(..) => "!(...)".into(),
    }
}

/// The operand, from 1, that a selector means among `count`.
pub(super) fn number(part: Part<'_>, count: usize) -> Option<usize> {
    match part {
        Part::Child(n, _) => Some(n as usize).filter(|n| (1..=count).contains(n)),
        Part::Left(_) => (count > 0).then_some(1),
        Part::Right(_) => (count == 2).then_some(2),
        _ => None,
    }
}
