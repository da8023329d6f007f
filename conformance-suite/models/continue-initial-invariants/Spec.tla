---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x \in 0..5
Next == x < 6 /\ (x' = x + 1 \/ x' = x + 2)
C == x < 4
Inv == x < 3
Inv2 == x # 4
====
