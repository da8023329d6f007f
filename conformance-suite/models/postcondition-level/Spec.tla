---- MODULE Spec ----
EXTENDS Naturals, TLC
VARIABLE k
Init == k = 0
Next == k < 3 /\ k' = k + 1
Inv == k < 3
Post == TLCGet("level") = 0
====
