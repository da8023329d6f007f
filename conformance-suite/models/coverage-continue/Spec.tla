---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y \in 0..1
A == x < 4 /\ x' = x + 1 /\ UNCHANGED y
B == y = 0 /\ y' = 1 /\ x' = x
Next == A \/ B
Inv == x + y < 4
====
