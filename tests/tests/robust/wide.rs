//! The work grows with the length of a text: four times the text takes about four times the processor time of this thread,
//! where its square would take sixteen times. Long enough texts, the best of three tries, and a second look at a ratio that
//! was too large (a neighbour may have emptied the caches) keep chance out: what is not linear is so every time.

use std::time::{Duration, Instant};

use primed_tests::robust;

/// Four times the text may take this many times the work.
const MOST: f64 = 9.0;

/// So often is a ratio that is too large looked at again.
const LOOKS: usize = 5;

/// Work below this is too little to compare.
const LEAST: Duration = Duration::from_millis(4);

fn module(body: &str) -> String {
    format!(
        "---- MODULE M ----\nEXTENDS Naturals, Sequences\nVARIABLES v, w\nCONSTANT c\nF(x) == x\nG == 1\n{body}\n====\n"
    )
}

fn each(count: usize, separator: &str, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect::<Vec<_>>().join(separator)
}

/// Processor time of this thread where the system tells it (Linux: nanoseconds on the processor), else of the clock.
fn spent(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|t| t.split(' ').next().and_then(|n| n.parse().ok()));
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn work(text: &str) -> Duration {
    let start = Instant::now();
    let tries = (0..3).map(|_| {
        let before = spent(start);
        std::hint::black_box(robust::analyse(text.as_bytes()));
        spent(start) - before
    });
    tries.min().unwrap_or_default()
}

fn linear(name: &str, count: usize, body: impl Fn(usize) -> String) {
    let (short, long) = (module(&body(count)), module(&body(4 * count)));
    let ratios = (0..LOOKS).map(|_| work(&long).as_secs_f64() / work(&short).max(LEAST).as_secs_f64());
    let mut seen = Vec::new();
    let found = ratios.inspect(|ratio| seen.push(*ratio)).any(|ratio| ratio < MOST);
    assert!(found, "{name}: {} instead of {count} take {seen:.1?} times the work", 4 * count);
}

const N: usize = 5_000;

#[test]
fn lists_of_all_kinds() {
    linear("junction list", N, |n| format!("P ==\n{}", "  /\\ v = 1\n".repeat(n)));
    linear("CASE", N, |n| format!("P == CASE TRUE -> 1{}", " [] TRUE -> 1".repeat(n)));
    linear("set", 10 * N, |n| format!("P == {{{}}}", each(n, ", ", |_| "1".into())));
    linear("record", N, |n| format!("P == [{}]", each(n, ", ", |i| format!("a{i} |-> v"))));
    linear("record set", N, |n| format!("P == [{}]", each(n, ", ", |i| format!("a{i} : Nat"))));
    linear("EXCEPT", N, |n| format!("P == [v EXCEPT {}]", each(n, ", ", |i| format!("![{i}] = @ + c"))));
    linear("bounds", N, |n| format!("P == \\A {} : TRUE", each(n, ", ", |i| format!("x{i} \\in Nat"))));
    linear("labels", N, |n| format!("P == {{{}}}", each(n, ", ", |i| format!("l{i} :: 1"))));
    linear("operators", N, |n| format!("P == {{{}}}", each(n, ", ", |_| "v + 1 - 2 = 3".into())));
    linear("subexpressions", N, |n| format!("P == G{}", "!1".repeat(n)));
    linear("qualified name", N, |n| format!("P == {}", each(n, "!", |_| "a".into())));
    linear("arguments within arguments", N, |n| {
        format!("P == {}{{{}}}{}", "F(".repeat(n / 20), "1, ".repeat(n) + "1", ")".repeat(n / 20))
    });
}

#[test]
fn definitions_and_declarations() {
    let before = |i: usize| if i == 0 { "1".into() } else { format!("D{}", i - 1) };
    linear("definitions", N, |n| each(n, "\n", |i| format!("D{i} == {} + 1", before(i))));
    linear("parameters", N, |n| format!("P({}) == TRUE", each(n, ", ", |i| format!("x{i}"))));
    linear("LET", N, |n| format!("P == LET {} IN 1", each(n, "\n", |i| format!("a{i} == v"))));
    linear("RECURSIVE", N, |n| each(n, "\n", |i| format!("RECURSIVE R{i}(_)\nR{i}(x) == R{i}(x)")));
    linear("variables", N, |n| format!("VARIABLES {}", each(n, ", ", |i| format!("v{i}"))));
    linear("nested modules", N / 4, |n| {
        each(n, "\n", |i| format!("---- MODULE A{i} ----\n====\nI{i} == INSTANCE A{i}"))
    });
    linear("substitutions", N, |n| {
        let constants = each(n, ", ", |i| format!("k{i}"));
        let given = each(n, ", ", |i| format!("k{i} <- 1"));
        format!("---- MODULE A ----\nCONSTANTS {constants}\n====\nI == INSTANCE A WITH {given}")
    });
    linear("EXTENDS", N, |n| format!("---- MODULE A ----\nEXTENDS {}\n====", each(n, ", ", |_| "Naturals".into())));
    linear("theorems", N, |n| "THEOREM TRUE BY DEF G\n".repeat(n));
    linear("steps", N, |n| {
        let steps = each(n, "\n", |i| format!("<1>{i}. G = 1 BY DEF G"));
        format!("THEOREM TRUE\n{steps}\n<1> QED BY {}", each(n, ", ", |i| format!("<1>{i}")))
    });
}

#[test]
fn text_that_means_nothing() {
    linear("comment", 200 * N, |n| format!("(* {} *)", "x".repeat(n)));
    linear("nested comments", 20 * N, |n| format!("{}{}", "(*".repeat(n), "*)".repeat(n)));
    linear("line comments", 10 * N, |n| "\\* a comment\n".repeat(n));
    linear("lines", 100 * N, |n| "\n".repeat(n));
    linear("string", 200 * N, |n| format!("P == \"{}\"", "x".repeat(n)));
    linear("unclosed string", 20 * N, |n| format!("P == \"{}", "\\\"".repeat(n)));
    linear("dashes before", 20 * N, |n| format!("====\n{}", "---- \n".repeat(n)));
}

#[test]
fn errors_in_great_number() {
    linear("unknown names", N, |n| each(n, "\n", |i| format!("D{i} == nowhere")));
    linear("the same name again", N, |n| "G == 1\n".repeat(n));
    linear("the same variable again", N, |n| "VARIABLE v\n".repeat(n));
    linear("RECURSIVE in one line", N, |n| format!("RECURSIVE {}", each(n, ", ", |i| format!("R{i}(_)"))));
    linear("syntax errors", N, |n| "P == )\n".repeat(n));
    linear("bad characters", 20 * N, |n| format!("P == {}", "?".repeat(n)));
    linear("bad escapes", N, |n| format!("P == {{{}}}", each(n, ", ", |_| "\"\\q\"".into())));
    linear("USE with an open parenthesis", N, |n| "USE F(\n".repeat(n));
}
