Sum == 1 + 2 * 3
Less(a, b) == a + 1 < b * 2
List == /\ 1 = 1
        /\ 2 = 3
        /\ \/ FALSE
           \/ {1, 2, 3}
Chain == (1 = 1) /\ (2 = 2) /\ (3 = 4)
All == \A x \in {1, 2}, y \in {3, 4} : x + 10 * y
Pairs == \A <<x, y>> \in {1, 2} \X {3, 4}, z \in {5} : <<x, y, z>>
Some(n) == \E x \in 1..n : \E y \in x..n : x * 100 + y * 10 + n
Chosen == CHOOSE x \in {1, 2} : x * 7
Unbounded == CHOOSE x : x * 8
Filtered == {x \in {1, 2} : x + 20}
Mapped == {x + y * 2 : x \in {1, 2}, y \in {3}}
Fun == [x \in 1..3, y \in 2..4 |-> x - y]
Square[x \in 1..4] == x * x
Fact[n \in 0..5] == IF n = 0 THEN 1 ELSE n * Fact[n - 1]
Two[x \in 1..2, <<y, z>> \in {3} \X {4}] == x + y + z
Choice(n) == IF n > 1 THEN n + 1 ELSE n - 1
Cases(n) == CASE n = 1 -> n + 10
              [] n = 2 -> n + 20
              [] OTHER -> n + 30
Local(n) == LET D == n + 1
                E(m) == n * m + D
                G[k \in 1..3] == k + n
                H(m) == LET I == m + n IN I * 2
            IN D + E(5)
Rec == [a |-> 1 + 1, b |-> 2 + 2]
RecSet == [a : {1}, b : {2} \cup {3}]
Field == [a |-> 4].a
Index == [x \in 1..2 |-> x][2]
Index2 == Fun[1 + 0, 2 + 0]
Changed == [Square EXCEPT ![1] = 5]
Tup == <<1 + 1, {2, 3}, [1..2 -> {4}]>>
Set == {1 + 1, 3 + 3}
Labelled == inner :: 4 + 5
Labels == \A x \in {1, 2} : lab(x) :: <<x + 1, deep :: x + 2>>
Crossed == \A x \in {1}, y \in {2} : lab(y, x) :: x - y
Through(n) == LET D == n * 2 IN \E x \in {1} : lab(x) :: D + x
Apply(Op(_), v) == Op(v + 1)
Higher == Apply(LAMBDA z : z * 3, 4)
Named(Op(_), v) == Op(v) + 1
Twice(F(_)) == <<F(1), F(2)>>
Binary(F(_, _)) == F(1, 2)
a ++ b == a * 10 + b
RECURSIVE Count(_)
Count(n) == IF n = 0 THEN 0 ELSE 1 + Count(n - 1)
RECURSIVE Even(_), Odd(_)
Even(n) == n = 0 \/ Odd(n - 1)
Odd(n) == n # 0 /\ Even(n - 1)
Negated == ~ (1 = 2)
Minus == -(3)
Power == SUBSET {1}
Domain == DOMAIN Square
Product == {1} \X {2} \X {3}
UsesConstant(n) == <<c, n>>
UsesConstant2 == UsesConstant(3)
ASSUME Basic == 1 + 1 = 2
THEOREM Thm == 5 + 6 = 11
THEOREM Proved == ASSUME 1 = 1, 2 = 3 PROVE 3 = 4
---- MODULE Inner ----
CONSTANTS K, Q(_)
InnerOp(x) == K + x < Q(x)
InnerLet == LET D == K * 2 IN D + 1
InnerLabel == \A x \in {K} : lab(x) :: x + K
====
I == INSTANCE Inner WITH K <- 7, Q <- LAMBDA q : q * 2
Square2(q) == q * q
J(K) == INSTANCE Inner WITH Q <- Square2
