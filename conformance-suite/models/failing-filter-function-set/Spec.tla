---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
VARIABLE x
Init == x = 0
Next == \E y \in [{1} -> {e \in SUBSET {1,2} : Assert(e = {}, "no")}] : TRUE /\ x' = 1

====
