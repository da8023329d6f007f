//! `primed sany`: SANY's words, then each complaint with its line, what explains it and what to do.

mod common;

use std::fs;

use common::{Ran, primed};

fn sany(name: &str, text: &str, more: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("it can be written");
    let path = path.to_string_lossy().into_owned();
    primed(&[&["sany", "--error-codes"], more, &[&path]].concat())
}

fn module(body: &str) -> Ran {
    sany("M.tla", &format!("---- MODULE M ----\n{body}\n====\n"), &[])
}

#[test]
fn lines_that_scripts_look_for() {
    module("A == Nothing")
        .code_is(4)
        .says("Parsing file ")
        .says("Semantic processing of module M\n")
        .says("Semantic errors:\n\n*** Errors: 1\n\nline 2, col 6 to line 2, col 12 of module M\n\nUnknown operator: `Nothing'.\n");
    module("A == (1")
        .code_is(2)
        .says("***Parse Error***\n")
        .says("Residual stack trace follows:\nModule definition starting at line 1, column 1.\n")
        .says("*** Errors: 1\n\nIn module M\n\nCould not parse module M from file ");
}

#[test]
fn an_error_is_drawn_with_help_and_the_other_place() {
    module("F(x) == x\nG == F(1, 2)")
        .says("3 | G == F(1, 2)\n")
        .says("defined here")
        .says("= help: it takes 1 argument, here are 2");
    module("A == 1 + 2").says("= help: module `Integers` defines it: add it to EXTENDS");
    module("A == Cardinality({})").says("= help: module `FiniteSets` defines it: add it to EXTENDS");
    for name in ["x", "a", "s", "d", "f"] {
        let body = format!("Init == {name} = 1\nVARIABLES y,\n  {name}");
        module(&body)
            .says("= help: a declaration comes before its use: move it up")
            .says(&format!("`{name}` is declared later, here"));
    }
    module("CONSTANT N\nInit == x = 1").says_not("EXTENDS");
    module("Next == 1\nA == next").says("= help: did you mean `Next`?");
    module("A == B\nB == 1").says("a definition comes before its use").says("`B` is defined here");
    module("VARIABLE x\nA == (x' = 1)'").says("this is of action level (2)").says("cannot be primed again");
    module("VARIABLE x\nA == x && x").says("= help: conjunction is written `/\\`");
    module("A == TRUE || FALSE").says("= help: disjunction is written `\\/`");
    module("A == 1 // B\nB == 2").says("= help: integer division is written `\\div`, a comment `\\* ...`");
    module("Next == TRUE\nA == [][Next]").says("= help: an action in brackets has a subscript: `[][Next]_vars`");
    module("VARIABLE x\nASSUME x = 1").says("this is of state level (1)");
    module("---- MODULE N ----\nCONSTANT c\n====\nI == INSTANCE N").says("= help: add WITH `c <- ...`");
}

#[test]
fn all_parse_errors_are_drawn() {
    module("D = 3\nA == 1 +\nB == 2\nC == )")
        .code_is(2)
        .says("M.tla:4:1")
        .says("M.tla:5:6")
        .says("= help: a definition is written with `==`: `D == ...`");
}

#[test]
fn json_has_help_and_notes() {
    let ran = sany("M.tla", "---- MODULE M ----\nF(x) == x\nG == F(1, 2)\n====\n", &["--json", "-"]);
    let entry = &ran.json()[0]["diagnostics"][0];
    assert_eq!(entry["help"], "it takes 1 argument, here are 2");
    assert_eq!((entry["notes"][0]["line"].as_u64(), entry["end_column"].as_u64()), (Some(2), Some(12)));
}

#[test]
fn warnings_of_the_lint_can_be_left_out_or_count() {
    let text = "---- MODULE M ----\nbar == 23\nR == [bar |-> 42]\n====\n";
    sany("M.tla", text, &[]).code_is(0).says("*** Warnings: 1").says("The field name \"bar\"");
    assert!(!sany("M.tla", text, &["-g"]).code_is(0).out.contains("Warnings"));
    assert!(!sany("M.tla", text, &["--suppress-messages", "4802"]).code_is(0).out.contains("Warnings"));
    sany("M.tla", text, &["--messages-as-errors", "4802"]).code_is(4);
}

#[test]
fn a_module_that_is_there_but_cannot_be_read_is_not_called_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("M.tla");
    fs::write(&root, "---- MODULE M ----\nEXTENDS Inner\n====\n").expect("it can be written");
    let library = folder.path().join("library");
    fs::create_dir_all(&library).expect("it can be made");
    fs::write(library.join("Inner.tla"), "---- MODULE Inner ----\n====\n").expect("it can be written");
    let (root, library) = (root.to_string_lossy().into_owned(), library.to_string_lossy().into_owned());
    let arguments = ["sany", "--error-codes", "--library", &library, &root];
    primed(&arguments).code_is(0);
    // The first folder decides, as in SANY, though the library has a file.
    fs::create_dir_all(folder.path().join("Inner.tla")).expect("it can be made");
    primed(&arguments)
        .code_is(2)
        .says("Module Inner imported in module M: cannot read `")
        .says("Inner.tla`: it is no file.");
}

#[test]
fn bytes_that_are_not_utf_8_are_complained_of_where_they_matter() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("M.tla");
    fs::write(&path, b"---- MODULE M ----\n\\* caf\xe9\nF == 1 \xff 2\n====\n").expect("it can be written");
    primed(&["sany", "--error-codes", &path.to_string_lossy()])
        .code_is(2)
        .says("at line 3, column 8\n")
        .says("= help: bytes that are not UTF-8 are read as this character: save the file in UTF-8");
}
