//! Verdicts of units, as tables.

use super::*;
use crate::library::NoLibrary;

fn judged(body: &str) -> Vec<String> {
    let text = format!("---- MODULE M ----\n{body}\n====\n");
    let found = decompose(&SourceFile::new("M.tla", text), &NoLibrary);
    let line = |u: &Judged| {
        let stubs: Vec<String> = u.stubs.iter().map(|s| format!("{}/{}", s.name, s.arity)).collect();
        let codes: Vec<String> = u.diagnostics.iter().map(|d| d.diagnostic.code.to_string()).collect();
        let name = u.name.as_deref().unwrap_or(u.kind.word());
        [vec![name.to_owned(), u.verdict.word().to_owned()], codes, stubs].concat().join(" ")
    };
    found.units.iter().map(line).collect()
}

#[test]
fn no_mutilated_module_panics() {
    let text = "---- MODULE M ----\nEXTENDS Naturals\nRECURSIVE F(_)\nF(n) == LET a == (* c *) n IN [x \\in {a} |-> F(\"s\")]\nI == INSTANCE N WITH a <- 1\nTHEOREM T == ASSUME NEW y PROVE y\n<1>1. y BY F DEF F\n<1> QED\n---- MODULE N ----\nCONSTANT a\n====\nA ++ B == I!a!1 \u{2227} <<A>>_B\n====\n";
    let places: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
    for (n, at) in places.iter().enumerate() {
        let next = places.get(n + 3).copied().unwrap_or(text.len());
        for broken in [text[..*at].to_owned(), format!("{}{}", &text[..*at], &text[next..]), text[*at..].to_owned()] {
            let found = decompose(&SourceFile::new("M.tla", broken), &NoLibrary);
            assert!(found.units.iter().all(|u| u.lines.start < u.lines.end));
        }
    }
}

#[test]
fn levels_are_checked_without_the_broken_units() {
    let body = "VARIABLE x\nA == (x\nB == (x')'\nC == [](A /\\ x' = 1)\nD == [][A]_x";
    assert_eq!(judged(body), ["variables ok", "A syntax 4003", "B semantic 4205", "C semantic 4310 A/0", "D ok A/0"]);
}

#[test]
fn names_without_any_meaning_are_stood_in_for() {
    let body = "A == F(1) + F(2, 3) + y!z + Map(LAMBDA v : v, -)\nB == C'\nC == UNCHANGED v\nD == I!Op(1)!2";
    assert_eq!(judged(body), ["A ok F/1 +/2 F/2 y!z/0 Map/2", "B ok C/0", "C ok v/0", "D ok I/0"]);
}

#[test]
fn missing_modules_are_the_fault_of_who_names_them() {
    let body = "EXTENDS Integers, Nowhere\nI == INSTANCE Elsewhere\nA == I!F(1) + 2\nB == Cardinality({})";
    assert_eq!(judged(body), ["extends semantic 4220", "I semantic 4220", "A ok I!F/1", "B ok Cardinality/1"]);
}

#[test]
fn an_instance_may_lack_what_a_broken_unit_defines() {
    let inner = "---- MODULE N ----\nCONSTANTS a, f(_)\nB == f(a)\n====\n";
    let of = |body: &str| judged(&format!("{inner}{body}\nI == INSTANCE N")).split_off(1);
    assert_eq!(of("a == 1\nf(x) == )"), ["a ok", "f syntax 4003", "I ok f/1"]);
    assert_eq!(of("CONSTANT a b )\nf(x) == x"), ["constants syntax 4003", "f ok", "I ok a/0"]);
    assert_eq!(of("a == 1"), ["a ok", "I semantic 4240"]);
}

#[test]
fn a_declaration_before_a_broken_definition_is_no_error() {
    let body = "RECURSIVE F(_), G(_)\nF(n) == IF n THEN G(n) ELSE F(n)\nG(n) == IF n THEN\nH == F(1)";
    assert_eq!(judged(body), ["recursive ok", "F ok G/1", "G syntax 4003", "H ok"]);
    assert_eq!(judged("RECURSIVE F(_)\nA == F(1)"), ["recursive semantic 4291", "A ok F/1"]);
}

#[test]
fn the_units_of_an_accepted_module_are_ok() {
    let steps = "THEOREM TRUE\n<1>1. TRUE\n<1>2. QED";
    assert_eq!(judged(steps), ["theorem ok"]);
    assert_eq!(judged(&format!("{steps}\nA == )")), ["theorem ok", "A syntax 4003"]);
    assert_eq!(judged("LOCAL\nA == 1"), ["A ok"]);
    assert_eq!(judged("LOCAL\nA == 1\nB == )"), ["A ok", "B syntax 4003"]);
    let spare = |b: &str| {
        let text =
            format!("---- MODULE M ----\nEXTENDS Second\nA == X{b}\n====\n---- MODULE Second ----\nX == 1\n====\n");
        let found = decompose(&SourceFile::new("M.tla", text), &NoLibrary);
        let verdicts: Vec<_> = found.units.iter().map(|u| u.verdict.word()).collect();
        (found.accepted, found.fine(), verdicts)
    };
    assert_eq!(spare(""), (true, true, vec!["ok", "ok"]));
    assert_eq!(spare("\nB == )"), (false, false, vec!["ok", "ok", "syntax"]));
}

