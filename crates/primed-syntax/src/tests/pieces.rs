use crate::parse_pieces;
use crate::span::SourceFile;

/// The pieces of a module body: kind, name or text, and whether it parses.
fn pieces(body: &str) -> Vec<String> {
    cut(&format!("---- MODULE M ----\n{body}\n====\n"))
}

fn cut(text: &str) -> Vec<String> {
    let file = SourceFile::new("M.tla", text);
    let found = parse_pieces(&file);
    let line = |p: &crate::Piece| {
        let what = p.name.as_deref().unwrap_or(p.kind.word());
        format!("{what}{}", if p.diagnostics.is_empty() { "" } else { " broken" })
    };
    found.pieces.iter().map(line).collect()
}

#[test]
fn units_begin_at_their_column() {
    assert_eq!(
        pieces(
            "EXTENDS A, B\nVARIABLES x,\n  y\n----\nA == x +\nf[i \\in S] == i\nB(a, b(_)) == LET c == 1 IN c\na ++ b == a"
        ),
        ["extends", "variables", "separator", "A broken", "f", "B", "++"]
    );
    assert_eq!(pieces("  A == (1\n  B == 2\n  ASSUME X == 1\n  THEOREM T == 1"), ["A broken", "B", "X", "T"]);
    assert_eq!(pieces("VARIABLES x  A == 1 B == 2"), ["variables", "A", "B"]);
    assert_eq!(pieces("LOCAL A == 1 +\nLOCAL INSTANCE M\nI == INSTANCE N"), ["A broken", "instance", "I"]);
}

#[test]
fn a_head_may_be_broken() {
    assert_eq!(pieces("A == 1\nB(x == 2\nC == 3"), ["A", "B broken", "C"]);
    assert_eq!(pieces("A == 1\nB = 2\nC(x) := 3\nD == 3"), ["A", "B broken", "C broken", "D"]);
    assert_eq!(pieces("A ==\nB == 3"), ["A broken", "B"]);
}

#[test]
fn what_is_no_unit_is_apart() {
    assert_eq!(
        pieces("```tla\nA == 1\n```\nThis is all.\nAnd more\nB == 2"),
        ["unknown broken", "A", "unknown broken", "B"]
    );
    assert_eq!(cut("A == 1\nB == )\nC == 2\n"), ["A", "B broken", "C"]);
    assert_eq!(cut("text"), ["unknown broken"]);
    assert_eq!(cut(""), [""; 0]);
}

#[test]
fn comments_and_strings_that_never_end_spoil_one_unit() {
    assert_eq!(pieces("A == 1\nB == 2 (* open\nC == 3\nD == \"open\nE == 4"), ["A", "B broken", "C", "D broken", "E"]);
}

#[test]
fn a_let_may_reach_the_column_of_units() {
    assert_eq!(
        pieces("A ==\nLET\nb == 1\nc == 2\nIN b + c\nD == 1\nE == LET x == 1\nF == 2"),
        ["A", "D", "E broken", "F"]
    );
}

#[test]
fn nested_modules_are_one_unit() {
    assert_eq!(pieces("---- MODULE N ----\nA == 1\n====\nB == 2"), ["N", "B"]);
    assert_eq!(pieces("---- MODULE N ----\nA == (\n====\nB == 2"), ["N broken", "B"]);
}

#[test]
fn proofs_belong_to_their_theorem() {
    let body = "THEOREM T ==\nASSUME NEW x\nPROVE x\n<1>1. x\n  BY DEF x\n<1> QED\nA == 1";
    assert_eq!(pieces(body), ["T", "A"]);
}

#[test]
fn spans_are_those_of_the_file() {
    let file = SourceFile::new("M.tla", "---- MODULE M ----\nA == 1 \\* one\n\nB == (2\nC == 3\n====\n");
    let found = parse_pieces(&file);
    let texts: Vec<&str> = found.pieces.iter().map(|p| file.slice(p.span)).collect();
    assert_eq!(texts, ["A == 1", "B == (2", "C == 3"]);
    assert!(found.diagnostics.is_empty() && found.name.is_some());
}
