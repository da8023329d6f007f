//! The fixed words and signs of the language and the tokens they are. Operators are in the table of [`crate::operator`].

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::operator::{self, Fixity, OperatorInfo};
use crate::token::Tok;

pub(crate) fn quantifier(text: &str) -> Option<Tok> {
    Some(match text {
        "\\A" | "\\forall" | "∀" => Tok::Forall,
        "\\E" | "\\exists" | "∃" => Tok::Exists,
        "\\AA" => Tok::TemporalForall,
        "\\EE" => Tok::TemporalExists,
        _ => return None,
    })
}

pub(crate) fn symbol(text: &str) -> Option<Tok> {
    if let Some(tok) = punctuation(text).or_else(|| quantifier(text)) {
        return Some(tok);
    }
    if let Some(info) = operator::spelled(text) {
        return Some(match (text, info.fixity) {
            ("/\\" | "∧", _) => Tok::And(info),
            ("\\/" | "∨", _) => Tok::Or(info),
            ("-", _) => Tok::Minus(info),
            ("[]" | "□", _) => Tok::Box(info),
            (_, Fixity::Prefix) => Tok::Prefix(info),
            (_, Fixity::Postfix) => Tok::Postfix(info),
            (_, Fixity::Infix | Fixity::Nfix) => Tok::Infix(info),
        });
    }
    match text {
        "ℕ" | "ℤ" | "ℝ" => Some(Tok::Ident),
        _ if text.len() > 1 && text.starts_with('\\') => Some(Tok::Number),
        _ => None,
    }
}

fn punctuation(text: &str) -> Option<Tok> {
    Some(match text {
        "(" => Tok::LParen,
        ")" => Tok::RParen,
        "[" => Tok::LBracket,
        "]" => Tok::RBracket,
        "]_" => Tok::RBracketSub,
        "{" => Tok::LBrace,
        "}" => Tok::RBrace,
        "<<" | "⟨" => Tok::LAngle,
        ">>" | "⟩" => Tok::RAngle,
        ">>_" | "⟩_" => Tok::RAngleSub,
        "," => Tok::Comma,
        ":" => Tok::Colon,
        "::" | "∷" => Tok::ColonColon,
        "==" | "≜" => Tok::DefEq,
        "->" | "→" => Tok::Arrow,
        "|->" | "↦" => Tok::MapsTo,
        "<-" | "←" => Tok::Gets,
        "!" => Tok::Bang,
        "." => Tok::Dot,
        "@" => Tok::Ident,
        "[]ASSUME" => Tok::BoxAssume,
        "[]PROVE" => Tok::BoxProve,
        _ => return None,
    })
}

fn operator_word(text: &str) -> Option<&'static OperatorInfo> {
    match text {
        "ENABLED" | "UNCHANGED" | "SUBSET" | "UNION" | "DOMAIN" => operator::spelled(text),
        _ => None,
    }
}

/// The token of a reserved word.
pub(crate) fn reserved_word(text: &str) -> Option<Tok> {
    RESERVED.get(text).copied().or_else(|| operator_word(text).map(Tok::Prefix))
}

static RESERVED: LazyLock<HashMap<&'static str, Tok>> = LazyLock::new(|| WORDS.into_iter().collect());

const WORDS: [(&str, Tok); 52] = [
    ("WF_", Tok::Weak),
    ("SF_", Tok::Strong),
    ("ACTION", Tok::Action),
    ("ACTIONS", Tok::Action),
    ("ASSUME", Tok::Assume),
    ("ASSUMPTION", Tok::Assumption),
    ("AXIOM", Tok::Axiom),
    ("BY", Tok::By),
    ("CASE", Tok::Case),
    ("CHOOSE", Tok::Choose),
    ("CONSTANT", Tok::Constant),
    ("CONSTANTS", Tok::Constant),
    ("DEF", Tok::Def),
    ("DEFS", Tok::Def),
    ("DEFINE", Tok::Define),
    ("ELSE", Tok::Else),
    ("EXCEPT", Tok::Except),
    ("EXTENDS", Tok::Extends),
    ("HAVE", Tok::Have),
    ("HIDE", Tok::Hide),
    ("IF", Tok::If),
    ("IN", Tok::InWord),
    ("INSTANCE", Tok::Instance),
    ("LAMBDA", Tok::Lambda),
    ("LET", Tok::Let),
    ("LOCAL", Tok::Local),
    ("MODULE", Tok::Module),
    ("NEW", Tok::New),
    ("OBVIOUS", Tok::Obvious),
    ("OMITTED", Tok::Omitted),
    ("ONLY", Tok::Only),
    ("OTHER", Tok::Other),
    ("PICK", Tok::Pick),
    ("PROOF", Tok::Proof),
    ("PROVE", Tok::Prove),
    ("QED", Tok::Qed),
    ("RECURSIVE", Tok::Recursive),
    ("STATE", Tok::State),
    ("SUFFICES", Tok::Suffices),
    ("TAKE", Tok::Take),
    ("TEMPORAL", Tok::Temporal),
    ("TEMPORALS", Tok::Temporal),
    ("THEN", Tok::Then),
    ("THEOREM", Tok::Theorem),
    ("LEMMA", Tok::Theorem),
    ("PROPOSITION", Tok::Theorem),
    ("COROLLARY", Tok::Theorem),
    ("USE", Tok::Use),
    ("VARIABLE", Tok::Variable),
    ("VARIABLES", Tok::Variable),
    ("WITH", Tok::With),
    ("WITNESS", Tok::Witness),
];
