---- MODULE Spec ----
EXTENDS Integers, Sequences
VARIABLE x
Init == x = 0
Next == x = 0 /\ x' = Seq({})
====