#[test]
fn a_definition_that_uses_itself_is_declared() {
    let body = "Fact(n) == IF n = 0 THEN 1 ELSE Fact(n)\nA == A\nB == A";
    assert_eq!(judged(body), ["Fact semantic 4200", "A semantic 4200", "B ok A/0"]);
    assert_eq!(judged("RECURSIVE F(_)\nF(n) == F(n)\nf[x \\in {}] == f[x]"), ["recursive ok", "F ok", "f ok"]);
    assert_eq!(judged("RECURSIVE F(_\nF(n) == F(n)"), ["recursive syntax 4003", "F ok F/1"]);
}

#[test]
fn definitions_that_use_each_other_are_declared() {
    assert_eq!(judged("F(n) == G(n)\nG(n) == F(n)"), ["F semantic 4200", "G ok F/1"]);
    assert_eq!(judged("f[n \\in {1}] == g[n]\ng[n \\in {1}] == f[n]"), ["f semantic 4200", "g ok f/0"]);
    assert_eq!(judged("F == G\nG == H\nH == F"), ["F semantic 4200", "G semantic 4200", "H ok F/0"]);
    assert_eq!(judged("F == G\nG == 1"), ["F ok G/0", "G ok"]);
    assert_eq!(judged("E == 1\nF == E + G\nG == E"), ["E ok", "F ok +/2 G/0", "G ok"]);
    assert_eq!(judged("F == G\nG == [F |-> 1].F"), ["F ok G/0", "G ok"]);
    assert_eq!(judged("F == LET H == G IN H\nG == {F}"), ["F semantic 4200", "G ok F/0"]);
    assert_eq!(judged("RECURSIVE F(_)\nF(n) == G(n)\nG(n) == F(n)"), ["recursive ok", "F semantic 4200", "G ok F/1"]);
    assert_eq!(judged("RECURSIVE F(_), G(_)\nF(n) == G(n)\nG(n) == F(n)"), ["recursive ok", "F ok", "G ok"]);
}

#[test]
fn a_broken_nested_module_is_one_complaint() {
    let body = "---- MODULE In ----\nA == )\n====\nI == INSTANCE In\nC == I!B";
    let text = format!("---- MODULE M ----\n{body}\n====\n");
    assert!(decompose(&SourceFile::new("M.tla", text), &NoLibrary).elsewhere.is_empty());
    assert_eq!(judged(body), ["In syntax 4003", "I ok In/0", "C ok I!B/0"]);
}

#[test]
fn what_is_wrong_outside_of_all_units_is_said() {
    let of = |text: &str| {
        let found = decompose(&SourceFile::new("M.tla", text), &NoLibrary);
        (found.fine(), found.units.len(), found.elsewhere.len())
    };
    assert_eq!(of("---- MODULE M ----\n====\n"), (true, 0, 0));
    assert_eq!(of("A == 1\n"), (false, 1, 1));
    assert_eq!(of("---- MODULE M ----\nA == 1\n"), (false, 1, 1));
    assert_eq!(of("---- MODULE M\nA == 1\nB == A\n====\n"), (false, 2, 1));
    assert_eq!(of("---- MODULE N ----\nA == 1\n====\n"), (false, 1, 1));
}

#[test]
fn many_faults_take_no_long_time_and_few_lines() {
    for unit in ["OpI == zorkI", "BI == )\nOpI == BI", "OpI == OpI+1", "?I"] {
        let body: String = (0..20_000).map(|i| unit.replace('I', &i.to_string()) + "\n").collect();
        let begun = std::time::Instant::now();
        judged(&body);
        assert!(begun.elapsed().as_secs() < 60, "{unit}");
    }
    let text = format!("---- MODULE M ----\nF(x) == x\nA == <<{}>>\n====\n", vec!["F(1, 2)"; 300].join(", "));
    let found = decompose(&SourceFile::new("M.tla", text), &NoLibrary);
    assert_eq!(found.units[1].diagnostics.len(), 100);
}

#[test]
fn a_broken_definition_spoils_no_neighbour() {
    let body = "EXTENDS Naturals\nVARIABLE x\nA == x = \nB(i) == /\\ x' = i + 1\n        /\\ A\nC == B(1, 2)\nD == C /\\ B(1)\n";
    assert_eq!(
        judged(body),
        ["extends ok", "variables ok", "A syntax 4003", "B ok A/0", "C semantic 4204", "D ok C/0"]
    );
}
