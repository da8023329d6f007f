//! Where SANY places a syntax error. Its parser looks ahead, and gives up at a token before the one that cannot stand where it is.

use crate::layout::ends_operand;
use crate::span::Span;
use crate::token::{Lexeme, Tok};

/// A place that begins where SANY's does and reaches to the token that was found. `expected` are names of terminals.
pub(crate) fn as_sany(tokens: &[Lexeme], expected: &[String], found: Span) -> Span {
    let index = tokens.partition_point(|t| t.span.start < found.start);
    // The end of a list item or of a CASE has no text: what comes next ends it.
    let found = match tokens.get(index) {
        Some(next) if found.start == found.end => next.span,
        _ => found,
    };
    match first(tokens, expected, index).and_then(|i| tokens.get(i)) {
        Some(token) => token.span.to(found),
        None => found,
    }
}

/// The token that SANY names instead of the one that was found.
fn first(tokens: &[Lexeme], expected: &[String], index: usize) -> Option<usize> {
    let wants = |name: &str| expected.iter().any(|e| e.trim_matches('"').trim() == name);
    let tok = |back: usize| index.checked_sub(back).and_then(|i| tokens.get(i)).map(|t| t.tok);
    let name = |back: usize| tok(back) == Some(Tok::Ident);
    let sign = |back: usize| matches!(tok(back), Some(Tok::Infix(_) | Tok::Minus(_) | Tok::And(_) | Tok::Or(_)));
    let defined = tokens.get(index).is_some_and(|t| t.tok == Tok::DefEq);
    match tok(1)? {
        _ if defined => None,
        Tok::Local => Some(index - 1),
        Tok::LParen if wants("IF") && tok(2).is_some_and(ends_operand) => Some(index - 1),
        // The head of a definition that is none.
        Tok::Ident if wants("==") && wants("(") => Some(index - 1),
        Tok::Ident if wants("==") && sign(2) && name(3) => Some(index - 3),
        Tok::Ident if wants("==") && matches!(tok(2), Some(Tok::Prefix(_) | Tok::Minus(_))) => Some(index - 2),
        Tok::Postfix(_) if wants("==") && name(2) => Some(index - 2),
        Tok::RParen | Tok::RBracket if wants("==") => opened(tokens, index).filter(|i| is_name(tokens, *i)),
        _ if expected.len() == 1 && wants("name") && sign(1) && name(2) => Some(index - 2),
        Tok::Ident if wants(")") && wants(",") && !wants("infix") => parameters(tokens, index),
        _ => None,
    }
}

fn is_name(tokens: &[Lexeme], index: usize) -> bool {
    tokens.get(index).is_some_and(|t| t.tok == Tok::Ident)
}

/// The name before `(x, y`, unless what follows shows that a definition begins there.
fn parameters(tokens: &[Lexeme], index: usize) -> Option<usize> {
    let before = tokens.get(..index)?;
    let open = before.iter().rposition(|t| !matches!(t.tok, Tok::Ident | Tok::Comma))?;
    let name = open.checked_sub(1).filter(|i| is_name(tokens, *i))?;
    let mut after =
        tokens.get(index..)?.iter().map(|t| t.tok).skip_while(|t| !matches!(t, Tok::RParen | Tok::EndModule));
    let defines = after.nth(1) == Some(Tok::DefEq);
    (before.get(open)?.tok == Tok::LParen && !defines).then_some(name)
}

/// The token before the bracket that the token before `index` closes.
fn opened(tokens: &[Lexeme], index: usize) -> Option<usize> {
    let mut depth = 0usize;
    for i in (0..index).rev() {
        match tokens.get(i)?.tok {
            Tok::RParen | Tok::RBracket => depth += 1,
            Tok::LParen | Tok::LBracket if depth <= 1 => return i.checked_sub(1),
            Tok::LParen | Tok::LBracket => depth -= 1,
            _ => {}
        }
    }
    None
}
