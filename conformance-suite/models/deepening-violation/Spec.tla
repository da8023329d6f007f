---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ x' = x+1 /\ y' = y
        \/ y' = y+1 /\ x' = x
Inv == x + y < 4
====
