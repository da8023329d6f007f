---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == x' = x + 1 /\ y' = y
Inv == IF x = 3 THEN x + "a" = 1 ELSE TRUE
====
