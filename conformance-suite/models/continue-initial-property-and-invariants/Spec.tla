---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x \in 0..5
Next == x < 6 /\ x' = x + 1
Inv == x < 3
Inv2 == x # 4
P == x = 0
====
