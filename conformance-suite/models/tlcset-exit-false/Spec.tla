---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLE x
Init == x = 0
Next == x' = x + 1 /\ TLCSet("exit", x = 3)
Post == TLCGet("distinct") = 4
====
