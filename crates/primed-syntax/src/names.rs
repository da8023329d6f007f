//! The names that a text uses, as its tokens tell alone: also of units that do not parse.

use crate::span::{SourceFile, Span};
use crate::token::{self, Extent, Lexeme, Tok};

/// A token that tells something of what a unit uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// What it is.
    pub kind: WordKind,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of such tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// A name that may be that of a definition: no field of a record.
    Name,
    /// A name after `!`, which belongs to another module.
    Foreign,
    /// A name after INSTANCE.
    Module,
    /// A prime, or UNCHANGED: the formula is about a step.
    Step,
    /// `[]`.
    Always,
    /// `[`.
    Open,
    /// `]_`.
    Subscript,
    /// Any other token.
    Other,
}

/// The tokens of the modules of a file; of a file without a header, those of all of it.
pub fn words(file: &SourceFile) -> Vec<Word> {
    let (mut tokens, _) = token::lex_on(file, Extent::Modules);
    if tokens.is_empty() {
        (tokens, _) = token::lex_on(file, Extent::Everything);
    }
    let word = |i: usize| {
        let Lexeme { tok, span, .. } = *tokens.get(i)?;
        let before = i.checked_sub(1).and_then(|i| tokens.get(i)).map(|t| t.tok);
        let after = tokens.get(i + 1).map(|t| t.tok);
        let kind = match (before, tok, after) {
            (Some(Tok::Dot), Tok::Ident, _) | (_, Tok::Ident, Some(Tok::MapsTo | Tok::Colon)) => WordKind::Other,
            (Some(Tok::Bang), Tok::Ident, _) => WordKind::Foreign,
            (Some(Tok::Instance), Tok::Ident, _) => WordKind::Module,
            (_, Tok::Ident, _) => WordKind::Name,
            (_, Tok::Postfix(_) | Tok::Prefix(_), _) if matches!(file.slice(span), "'" | "UNCHANGED") => WordKind::Step,
            (_, Tok::Box(_), _) => WordKind::Always,
            (_, Tok::LBracket, _) => WordKind::Open,
            (_, Tok::RBracketSub, _) => WordKind::Subscript,
            _ => WordKind::Other,
        };
        Some(Word { kind, span })
    };
    (0..tokens.len()).filter_map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(WordKind, String)> {
        let file = SourceFile::new("M.tla", text);
        let words = words(&file).into_iter().filter(|w| w.kind != WordKind::Other);
        words.map(|w| (w.kind, file.slice(w.span).to_owned())).collect()
    }

    #[test]
    fn fields_are_no_names_and_a_broken_text_has_some() {
        let text = "---- MODULE M ----\nA == x' = [type |-> y].type /\\ \\* z\n B!C /\\ = UNCHANGED <<v\n====";
        let names = found(text);
        let only = |kind| names.iter().filter(|(k, _)| *k == kind).map(|(_, t)| &**t).collect::<Vec<_>>();
        assert_eq!(only(WordKind::Name), ["M", "A", "x", "y", "B", "v"]);
        assert_eq!(only(WordKind::Foreign), ["C"]);
        assert_eq!(only(WordKind::Step), ["'", "UNCHANGED"]);
    }

    #[test]
    fn the_next_state_relation_of_a_specification_is_seen() {
        let kinds: Vec<WordKind> = found("Spec == Init /\\ [][Next]_vars").into_iter().map(|(k, _)| k).collect();
        use WordKind::{Always, Name, Open, Subscript};
        assert_eq!(kinds, [Name, Name, Always, Open, Name, Subscript, Name]);
    }
}
