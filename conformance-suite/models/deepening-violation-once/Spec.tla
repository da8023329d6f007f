---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ x' = x+1 /\ y' = y
        \/ x' = x+1 /\ y' = y + 1
Inv == x < 2
====
