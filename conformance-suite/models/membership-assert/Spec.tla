---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLE x
Init == x = {}
Next == {1} \in {s \in SUBSET {1,2} : Assert(FALSE, "q")} /\ x' = {}
====
