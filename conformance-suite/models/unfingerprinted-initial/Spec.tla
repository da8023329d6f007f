---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, y
Op(k) == {k, "a"}
Init == x = 1 /\ y = {x, "a"}
Next == UNCHANGED <<x, y>>
====
