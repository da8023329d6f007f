---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, y
Init == x = 1 /\ y = 0
Next == x < 8 /\ (x' = 2*x \/ x' = 2*x+1) /\ y' = y

====
