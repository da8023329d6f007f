//! One module for each of SANY's codes that gives it, and a near miss that does not.

use std::collections::HashMap;

use hashbrown::HashMap as Files;
use primed_semantics::analysis::{Analysis, Depth};
use primed_semantics::library::NoLibrary;
use primed_syntax::span::SourceFile;

/// Analyses a module `M` with this body.
fn analysed(body: &str) -> Analysis {
    let text = format!("---- MODULE M ----\n{body}\n====\n");
    primed_semantics::analyse(&SourceFile::new("M.tla", text), &NoLibrary, Depth::default())
}

fn codes(analysis: &Analysis) -> Vec<u32> {
    let mut codes: Vec<u32> = analysis.diagnostics.iter().map(|d| d.diagnostic.code).collect();
    codes.dedup();
    codes
}

/// Code, a body that gives it, a body that gives nothing.
const CASES: &[(u32, &str, &str)] = &[
    (4003, "F == LAMBDA x : x", "F(G(_)) == G(1)\nH == F(LAMBDA x : x)"),
    (4004, "F(a, b) == a + b", "EXTENDS Naturals\nF(a, b) == a + b"),
    (4005, "F == <<1, 2>>\nG == F!3", "F == <<1, 2>>\nG == F!2"),
    (4005, "F(x) == \\A y \\in x : y\nG == F(1)!1!2", "F(x) == \\A y \\in x : y\nG == F({1})!(2)"),
    (4200, "F == x", "F(x) == x"),
    (4200, "F(x) == F(x)", "RECURSIVE F(_)\nF(x) == F(x)"),
    (4200, "USE DEF F\nF == 1", "F == 1\nUSE DEF F"),
    (4201, "x == 1\nF(x) == x", "x == 1\nF(y) == y"),
    (4201, "F == \\A x \\in {1} : \\E x \\in {2} : TRUE", "F == (\\A x \\in {1} : TRUE) /\\ \\E x \\in {2} : TRUE"),
    (4201, "CONSTANT c\nVARIABLE c", "CONSTANT c\nVARIABLE v"),
    (4202, "CONSTANT BOOLEAN", "CONSTANT Boolean"),
    (4203, "I == INSTANCE Naturals\nF == I", "I == INSTANCE Naturals\nF == I!Nat"),
    (4204, "F(x) == x\nG == F(1, 2)", "F(x, y) == x\nG == F(1, 2)"),
    (4204, "F(x) == x\nG == F", "F(x) == x\nG == F(1)"),
    (4205, "VARIABLE x\nF == x''", "VARIABLE x\nF == x'"),
    (4205, "VARIABLE x\nF(a) == a'\nG == F(x')", "VARIABLE x\nF(a) == a'\nG == F(x)"),
    (4205, "VARIABLE x\nF == {[](x = 1)}", "VARIABLE x\nF == {x = 1}"),
    (4206, "VARIABLE x\nASSUME x = 1", "CONSTANT x\nASSUME x = 1"),
    (4220, "EXTENDS Nowhere", "EXTENDS Naturals"),
    (
        4223,
        "---- MODULE In ----\n====\n---- MODULE In ----\n====",
        "---- MODULE In ----\n====\n---- MODULE On ----\n====",
    ),
    (
        4240,
        "---- MODULE In ----\nCONSTANT c\n====\nINSTANCE In",
        "---- MODULE In ----\nCONSTANT c\n====\nINSTANCE In WITH c <- 1",
    ),
    (
        4241,
        "---- MODULE In ----\nCONSTANT c\n====\nINSTANCE In WITH c <- 1, c <- 2",
        "---- MODULE In ----\nCONSTANTS c, d\n====\nINSTANCE In WITH c <- 1, d <- 2",
    ),
    (
        4242,
        "---- MODULE In ----\nc == 1\n====\nINSTANCE In WITH c <- 1",
        "---- MODULE In ----\nVARIABLE c\n====\nINSTANCE In WITH c <- 1",
    ),
    (
        4243,
        "---- MODULE In ----\nCONSTANT c(_)\n====\nc == 1\nINSTANCE In",
        "---- MODULE In ----\nCONSTANT c(_)\n====\nc(x) == 1\nINSTANCE In",
    ),
    (
        4244,
        "---- MODULE In ----\nCONSTANT c(_)\nd == c(1)\n====\nVARIABLE v\nP(x) == x'\nINSTANCE In WITH c <- P",
        "---- MODULE In ----\nCONSTANT c(_)\nd == c(1)\n====\nVARIABLE v\nP(x) == x\nINSTANCE In WITH c <- P",
    ),
    (
        4245,
        "---- MODULE In ----\nVARIABLE c\nd == c'\n====\nVARIABLE v\nINSTANCE In WITH c <- v'",
        "---- MODULE In ----\nVARIABLE c\nd == c'\n====\nVARIABLE v\nINSTANCE In WITH c <- v",
    ),
    (4260, "f[a \\in {1}, b \\in {2}] == 1\nF == f[1, 2, 3]", "f[a \\in {1}, b \\in {2}] == 1\nF == f[1, 2]"),
    (4261, "F == @", "F(f) == [f EXCEPT ![1] = @]"),
    (4262, "F == [a |-> 1, a |-> 2]", "F == [a |-> 1, b |-> 2]"),
    (4270, "F(G(_)) == G(1)\nH == F(<<1>>)", "F(G(_)) == G(1)\nI(x) == x\nH == F(I)"),
    (4271, "F(G(_)) == G(1)\nI(x, y) == x\nH == F(I)", "F(G(_, _)) == G(1, 2)\nI(x, y) == x\nH == F(I)"),
    (4272, "VARIABLE x\nF(G(_)) == G(x')\nP(a) == a'\nH == F(P)", "VARIABLE x\nF(G(_)) == G(x)\nP(a) == a'\nH == F(P)"),
    (
        4273,
        "VARIABLE x\nF(G(_), a) == G(a)\nP(a) == a'\nH == F(P, x')",
        "VARIABLE x\nF(G(_), a) == G(a)\nP(a) == a'\nH == F(P, x)",
    ),
    (4274, "F(G(_)) == G(1)\nH == F(LAMBDA x, y : x)", "F(G(_)) == G(1)\nH == F(LAMBDA x : x)"),
    (4275, "F(x) == x\nH == F(LAMBDA x1 : x1)", "F(G(_)) == G(1)\nH == F(LAMBDA x1 : x1)"),
    (4290, "RECURSIVE F(_)\nF(a) == F(a')", "RECURSIVE F(_)\nF(a) == F(a)"),
    (4291, "RECURSIVE F(_)", "RECURSIVE F(_)\nF(x) == x"),
    (4292, "RECURSIVE F(_)\nF(x, y) == x", "RECURSIVE F(_, _)\nF(x, y) == x"),
    (4293, "RECURSIVE F(_)\nG == LET F(x) == x IN 1\nF(y) == y", "RECURSIVE F(_)\nG == LET H(x) == x IN 1\nF(y) == y"),
    (4294, "RECURSIVE F(_)\nVARIABLE x\nF(y) == y", "RECURSIVE F(_)\nF(y) == y\nVARIABLE x"),
    (4310, "VARIABLE x\nF == [](x' = 1)", "VARIABLE x\nF == [][x' = 1]_x"),
    (4311, "VARIABLE x\nF == <>(x' = 1)", "VARIABLE x\nF == <><<x' = 1>>_x"),
    (4312, "VARIABLE x\nF == x' = 1 ~> TRUE", "VARIABLE x\nF == x = 1 ~> TRUE"),
    (4313, "VARIABLE x\nF == [](x = 1) /\\ x' = 1", "VARIABLE x\nF == [](x = 1) /\\ x = 1"),
    (4314, "VARIABLE x\nF == \\A y \\in x' : [](x = y)", "VARIABLE x\nF == \\A y \\in x : [](x = y)"),
    (4315, "VARIABLE x\nF == \\A y \\in [](x = 1) : TRUE", "VARIABLE x\nF == \\A y \\in {x} : TRUE"),
    (4330, "F == \\A x \\in {1} : l(x, x) :: x", "F == \\A x \\in {1} : l(x) :: x"),
    (4331, "F == \\A x \\in {1} : l :: x", "F == \\A x \\in {1} : l(x) :: x"),
    (4332, "y == 1\nF == \\A x \\in {1} : l(x, y) :: x", "y == 1\nF == \\A x \\in {1} : l(x) :: y"),
    (4333, "ASSUME l :: TRUE", "ASSUME A == l :: TRUE"),
    (4335, "F(f) == [f EXCEPT ![1] = l :: 1]", "F(f) == l :: [f EXCEPT ![1] = 1]"),
    (4336, "F == <<l :: 1, l :: 2>>", "F == <<l :: 1, m :: 2>>"),
    (4337, "F == \\A x \\in {1} : l(x) :: x\nG == F!l", "F == \\A x \\in {1} : l(x) :: x\nG == F!l(1)"),
    (4350, "THEOREM TRUE\n<*>a. TRUE\n<*> QED", "THEOREM TRUE\n<*> TRUE\n<*> QED"),
    (4351, "THEOREM TRUE\n<1>a. HAVE TRUE\n<1>b. <1>a\n<1> QED", "THEOREM TRUE\n<1>a. TRUE\n<1>b. <1>a\n<1> QED"),
    (
        4352,
        "VARIABLE x\nTHEOREM [](x = 1)\n<1> HAVE x = 1\n<1> QED",
        "VARIABLE x\nTHEOREM [](x = 1)\n<1> HAVE 1 = 1\n<1> QED",
    ),
    (
        4353,
        "VARIABLE x\nTHEOREM [](x = 1)\n<1> CASE x = 1\n<1> QED",
        "VARIABLE x\nTHEOREM [](x = 1)\n<1> CASE 1 = 1\n<1> QED",
    ),
    (
        4354,
        "VARIABLE x\nTHEOREM TRUE\n<1> PICK y \\in x : [](y = 1)\n<1> QED",
        "VARIABLE x\nTHEOREM TRUE\n<1> PICK y \\in {1} : [](y = 1)\n<1> QED",
    ),
    (4355, "THEOREM T == ASSUME TRUE PROVE TRUE\nF == T", "THEOREM T == TRUE\nF == T"),
    (
        4356,
        "VARIABLE x\nTHEOREM ASSUME NEW y \\in [](x = 1) PROVE TRUE",
        "VARIABLE x\nTHEOREM ASSUME NEW y \\in x PROVE TRUE",
    ),
    (4357, "HIDE TRUE", "THEOREM T == TRUE\nHIDE T"),
    (4801, "VARIABLE x\nVARIABLE x", "VARIABLE x\nVARIABLE y"),
];

