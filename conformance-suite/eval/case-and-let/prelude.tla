Ignore(x) == 3
Twice(F(_), x) == F(F(x))
Increment(n) == n + 1
Plus(Op(_, _), a, b) == Op(a, b)
Compare(_ \prec _, a, b) == a \prec b
Even[n \in Nat] == IF n = 0 THEN TRUE ELSE ~Even[n - 1]
RECURSIVE Fact(_)
Fact(n) == IF n = 0 THEN 1 ELSE n * Fact(n - 1)
---- MODULE Inner ----
Double(n) == n + n
====
Nested == INSTANCE Inner
