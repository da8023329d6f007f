------------------------------- MODULE Spec -------------------------------
EXTENDS Integers, Sequences
VARIABLES x
RECURSIVE Sum(_)
Sum(n) == IF n = 0 THEN 0 ELSE n + Sum(n - 1)
f[n \in Nat] == IF n = 0 THEN 0 ELSE n + f[n - 1]
Init == x = 0
Next == x < 3 /\ x' = x + 1 /\ Sum(300 + x) > 0 /\ f[200 + x] = Sum(200 + x)
Inv == Sum(x) = f[x]
===========================================================================
