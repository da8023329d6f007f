---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, y
Op(k) == {k, "a"}
Init == x = 1 /\ y = 1
Next == x' = 1 /\ y' = {x, "a"} \ {3}
====
