---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == x' = (IF x = 3 THEN x + "a" ELSE x + 1) /\ y' = y
====
