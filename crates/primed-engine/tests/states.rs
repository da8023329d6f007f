//! Expressions that read states: primes around operators, recursion, LET and folds; the steps that an action finds.

mod common;

use common::Module;

const UNITS: &str = r"EXTENDS Integers, Sequences, FiniteSets, FiniteSetsExt, SequencesExt, TLC, TLCExt
VARIABLES x, y
RECURSIVE Down(_)
Down(n) == IF n = 0 THEN x ELSE Down(n - 1)
RECURSIVE Plus(_, _)
Plus(n, e) == IF n = 0 THEN 0 ELSE e + Plus(n - 1, e)
RECURSIVE Later(_)
Later(n) == IF n = 0 THEN x' ELSE Later(n - 1) + x
Repeat(F(_), n) == LET RECURSIVE Go(_) Go(i) == IF i = 0 THEN 0 ELSE F(i) + Go(i - 1) IN Go(n)
Primed(F(_), n) == Repeat(F, n)'
Twice(a) == a + a
SetBoth(v) == x' = v /\ y' = v
RECURSIVE Steps(_)
Steps(n) == IF n = 0 THEN x' = x /\ y' = 0 ELSE Steps(n - 1) \/ (x' = x + n /\ y' = n)";

#[test]
fn primes_reach_into_operators() {
    Module::new(UNITS).check_step(
        ["3", "<<1, 2>>"],
        ["5", "<<7>>"],
        r#"
        <<x, x', x + x'>> ==> <<3, 5, 8>>
        Twice(x) ==> 6
        Twice(x)' ==> 10
        Twice(x') ==> 10
        Later(2) ==> 11
        \A z \in 1..2 : Later(z) = 5 + z * x ==> TRUE
        (x + Len(y))' ==> 6
        Down(4) ==> 3
        Down(4)' ==> 5
        Plus(3, x) ==> 9
        Plus(3, x') ==> 15
        Plus(3, x)' ==> 15
        Plus(x, x') ==> 15
        Repeat(LAMBDA i : i * x, 2) ==> 9
        Repeat(LAMBDA i : i * x', 2) ==> 15
        Repeat(LAMBDA i : i * x, 2)' ==> 15
        Primed(LAMBDA i : i * x, 2) ==> 15
        LET Op(i) == i * x IN <<Repeat(Op, 2), Repeat(Op, 2)', Primed(Op, 1)>> ==> <<9, 15, 5>>
        LET k == x * x IN <<k, k', k>> ==> <<9, 25, 9>>
        LET k == x * x IN Plus(2, k)' + Plus(2, k) ==> 68
        LET k == x + x' IN k * k ==> 64
        (LET k == x + 1 IN Plus(2, k) + Down(k))' ==> 17
        (LET k == x + 1 IN Plus(2, k) + k * k)' ==> 48
        (LET k == x + 1 Op(a) == a + k IN Repeat(Op, 2) + k)' ==> 21
        \A z \in {1} : (LET k == x + z RECURSIVE R(_) R(n) == IF n = 0 THEN k ELSE R(n - 1) IN R(2) + k)' = 12 ==> TRUE
        FoldSet(LAMBDA e, acc : e * x + acc, 0, {1, 2}) ==> 9
        FoldSet(LAMBDA e, acc : e * x + acc, 0, {1, 2})' ==> 15
        FoldLeft(LAMBDA acc, e : acc + e + x', 0, y) ==> 13
        FoldLeft(LAMBDA acc, e : acc + e, 0, y)' ==> 7
        SelectSeq(y, LAMBDA e : e < x) ==> <<1, 2>>
        SelectSeq(y, LAMBDA e : e < x)' ==> <<>>
        [i \in 1..2 |-> i * x]' ==> <<5, 10>>
        [n \in Nat |-> n * x][4] + [n \in Nat |-> n * x'][4] ==> 32
        LET f[n \in Nat] == IF n = 0 THEN x ELSE f[n - 1] IN <<f[2], f[2]'>> ==> <<3, 5>>
        {e \in 1..6 : e > x}' ==> {6}
        \E n \in 1..3 : LET s == n + x IN s = x' ==> TRUE
        UNCHANGED x ==> FALSE
        UNCHANGED <<>> ==> TRUE
        [x' = 9]_x ==> FALSE
        <<x' = 5>>_x ==> TRUE
        ENABLED (x' = x + 1 /\ y' = y) ==> TRUE
        ENABLED (x' = x + 1 /\ x > 3 /\ y' = y) ==> FALSE
        TLCSet(1, x') /\ TLCGet(1) = 5 ==> TRUE
        AssertError("The second argument of \\div is 0.", x' \div 0) ==> TRUE
        x + x = x' ==> FALSE
        SetBoth(6) ==> FALSE
        "#,
    );
}

#[test]
fn steps_are_found_in_order() {
    let mut module = Module::new(UNITS);
    let mut steps = |action: &str| module.steps(["3", "<<1, 2>>"], action).map_err(|e| e.message);
    assert_eq!(steps("SetBoth(x + 1)").as_deref(), Ok("4 4"));
    assert_eq!(
        steps("x' \\in {1, 2} /\\ y' = FoldSet(LAMBDA e, acc : e * x' + acc, 0, {1, 2})").as_deref(),
        Ok("1 3, 2 6")
    );
    assert_eq!(steps("Steps(2)").as_deref(), Ok("3 0, 4 1, 5 2"));
    assert_eq!(steps("\\E n \\in 1..2 : x' = n /\\ LET k == x' + n IN y' = k * k").as_deref(), Ok("1 4, 2 16"));
    assert_eq!(steps("x' = x /\\ (y' = 1 \\/ y' = Repeat(LAMBDA i : i * x', 2))").as_deref(), Ok("3 1, 3 9"));
    assert_eq!(
        steps("x' = 1 /\\ y' = 2 /\\ TLCDefer(TLCSet(1, x')) /\\ TLCGetOrDefault(1, 0) = 0").as_deref(),
        Ok("1 2")
    );
    assert_eq!(steps("x' = 1 /\\ y' = 2 /\\ TLCGet(\"level\") = 1").as_deref(), Ok("1 2"));
    assert_eq!(steps("IF x > 2 THEN SetBoth(0) ELSE SetBoth(1)").as_deref(), Ok("0 0"));
    assert_eq!(steps("\\A n \\in {1} : SetBoth(n)").as_deref(), Ok("1 1"));
    assert!(steps("x' = 1").is_err_and(|message| message.contains('y')));
    assert!(steps("x' = y' /\\ y' = 1").is_err());
}

#[test]
fn instances_over_states() {
    let units = r"EXTENDS Integers, Sequences
VARIABLES x, y
---- MODULE Counter ----
EXTENDS Integers
CONSTANTS Step, F(_)
VARIABLES v, w
RECURSIVE Sum(_)
Sum(n) == IF n = 0 THEN v ELSE F(n) + w + Sum(n - 1)
Go == v' = v + Step
Doubled == v + v
Far(G(_)) == LET RECURSIVE H(_) H(n) == IF n = 0 THEN F(v) + w ELSE G(H(n - 1)) IN H(2)
====
Sq(n) == n * n
A == INSTANCE Counter WITH v <- x, w <- 0, Step <- 2, F <- Sq
B == INSTANCE Counter WITH v <- x + Len(y), w <- x, Step <- 1, F <- Sq
C(k) == INSTANCE Counter WITH v <- k, w <- x, Step <- 1, F <- Sq";
    let mut module = Module::new(units);
    module.check_step(
        ["3", "<<1, 2>>"],
        ["5", "<<7>>"],
        r#"
        A!Go ==> TRUE
        B!Go ==> TRUE
        A!Doubled ==> 6
        A!Doubled' ==> 10
        B!Doubled ==> 10
        B!Doubled' ==> 12
        A!Sum(2) ==> 8
        A!Sum(2)' ==> 10
        B!Sum(2) ==> 16
        B!Sum(2)' ==> 21
        C(x + 1)!Sum(1) ==> 8
        C(x + 1)!Sum(1)' ==> 12
        {C(k)!Sum(1) : k \in 1..2} ==> {5, 6}
        C(10)!Far(LAMBDA n : n * 2) ==> 412
        B!Far(LAMBDA n : n + x)' ==> 51
        LET k == x IN C(k)!Doubled ==> 6
        LET D == C(7)!Doubled IN D + D ==> 28
        "#,
    );
    let mut steps = |action: &str| module.steps(["3", "<<1, 2>>"], action).map_err(|e| e.message);
    assert_eq!(steps("A!Go /\\ y' = <<>>").as_deref(), Ok("5 <<>>"));
}
