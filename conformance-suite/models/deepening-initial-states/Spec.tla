---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, y
Init == x \in 0..3 /\ y = 0
Next == x' = (x + 2) % 8 /\ y' = y
Inv == x # 9
Con == x # 1
====
