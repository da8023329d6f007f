use super::module;

/// Help and notes of the first error of a module body, with the line and column of each note.
fn advice(body: &str) -> String {
    let text = format!("---- MODULE M ----\n{body}\n====\n");
    let file = crate::span::SourceFile::new("M.tla", text);
    let parsed = crate::parse_file(&file);
    let Some(first) = parsed.diagnostics.first() else { return String::from("no error") };
    let at = |note: &crate::diagnostic::Note| {
        let at = file.position(note.span.start);
        format!("{}:{}: {}", at.line, at.column, note.message)
    };
    let notes: Vec<String> = first.notes.iter().map(at).collect();
    [vec![first.help.clone().unwrap_or_default()], notes].concat().join(" | ")
}

#[test]
fn signs_of_other_languages() {
    assert_eq!(advice("A == 1\nB = 2"), "a definition is written with `==`: `B == ...`");
    assert_eq!(advice("A == 1\nB(x) = 2"), "a definition is written with `==`: `B(x) == ...`");
    assert_eq!(advice("A == 1\nB := 2"), "a definition is written with `==`: `B == ...`");
    assert_eq!(advice("A == IF x == 1 THEN 1 ELSE 2"), "equality is written `=`; `==` only defines");
    assert_eq!(advice("A == /\\ x == 1"), "equality is written `=`; `==` only defines");
    assert_eq!(advice("A == 1\nB = x + 1"), "a definition is written with `==`: `B == ...`");
    assert_eq!(advice("A == x != 1"), "inequality is written `/=` or `#`");
    assert_eq!(advice("A == !x"), "negation is written `~`");
    assert_eq!(advice("A == x and y"), "conjunction is written `/\\`");
    assert_eq!(advice("A == not x"), "negation is written `~`");
    assert_eq!(advice("A == {y \\in S : y in T}"), "membership is written `\\in`");
    assert_eq!(advice("A == x -> y"), "implication is written `=>`; `->` stands in sets of functions and CASE");
    assert_eq!(advice("A == 1;"), "TLA+ has no semicolons: leave it out");
    assert_eq!(advice("A == \u{201c}x\u{201d}"), "strings stand between plain quotation marks `\"`");
}

#[test]
fn what_was_opened_is_shown() {
    assert!(advice("A == (1 + 2\nB == 3").ends_with("| 2:6: this `(` is not closed"));
    assert!(advice("A == F([a |-> 1, b |-> {2, 3)").ends_with("| 2:24: this `{` is not closed"));
    assert!(advice("A == LET b == 1\n    b + 1\nC == 2").ends_with("| 2:6: this LET has no IN"));
    assert!(advice("A == 1 (* open\nB == 2").starts_with("close it with `*)`"));
    assert!(advice("A == \"open\nB == 2").starts_with("a string ends on its line"));
}

#[test]
fn lists_that_do_not_line_up() {
    assert_eq!(
        advice("A ==\n  /\\ x\n \\/ y\n /\\ z"),
        "a list goes on with the same bullet in the same column; else add parentheses | 4:2: this `\\/` is at column 2, the other operator at 2"
    );
    assert_eq!(advice("A == /\\ (x =\n  1)"), "indent it beyond column 6: it stands at column 3");
    assert!(advice("A ==\n\t/\\ x\n    \\/ y\n    /\\ z").starts_with("tabs and blanks are mixed"));
}

#[test]
fn a_module_needs_its_end() {
    let file = crate::span::SourceFile::new("M.tla", "---- MODULE M ----\nA == 1\n");
    let parsed = crate::parse_file(&file);
    let help = parsed.diagnostics.first().and_then(|d| d.help.as_deref());
    assert_eq!(help, Some("end the module with a line of at least four `=`"));
    assert!(module("A == 1").diagnostics.is_empty());
}

#[test]
fn commas_that_are_missing_are_shown() {
    let comma = |place: &str| {
        format!("commas stand between the names of a list: `x, y` | {place}: a comma is missing before this")
    };
    assert_eq!(advice("VARIABLES x y\nF == x"), comma("2:13"));
    assert_eq!(advice("CONSTANTS A, B C"), comma("2:16"));
    assert_eq!(advice("EXTENDS Naturals Sequences"), comma("2:18"));
    assert!(!advice("VARIABLES x, y\nF x == 1").contains("comma"));
}

#[test]
fn what_only_looks_like_the_language() {
    assert_eq!(advice("F == s = 'idle'"), "strings stand between plain quotation marks `\"`");
    assert_eq!(advice("// hi\nF == 1"), "comments are written `\\* ...` or `(* ... *)`");
    assert_eq!(advice("# hi\nF == 1"), "comments are written `\\* ...` or `(* ... *)`");
    assert_eq!(advice("IF == 2"), "`IF` is a reserved word: choose another name");
    let tuple = "UNCHANGED takes one expression, here a tuple: `UNCHANGED <<x, y>>`";
    assert_eq!(advice("F == x' = 1 /\\ UNCHANGED x, y"), tuple);
    assert_eq!(advice("F == UNCHANGED <x>"), tuple);
    let words = "the words are `IF`, `THEN` and `ELSE`, in capitals";
    assert_eq!(advice("F == if TRUE then 1 else 2"), words);
    assert_eq!(advice("F == if x = 1 then 1 else 2"), words);
    assert_eq!(advice("if x = 1 then 1 else 2"), words);
    assert_eq!(advice("F == 1\nif x"), words);
    assert_eq!(advice("variables x, y\nF == 1"), "`variables` is written `VARIABLES`");
    assert_eq!(advice("F == let b == 2 IN b"), "`let` is written `LET`");
    assert_eq!(advice("F(x) == Unchanged <<x>>"), "`Unchanged` is written `UNCHANGED`");
    assert_eq!(advice("F == choose y \\in S : y = 1"), "`choose` is written `CHOOSE`");
    assert_eq!(advice("F(domain) == domain )"), "");
    assert_eq!(advice("F == 1 # hi there"), "comments are written `\\* ...` or `(* ... *)`");
    assert_eq!(advice("F == 1 // so it is\nG == 1"), "comments are written `\\* ...` or `(* ... *)`");
}
