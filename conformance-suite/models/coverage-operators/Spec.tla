---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Twice(n) == n + n
Both(a, b) == a < 4 /\ b < 4
Set(v, e) == v' = e
A == Both(x, y) /\ x' = Twice(x + 1) % 5 /\ UNCHANGED y
B == /\ Both(x + 1, y)
     /\ Set(y, Twice(y + 1) % 3)
     /\ Set(x, x)
Next == A \/ B
Inv == Twice(x) + Twice(y) < 100
====
