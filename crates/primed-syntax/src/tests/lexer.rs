use super::{expr, units};
use crate::operator::operators;
use crate::span::SourceFile;
use crate::token::{Extent, Tok, lex};
use crate::{TokenKind, identifiers};

fn toks(text: &str) -> Vec<Tok> {
    lex(&SourceFile::new("test", text), Extent::Everything).0.iter().map(|t| t.tok).collect()
}

#[test]
fn every_spelling_of_every_operator_is_one_token() {
    for info in operators() {
        for spelling in info.synonyms.iter().chain([&info.symbol]) {
            let found = toks(spelling);
            assert_eq!(found.len(), 1, "{spelling}: {found:?}");
        }
    }
}

#[test]
fn fairness_words_are_split() {
    assert_eq!(expr("WF_vars(A)"), "WeakFairness(A, vars)");
    assert_eq!(expr("SF_<<x, y>>(A)"), "StrongFairness(A, <x y>)");
    assert_eq!(expr("WF_I(1)!v(A)"), "WeakFairness(A, I(1)!v)");
    assert_eq!(expr("r.WF_"), "r.WF_");
    assert_eq!(toks("WFx").first(), Some(&Tok::Ident));
}

#[test]
fn subscripts_are_split() {
    assert_eq!(expr("[A]_v"), "Square(A, v)");
    assert_eq!(expr("<<A>>_v"), "Angle(A, v)");
    assert_eq!(expr("[A]_M!vars"), "Square(A, M!vars)");
    assert_eq!(expr("[A]_<<x, y>>"), "Square(A, <x y>)");
    assert_eq!(expr("⟨A⟩_v"), "Angle(A, v)");
}

#[test]
fn numbers_in_all_bases() {
    assert_eq!(expr("\\b101 + \\O17 + \\hfF"), "(+ (+ 101#2 17#8) ff#16)");
    assert_eq!(expr("1..3"), "(.. 1 3)");
    assert_eq!(expr("1 . 5"), "1.5");
    assert_eq!(expr("a \\o b"), "(\\o a b)");
    assert_eq!(expr("a \\odot b"), "(\\odot a b)");
}

#[test]
fn names_may_begin_with_digits() {
    assert_eq!(expr("1a + _b + a_1"), "(+ (+ 1a _b) a_1)");
    assert!(expr("_1").starts_with("error: `_1` is not a name"));
}

#[test]
fn backslash_words_are_the_longest_known() {
    assert_eq!(expr("S\\{x}"), "(\\ S {x})");
    assert_eq!(expr("S\\in T"), "(\\in S T)");
    assert_eq!(expr("S\\T"), "(\\ S T)");
    assert_eq!(expr("a\\leqb"), "(\\leq a b)");
}

#[test]
fn comments_nest_and_are_skipped() {
    assert_eq!(expr("1 (* a (* b *) \\* c \n *) + \\* d (* \n 2"), "(+ 1 2)");
    assert_eq!(expr("1 (* (* *)"), "error: this comment is never closed");
}

#[test]
fn strings_and_escapes() {
    assert_eq!(expr(r#""a\"b\\c\n(*""#), r#""a\"b\\c\n(*""#);
    assert!(expr("\"a\\q\"").starts_with("error: unknown escape"));
    assert!(expr("\"abc").starts_with("error: this string is never closed"));
}

#[test]
fn text_around_modules_is_free() {
    let text = "\"free (* text\n---- MODULE A ----\nx == 1\n====\nit's ; free\n ---- MODULE B ----\n====\n#;";
    let parsed = crate::parse_file(&SourceFile::new("test", text));
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    assert_eq!(parsed.modules.iter().map(|m| m.name.name.as_ref()).collect::<Vec<_>>(), ["A", "B"]);
}

#[test]
fn reserved_words_as_fields_and_modules() {
    assert_eq!(expr("r.IF"), "r.IF");
    assert_eq!(expr("[IF |-> 1]"), "[record IF=1]");
    assert_eq!(expr("[r EXCEPT !.THEN = 1]"), "[r EXCEPT (.THEN = 1)]");
    assert!(expr("[IF : S]").starts_with("error"));
    assert_eq!(units("INSTANCE STATE"), "INSTANCE STATE()");
}

#[test]
fn unicode_is_the_same_language() {
    assert_eq!(
        units("F(S) ≜ ∀ x ∈ S : x ≠ 1 ∧ ¬ x ≤ 2 ⇒ ⟨x⟩ ∉ ℕ"),
        "F(S) == (A x in S : (=> (\\land (/= x 1) (\\lnot (\\leq x 2))) (\\notin <x> ℕ)))"
    );
    assert_eq!(expr("[x ∈ S ↦ x]"), "[fn x in S : x]");
}

#[test]
fn columns_count_code_points_and_tabs() {
    let (tokens, _) = lex(&SourceFile::new("test", "é\ta \tb\n  ∀ x"), Extent::Everything);
    assert_eq!(tokens.iter().map(|t| t.column).collect::<Vec<_>>(), [9, 17, 3, 5]);
}

#[test]
fn identifiers_are_listed_in_order() {
    let file = SourceFile::new("test", "zero\n---- MODULE M ----\n(* no *) a == \"s\" \\o b\n====\nlast");
    let found: Vec<_> = identifiers(&file).into_iter().map(|(kind, text)| (kind, text.to_string())).collect();
    let name = |n: &str| (TokenKind::Identifier, n.to_owned());
    assert_eq!(found, [name("M"), name("a"), (TokenKind::String, "s".to_owned()), name("b")]);
}
