---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ x < 4 /\ x' = x+1 /\ y' = y
        \/ y < 4 /\ y' = y+1 /\ x' = x

====