#[test]
fn each_code_is_given_and_its_near_miss_is_not() {
    let mut wrong = Vec::new();
    for (code, bad, good) in CASES {
        let found = codes(&analysed(bad));
        if !found.contains(code) {
            wrong.push(format!("{code} expected, {found:?} given: {bad}"));
        }
        let analysis = analysed(good);
        if !analysis.diagnostics.is_empty() {
            let said: Vec<_> =
                analysis.diagnostics.iter().map(|d| (d.diagnostic.code, &d.diagnostic.message)).collect();
            wrong.push(format!("nothing expected, {said:?} given: {good}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Analyses `M` among other files.
fn among(root: &str, others: &[(&str, &str)]) -> Vec<u32> {
    let files: HashMap<_, _> = others.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
    let files: Files<String, String> = files.into_iter().collect();
    codes(&primed_semantics::analyse(&SourceFile::new("M.tla", root), &files, Depth::default()))
}

#[test]
fn files_must_have_the_names_of_their_modules() {
    assert_eq!(among("---- MODULE N ----\n====\n", &[]), [4221]);
}

#[test]
fn files_must_not_need_each_other_in_a_circle() {
    let root = "---- MODULE M ----\nEXTENDS A\n====\n";
    assert_eq!(among(root, &[("A", "---- MODULE A ----\nEXTENDS M\n====\n")]), [4222]);
}

#[test]
fn extended_modules_may_clash() {
    let root = "---- MODULE M ----\nEXTENDS A, B\n====\n";
    let (a, b) = ("---- MODULE A ----\nx == 1\n====\n", "---- MODULE B ----\nx == 2\n====\n");
    assert_eq!(among(root, &[("A", a), ("B", b)]), [4800]);
    assert_eq!(among(root, &[("A", a), ("B", "---- MODULE B ----\nVARIABLE x\n====\n")]), [4224]);
    assert_eq!(among(root, &[("A", a), ("B", "---- MODULE B ----\nEXTENDS A\n====\n")]), Vec::<u32>::new());
}

/// The codes of a module's complaints, each with where it is.
fn places(body: &str) -> Vec<(u32, String)> {
    let located = |d: &primed_semantics::model::Located| (d.diagnostic.code, d.file.range(d.diagnostic.span));
    analysed(body).diagnostics.iter().map(located).collect()
}

#[test]
fn what_cannot_be_understood_is_complained_about_where_it_stands() {
    let inner = "---- MODULE In ----\nCONSTANT y(_)\n====\nG(a, b) == a\n";
    for value in ["1", "nosuch", "G", "&&"] {
        let said = places(&format!("{inner}I == INSTANCE In WITH y <- {value}"));
        let place = format!("line 6, col 28 to line 6, col {}", 27 + value.len());
        assert_eq!(said.last(), Some(&(4243, place.clone())), "{value}");
        assert!(said.len() == 2 && said.iter().all(|(_, at)| *at == place), "{value}: {said:?}");
    }
    let hide =
        [(4200, "line 2, col 6 to line 2, col 7".to_owned()), (4357, "line 2, col 6 to line 2, col 7".to_owned())];
    assert_eq!(places("HIDE Aa"), hide);
}

/// What is known of a chain of operators with operator parameters grows with the third power of its length.
#[test]
fn level_checking_has_a_bound() {
    let chain = |length: usize| {
        let mut body = String::from("A0(x) == x\n");
        (1..length).for_each(|i| body.push_str(&format!("CONSTANT c{i}(_)\nA{i}(x) == A{}(c{i}(x))\n", i - 1)));
        analysed(&body)
    };
    assert!(chain(40).diagnostics.is_empty());
    let large = chain(600);
    assert_eq!(codes(&large), [4003]);
    assert!(large.diagnostics[0].diagnostic.message.contains("40000000 entries"));
}
