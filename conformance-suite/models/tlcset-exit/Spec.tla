---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLE x
Init == x = 0
Next == \E i \in 1..2 : i > 0 /\ x' = x + 1 /\ TLCSet("exit", x = 3)
Post == TLCGet("distinct") = 5
====
