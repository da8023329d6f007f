---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x
RECURSIVE Sum(_)
Sum(n) == IF n = 0 THEN 0 ELSE n + Sum(n - 1)
Apply(F(_), n) == F(n) + 1
Init == x = 0
Next == /\ x < 4
        /\ Sum(x) < 100
        /\ x' = Apply(LAMBDA m : m * 1, x)
Inv == Apply(LAMBDA m : m + x, x) > 0
====
