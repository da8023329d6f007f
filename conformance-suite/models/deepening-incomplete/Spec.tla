---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ x < 2 /\ x' = x + 1 /\ y' = y
        \/ x = 2 /\ x' = 3
====
