---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLE x
Init == x \in 0..2 /\ TLCSet("exit", x = 1)
Next == x' = x + 1
====
