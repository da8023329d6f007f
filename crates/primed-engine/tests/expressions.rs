//! Forms of the language: what they are worth, in which order they are computed, and what they say when they fail.

mod common;

use common::Module;

#[test]
fn let_is_by_need() {
    Module::new("EXTENDS Integers, Sequences").check(
        r#"
        LET x == 1 \div 0 IN 5 ==> 5
        LET x == 1 \div 0 IN IF TRUE THEN 1 ELSE x ==> 1
        LET x == 2 y == x + x IN y * y ==> 16
        LET f(a) == a + 1 g(a) == f(f(a)) IN g(1) ==> 3
        LET x == CHOOSE n \in 1..3 : n > 1 IN <<x, x>> ==> <<2, 2>>
        \A n \in 1..3 : LET sq == n * n IN sq + sq = 2 * n * n ==> TRUE
        {LET d == n + n IN <<d, d>> : n \in 1..2} ==> {<<2, 2>>, <<4, 4>>}
        \E a, b \in 1..3 : LET s == a + b IN s = 6 /\ s > 5 ==> TRUE
        [n \in 1..2 |-> LET m == n + 1 IN m * m] ==> <<4, 9>>
        LET op(F(_), a) == F(F(a)) IN op(LAMBDA z : z * 3, 2) ==> 18
        LET c == 1..3 IN {x \in c : LET k == x + 1 IN k \in c /\ k > 2} ==> {2}
        LET t == <<1, 2>> IN LET u == Append(t, 3) IN Len(u) + Len(t) ==> 5
        LET unused[n \in Nat] == unused[n + 1] IN 1 ==> 1
        "#,
    );
}

#[test]
fn arguments_are_by_need() {
    let units = "EXTENDS Integers\nFirst(a, b) == a\nBoth(a, b) == <<a, b>>\nTwice(Op(_), a) == Op(Op(a))
RECURSIVE Down(_, _)\nDown(n, rest) == IF n = 0 THEN 7 ELSE Down(n - 1, rest)
RECURSIVE Tree(_, _)\nTree(n, k) == IF n = 0 THEN k ELSE Tree(n - 1, k) + Tree(n - 1, k)
RECURSIVE Slow(_)\nSlow(n) == IF n < 2 THEN n ELSE Slow(n - 1) + Slow(n - 2)
RECURSIVE Use(_, _)\nUse(n, rest) == IF n = 0 THEN rest ELSE Use(n - 1, rest)";
    Module::new(units).check(
        r#"
        First(1, 1 \div 0) ==> 1
        Both(1, 1 \div 0) ==> error The second argument of \div is 0.
        Down(5, 1 \div 0) ==> 7
        Use(5, 1 \div 0) ==> error The second argument of \div is 0.
        Use(5, CHOOSE x \in {} : TRUE) ==> error Attempted to compute the value of an expression of form\nCHOOSE x \in S: P, but no element of S satisfied P.
        LET bad == 1 \div 0 IN Down(3, bad) ==> 7
        Tree(14, Slow(14)) ==> 16384 * 377
        \A x \in 12..13 : Tree(12, Slow(x)) = 4096 * Slow(x) ==> TRUE
        Use(1500, 1 + 1) ==> 2
        \A x \in 1..2 : Down(3, x \div 0) = 7 ==> TRUE
        \A x \in 1..2 : Use(3, x + x) = 2 * x ==> TRUE
        Use(3, [a |-> 1].b) ==> error Attempted to select nonexistent field "b" from the record
        Twice(LAMBDA x : x * x, 3) ==> 81
        Twice(-., 4) ==> 4
        "#,
    );
}

