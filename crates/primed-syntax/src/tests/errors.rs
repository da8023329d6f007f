use super::{expr, messages, module, units};
use crate::span::SourceFile;
use crate::{parse_expression, parse_file};

#[test]
fn messages_speak_of_the_language() {
    assert_eq!(expr("1 +"), "error: expected an expression, found the end of the text");
    assert_eq!(expr("IF a THEN b"), "error: expected `ELSE`, found the end of the text");
    assert!(units("F == IF a THEN b").contains("`ELSE`"), "{}", units("F == IF a THEN b"));
    assert!(units("F(x = 1").contains("expected"));
    assert_eq!(expr("/\\ a =\n/\\ b"), "error: expected an expression, found the next item's `/\\`");
    assert_eq!(expr(""), "error: expected an expression, found nothing");
}

#[test]
fn an_unfinished_definition_is_told_where_the_next_begins() {
    let parsed = module("F == 1 +\nG == {x : }\nH(a == 2\nI ==\nJ == 1");
    let said = messages(&parsed.diagnostics);
    assert_eq!(said[0], "expected an expression, found a definition");
    assert_eq!(said[1], "expected an expression, found `}`");
    assert_eq!(said[2], "expected `)` or `,`, found `==`");
    assert_eq!(said[3], "expected an expression, found a definition");
}

#[test]
fn lambda_only_as_an_argument() {
    assert!(units("F == LAMBDA x : x").starts_with("error"));
}

#[test]
fn all_broken_units_are_reported() {
    let parsed = module("A == 1 +\nB == 2\nC == (3\nD == 4\nE(x == 5\nTHEOREM 1 2");
    assert!(parsed.modules.is_empty());
    assert_eq!(parsed.diagnostics.len(), 4, "{:?}", messages(&parsed.diagnostics));
}

#[test]
fn a_broken_module_does_not_spoil_the_next() {
    let file = SourceFile::new("test", "---- MODULE A ----\nx == \n====\n---- MODULE B ----\ny == 1\n====\n");
    let parsed = parse_file(&file);
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(parsed.modules.iter().map(|m| m.name.name.as_ref()).collect::<Vec<_>>(), ["B"]);
}

#[test]
fn files_without_a_whole_module() {
    assert!(messages(&parse_file(&SourceFile::new("t", "")).diagnostics)[0].starts_with("no module found"));
    assert!(
        messages(&parse_file(&SourceFile::new("t", "---- MODULE A ----\nx == 1")).diagnostics)[0]
            .contains("has no end")
    );
    assert!(units("x == 1\nEXTENDS A").starts_with("error: EXTENDS stands once"));
}

#[test]
fn spans_cover_the_text() {
    let file = SourceFile::new("t", "  (a + b) * c ");
    let tree = parse_expression(&file).expect("this is an expression");
    assert_eq!(file.slice(tree.span), "(a + b) * c");
    assert_eq!(file.range(tree.span), "line 1, col 3 to line 1, col 13");
}

#[test]
fn a_conflict_is_placed_at_the_second_operator() {
    let file = SourceFile::new("t", "a /\\ b \\/ c");
    let errors = parse_expression(&file).expect_err("this is a conflict");
    assert_eq!(errors.iter().map(|d| file.slice(d.span)).collect::<Vec<_>>(), ["\\/"]);
    assert_eq!(errors.first().map(|d| d.code), Some(4003));
}

#[test]
fn after_proof_comes_a_proof() {
    let refused = [
        "THEOREM TRUE PROOF",
        "THEOREM TRUE PROOF\nF == 1",
        "THEOREM TRUE\n<1>1 TRUE PROOF\n<1> QED",
        "THEOREM TRUE\n<1> QED PROOF",
        "THEOREM TRUE PROOF\n----",
    ];
    for text in refused {
        assert!(units(text).contains("expected a step of the proof after `PROOF`"), "{text}: {}", units(text));
    }
    let accepted = ["THEOREM TRUE\n<1>1 TRUE\nPROOF\n<2> QED\n<1> QED", "THEOREM TRUE PROOF\n<1> QED PROOF OBVIOUS"];
    for text in accepted {
        assert!(!units(text).contains("error"), "{text}: {}", units(text));
    }
}

#[test]
fn new_symbols_with_parameters_have_no_set_and_are_no_variables() {
    for new in
        ["NEW c(_) \\in {1}", "NEW _+_ \\in {1}", "CONSTANT c(_) \\in {1}", "NEW -. _ \\in {1}", "NEW _^+ \\in {1}"]
    {
        let said = units(&format!("THEOREM ASSUME {new} PROVE TRUE"));
        assert!(said.contains("may have no set after it"), "{new}: {said}");
    }
    for new in ["NEW VARIABLE c(_)", "VARIABLE c(_)", "NEW VARIABLE _+_", "NEW VARIABLE -. _", "NEW VARIABLE _^+"] {
        let said = units(&format!("THEOREM ASSUME {new} PROVE TRUE"));
        assert!(said.contains("a NEW VARIABLE has no parameters"), "{new}: {said}");
    }
    for new in ["NEW c(_)", "NEW STATE c(_)", "NEW ACTION _+_", "NEW c \\in {1}", "NEW VARIABLE v", "NEW TEMPORAL c(_)"]
    {
        let said = units(&format!("THEOREM ASSUME {new} PROVE TRUE"));
        assert!(!said.contains("error"), "{new}: {said}");
    }
}

#[test]
fn a_place_begins_where_sany_gives_up() {
    let at = |body: &str| {
        let file = crate::span::SourceFile::new("M.tla", format!("---- MODULE M ----\n{body}\n====\n"));
        let parsed = crate::parse_file(&file);
        let at = parsed.diagnostics.first().map(|d| file.position(d.span.start));
        at.map(|p| (p.line, p.column))
    };
    let next_line =
        ["Termination\ninv == 2", "B(x /\\ y\nC == 2", "a + b c == 2", "a ^+ c", "B(x, y) c", "a = 1", "x + 1", "2"];
    for unit in next_line {
        assert_eq!(at(&format!("A == 1\n{unit}")), Some((3, 1)), "{unit}");
    }
    assert_eq!(at("B(x', y) == 1"), Some((2, 4)));
    assert_eq!(at("LOCAL 5"), Some((2, 1)));
    assert_eq!(at("F == G(, 1)"), Some((2, 7)));
    assert_eq!(at("B(x)(y) == 1"), Some((2, 1)));
    assert_eq!(at("A == {\n /\\ a\n /\\ b\n c }"), Some((5, 2)));
    assert_eq!(at("A == CASE 1 -> 2 [] 3 4"), Some((2, 23)));
    assert_eq!(at("A == LET a b == 1 IN a"), Some((2, 10)));
    assert_eq!(at("A(+) == 1"), Some((2, 6)));
    assert_eq!(at("A == x (1"), Some((3, 1)));
    assert_eq!(at("A == )"), Some((2, 6)));
}