#[test]
fn recursive_operators() {
    let units = "EXTENDS Integers, Sequences, FiniteSets
RECURSIVE Sum(_)\nSum(S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \\in S : TRUE IN x + Sum(S \\ {x})
RECURSIVE Even(_), Odd(_)\nEven(n) == n = 0 \\/ Odd(n - 1)\nOdd(n) == n # 0 /\\ Even(n - 1)
RECURSIVE Fib(_)\nFib(n) == IF n < 2 THEN n ELSE Fib(n - 1) + Fib(n - 2)
RECURSIVE Forever(_)\nForever(n) == 1 + Forever(n + 1)
RECURSIVE Ack(_, _)\nAck(m, n) == IF m = 0 THEN n + 1 ELSE IF n = 0 THEN Ack(m - 1, 1) ELSE Ack(m - 1, Ack(m, n - 1))
Scaled(k, s) == LET RECURSIVE Go(_)\n Go(i) == IF i > Len(s) THEN <<>> ELSE <<k * s[i]>> \\o Go(i + 1) IN Go(1)
Nested(k) == LET RECURSIVE Up(_)\n Up(i) == IF i >= k THEN {} ELSE {<<i, k>>} \\cup Up(i + 1) IN Up(0)";
    Module::new(units).check(
        r#"
        Sum({1, 2, 3}) ==> 6
        Sum(1..100) ==> 5050
        Even(10) ==> TRUE
        Odd(10) ==> FALSE
        Fib(15) ==> 610
        Ack(2, 3) ==> 9
        Forever(0) ==> error StackOverflow
        Scaled(3, <<1, 2>>) ==> <<3, 6>>
        [k \in 1..2 |-> Scaled(k, <<5>>)] ==> <<<<5>>, <<10>>>>
        Nested(2) ==> {<<0, 2>>, <<1, 2>>}
        {Nested(k) : k \in 1..2} ==> {{<<0, 1>>}, {<<0, 2>>, <<1, 2>>}}
        LET RECURSIVE F(_) F(n) == IF n = 0 THEN 1 ELSE n * F(n - 1) IN F(5) ==> 120
        \A y \in 1..3 : LET RECURSIVE P(_) P(n) == IF n = 0 THEN y ELSE P(n - 1) IN P(4) = y ==> TRUE
        LET RECURSIVE G(_) G(S) == IF S = {} THEN <<>> ELSE LET m == CHOOSE m \in S : \A o \in S : m <= o IN <<m>> \o G(S \ {m}) IN G({3, 1, 2}) ==> <<1, 2, 3>>
        LET f[n \in Nat] == IF n = 0 THEN 0 ELSE n + f[n - 1] IN f[500] ==> 125250
        LET f[n \in Nat] == f[n + 1] IN f[0] ==> error StackOverflow
        LET f[n \in Nat] == IF n = 0 THEN 1 ELSE n * f[n - 1] IN f[-1] ==> error In applying the function\n[n \in Nat |-> <expression>],\nthe first argument is:\n-1\nwhich is not in its domain.
        LET f[i, j \in 0..3] == IF i = 0 \/ j = 0 THEN 1 ELSE f[i - 1, j] + f[i, j - 1] IN f[3, 3] ==> 20
        LET f[<<i, j>> \in (0..3) \X (0..3)] == IF i = 0 THEN j ELSE f[<<i - 1, j>>] + 1 IN f[<<2, 3>>] ==> 5
        "#,
    );
}

#[test]
fn higher_order_operators() {
    let units = "EXTENDS Integers, Sequences, FiniteSetsExt, SequencesExt
Apply(Op(_, _), a, b) == Op(a, b)\nMap(F(_), s) == [i \\in DOMAIN s |-> F(s[i])]
Compose(F(_), G(_), a) == F(G(a))\nPlusN(n, s) == Map(LAMBDA x : x + n, s)
Fold(op(_, _), base, S) == LET RECURSIVE Go(_, _)
  Go(T, acc) == IF T = {} THEN acc ELSE LET x == CHOOSE x \\in T : TRUE IN Go(T \\ {x}, op(x, acc)) IN Go(S, base)
Count(P(_), s) == LET hit(i) == IF P(s[i]) THEN 1 ELSE 0 RECURSIVE Go(_)
  Go(i) == IF i = 0 THEN 0 ELSE hit(i) + Go(i - 1) IN Go(Len(s))";
    Module::new(units).check(
        r#"
        Apply(+, 1, 2) ==> 3
        Apply(LAMBDA x, y : x * y, 3, 4) ==> 12
        Apply(\cup, {1}, {2}) ==> {1, 2}
        Map(LAMBDA x : x * x, <<1, 2, 3>>) ==> <<1, 4, 9>>
        PlusN(5, <<1, 2>>) ==> <<6, 7>>
        Fold(LAMBDA x, acc : x + acc, 0, 1..4) ==> 10
        Fold(+, 0, 1..4) + Fold(LAMBDA x, acc : x * acc, 1, 1..4) ==> 34
        {Fold(LAMBDA x, acc : x * n + acc, 0, 1..2) : n \in 1..2} ==> {3, 6}
        Fold(LAMBDA x, acc : acc + Fold(LAMBDA y, inner : inner + x * y, 0, 1..2), 0, 1..3) ==> 18
        Count(LAMBDA x : x > 1, <<1, 2, 3>>) ==> 2
        \A k \in 0..3 : Count(LAMBDA x : x > k, <<1, 2, 3>>) = 3 - k ==> TRUE
        LET g(a) == a * 2 RECURSIVE F(_) F(n) == IF n = 0 THEN 1 ELSE g(F(n - 1)) IN F(5) ==> 32
        LET k == 3 g(a) == a * k RECURSIVE F(_) F(n) == IF n = 0 THEN 1 ELSE g(F(n - 1)) IN F(2) ==> 9
        LET g(a) == a + 1 h(a) == g(g(a)) RECURSIVE F(_) F(n) == IF n = 0 THEN 0 ELSE h(F(n - 1)) IN <<F(1), F(3)>> ==> <<2, 6>>
        LET g(a) == a + 1 f[n \in Nat] == IF n = 0 THEN 0 ELSE g(f[n - 1]) IN f[4] ==> 4
        Compose(LAMBDA x : x + 1, LAMBDA x : x * 2, 5) ==> 11
        FoldSet(LAMBDA x, acc : FoldSet(LAMBDA y, inner : x * y + inner, acc, 1..3), 0, 1..3) ==> 36
        FoldLeft(LAMBDA acc, s : acc + FoldLeft(LAMBDA a, e : a + e, 0, s), 0, <<<<1, 2>>, <<3>>>>) ==> 6
        LET k == 10 IN FoldSet(LAMBDA x, acc : LET d == x * k IN d + d + acc, 0, {1, 2}) ==> 60
        {FoldSet(LAMBDA x, acc : x * n + acc, 0, {1, 2}) : n \in 1..3} ==> {3, 6, 9}
        SelectSeq(<<1, 2, 3>>, LAMBDA x : \E y \in {2, 3} : y = x) ==> <<2, 3>>
        LET Op(a) == LET b == a + 1 IN b * b IN FoldSet(LAMBDA x, acc : Op(x) + acc, 0, {1, 2}) ==> 13
        "#,
    );
}

#[test]
fn closures() {
    Module::new("EXTENDS Integers, Sequences").check(
        r#"
        [n \in Nat |-> n + 1][5] ==> 6
        LET k == 3 IN [n \in Nat |-> n * k][5] ==> 15
        [k \in 1..2 |-> [n \in Nat |-> n * k]][2][5] ==> 10
        [[n \in Nat |-> n] EXCEPT ![3] = 7][3] ==> 7
        [[n \in Nat |-> n] EXCEPT ![3] = @ + 10, ![3] = @ + 100][3] ==> 113
        [n \in Nat |-> n]["a"] ==> error
        LET f == [n \in Nat |-> [m \in Nat |-> n - m]] IN f[5][3] ==> 2
        LET f[n \in Nat] == IF n = 0 THEN 0 ELSE f[n - 1] + 1 g == [f EXCEPT ![2] = 50] IN <<g[2], g[3]>> ==> <<50, 3>>
        5 \in {n \in Nat : n > 4} ==> TRUE
        5 \in {n \in Nat : n > 5} ==> FALSE
        \A k \in 1..2 : k \in {n \in Nat : n = k} ==> TRUE
        LET S(k) == {n \in Nat : n % k = 0} IN 9 \in S(3) /\ 9 \notin S(2) ==> TRUE
        DOMAIN [n \in Nat |-> n] = Nat ==> TRUE
        [a, b \in Nat |-> a - b][7, 2] ==> 5
        "#,
    );
}

#[test]
fn except() {
    Module::new("EXTENDS Integers, Sequences, TLC").check(
        r#"
        [<<1, 2, 3>> EXCEPT ![2] = 9] ==> <<1, 9, 3>>
        [<<1, 2, 3>> EXCEPT ![2] = @ + 1, ![3] = @ * 2] ==> <<1, 3, 6>>
        [<<1, 2>> EXCEPT ![5] = 1] ==> <<1, 2>>
        [<<1, 2>> EXCEPT !["a"] = 1] ==> error Attempted to access tuple at a non integral index: "a"
        [[a |-> 1] EXCEPT !.a = @ + 1] ==> [a |-> 2]
        [[a |-> 1] EXCEPT !.b = 2] ==> [a |-> 1]
        [[a |-> 1] EXCEPT !["a"] = 2] ==> [a |-> 2]
        [[a |-> 1] EXCEPT ![1] = 2] ==> error Attempted to access record by a non-string argument: 1
        [[a |-> <<[b |-> 1], [b |-> 2]>>] EXCEPT !.a[2].b = @ + 40] ==> [a |-> <<[b |-> 1], [b |-> 42]>>]
        [[a |-> <<1>>] EXCEPT !.a = Append(@, 2), !.a[2] = @ + 1] ==> [a |-> <<1, 3>>]
        [[i \in 2..3 |-> i] EXCEPT ![2] = @ * 10] ==> 2 :> 20 @@ 3 :> 3
        [[i, j \in 1..2 |-> i + j] EXCEPT ![1, 2] = 0][<<1, 2>>] ==> 0
        [<<[x |-> 1]>> EXCEPT ![1].x = [@ EXCEPT !.y = 1]] ==> error Attempted to apply EXCEPT construct to the value 1.
        [<<[x |-> [y |-> 0]]>> EXCEPT ![1].x = [@ EXCEPT !.y = 1]] ==> <<[x |-> [y |-> 1]]>>
        [1 EXCEPT ![1 \div 0] = 2] ==> error Attempted to apply EXCEPT construct to the value 1.
        [<<1>> EXCEPT ![7] = 1 \div 0] ==> <<1>>
        [[x \in {{1}, {2}} |-> 0] EXCEPT ![{1}] = 5][{1}] ==> 5
        "#,
    );
}

#[test]
fn control() {
    Module::new("EXTENDS Integers").check(
        r#"
        IF 1 < 2 THEN "y" ELSE "n" ==> "y"
        IF 5 THEN 1 ELSE 2 ==> error A non-boolean expression (an integer) was used as the condition of an IF.
        CASE 1 > 2 -> "a" [] 2 > 1 -> "b" ==> "b"
        CASE 1 > 2 -> "a" [] OTHER -> "c" ==> "c"
        CASE TRUE -> 1 [] TRUE -> 1 \div 0 ==> 1
        CASE 1 > 2 -> "a" ==> error Attempted to evaluate a CASE with no conditions true.
        CASE 5 -> "a" ==> error A non-boolean expression (an integer) was used as a condition of a CASE.
        FALSE /\ 1 \div 0 = 1 ==> FALSE
        TRUE \/ 1 \div 0 = 1 ==> TRUE
        FALSE => 1 \div 0 = 1 ==> TRUE
        TRUE /\ 5 ==> error Attempted to evaluate an expression of form P /\ Q when Q was\nan integer.
        5 \/ TRUE ==> error Attempted to evaluate an expression of form P \/ Q when P was\nan integer.
        5 => TRUE ==> error Attempted to evaluate an expression of form P => Q when P was\nan integer.
        TRUE <=> 5 ==> error Attempted to evaluate an expression of form P <=> Q when P or Q was not a boolean.
        ~5 ==> error Attempted to apply the operator ~ to a non-boolean
        "#,
    );
}

#[test]
fn choose_and_patterns() {
    Module::new("EXTENDS Integers, Sequences, FiniteSets").check(
        r#"
        CHOOSE x \in 1..10 : x * x > 20 ==> 5
        CHOOSE x \in {"b", "a"} : TRUE = TRUE ==> CHOOSE x \in {"a", "b"} : TRUE
        CHOOSE <<x, y>> \in (1..2) \X (1..2) : x > y ==> <<2, 1>>
        CHOOSE x \in {} : TRUE ==> error Attempted to compute the value of an expression of form\nCHOOSE x \in S: P, but no element of S satisfied P.
        CHOOSE x \in Nat : x > 2 ==> error Attempted to compute the value of an expression of\nform CHOOSE x \in S: P, but S was not enumerable.
        CHOOSE x : x = 1 ==> error TLC attempted to evaluate an unbounded CHOOSE.\nMake sure that the expression is of form CHOOSE x \in S: P(x).
        \A x : x = 1 ==> error TLC attempted to evaluate an unbounded \A.\nMake sure that the expression is of form \A x \in S: P(x).
        \E x, y \in 1..3 : x + y = 6 ==> TRUE
        \A <<x, y>> \in {<<1, 2>>, <<3, 4>>} : y = x + 1 ==> TRUE
        \E <<x, y>> \in {1} : x = 1 ==> error Argument mismatch in operator application.
        {x + y : <<x, y>> \in {<<1, 2>>, <<3, 4>>}} ==> {3, 7}
        {<<x, y>> \in (1..2) \X (1..2) : x < y} ==> {<<1, 2>>}
        [<<x, y>> \in (1..2) \X {1} |-> x + y][<<2, 1>>] ==> 3
        {<<x, y>> : x \in 1..2, y \in {x0 \in 1..3 : x0 > 2}} ==> {<<1, 3>>, <<2, 3>>}
        \A x \in {}, y \in 1..2 : FALSE ==> TRUE
        \E x \in {} : 1 \div 0 = 1 ==> FALSE
        \E x \in 1..2 : 5 ==> error
        {x \in 1..2 : 5} ==> error
        \A x \in Nat : x >= 0 ==> error TLC encountered the non-enumerable quantifier bound\nNat
        "#,
    );
}

#[test]
fn limits() {
    Module::new(
        "EXTENDS Integers, Sequences, FiniteSets, SequencesExt\nRECURSIVE Wrap(_)\nWrap(n) == IF n = 0 THEN {} ELSE {Wrap(n - 1)}",
    )
    .check(
        r#"
        {<<x, y>> : x \in 1..200, y \in 1..200} ==> error Attempted to construct a set with too many elements
        SUBSET (1..30) = {} ==> FALSE
        {1, 2} \in {s \in SUBSET (1..30) : 1 \in s} ==> TRUE
        CHOOSE s \in SUBSET (1..30) : Cardinality(s) = 2 ==> {1, 2}
        <<3, 4>> \in {<<i, j>> \in Int \X Int : j > i} ==> TRUE
        <<1, 2>> \in {f \in UNION {[s -> {1, 2, 3}] : s \in SUBSET {1, 2, 3}} : f[2] = 2} ==> TRUE
        Cardinality([1..9 -> 1..9]) ==> 387420489
        Wrap(3) ==> {{{{}}}}
        Len(FoldLeftDomain(LAMBDA acc, i : acc \o acc, <<1>>, [i \in 1..40 |-> i])) ==> error The memory limit of
        Len(FoldLeftDomain(LAMBDA acc, i : acc \o acc, "ab", [i \in 1..40 |-> i])) ==> error The memory limit of
        Wrap(1900) = 1 ==> error
        Cardinality({{n} : n \in 1..19000}) ==> 19000
        "#,
    );
}

#[test]
fn instances() {
    let units = "EXTENDS Integers
---- MODULE Inner ----
EXTENDS Integers
CONSTANT Step
Next(n) == n + Step
RECURSIVE Climb(_, _)
Climb(n, times) == IF times = 0 THEN n ELSE Climb(Next(n), times - 1)
Table == [i \\in 1..2 |-> i * Step]
====
By(s) == INSTANCE Inner WITH Step <- s
Three == INSTANCE Inner WITH Step <- 3
Of(a) == By(a)!Next(a)";
    Module::new(units).check(
        r#"
        Three!Next(1) ==> 4
        By(5)!Next(1) ==> 6
        By(5)!Climb(1, 3) ==> 16
        [k \in 1..2 |-> By(k)!Table] ==> <<<<1, 2>>, <<2, 4>>>>
        \A k \in 1..3 : By(k)!Climb(0, 2) = 2 * k ==> TRUE
        {By(k + 1)!Next(k) : k \in 1..2} ==> {3, 5}
        Of(4) ==> 8
        LET s == 7 IN By(s)!Next(s) ==> 14
        By(1 \div 0)!Next(1) ==> error The second argument of \div is 0.
        "#,
    );
}

#[test]
fn what_conditions_need_is_given_back() {
    // Each of the conditions fits into the memory that there is, all that they need together does not.
    let expressions = r#"
        \A S \in SUBSET (1..12) : Cardinality({f \in [1..8 -> {0, 1}] : f[1] \in S}) < 257 ==> TRUE
        ~\E S \in SUBSET (1..12) : Cardinality({f \in [1..8 -> {0, 1}] : f[1] \in S}) = 257 ==> TRUE
        Cardinality({S \in SUBSET (1..12) : Cardinality({f \in [1..8 -> {0, 1}] : f[1] \in S}) = 128}) ==> 2048
        CHOOSE n \in 1..5000 : Cardinality({f \in [1..8 -> {0, 1}] : f[1] = n}) < 128 /\ n = 5000 ==> 5000
        LET big == {f \in [1..8 -> {0, 1}] : f[1] = 1} IN \A S \in SUBSET (1..12) : S = {} \/ Cardinality(big \union {[f EXCEPT ![1] = 0] : f \in big}) = 256 ==> TRUE
        \A n \in 1..3000 : Cardinality({f \in [1..8 -> {0, 1}] : f[1] = n}) < 128 \/ (n = 1 /\ 1 \div (n - 1) = 0) ==> error The second argument of \div is 0.
        "#;
    let mut module = Module::new("EXTENDS Integers, FiniteSets, Sequences");
    module.limits.crowded = 1 << 20;
    module.check(expressions);
    module.limits.crowded = usize::MAX;
    let without = module.eval(r"\A S \in SUBSET (1..12) : Cardinality({f \in [1..8 -> {0, 1}] : f[1] \in S}) < 257");
    assert!(without.is_err_and(|error| error.message.contains("memory limit")));
}
