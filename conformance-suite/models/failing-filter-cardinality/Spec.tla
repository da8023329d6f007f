---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
VARIABLE x
Init == x = 0
Next == Cardinality(({{3}} \cup {e \in SUBSET {1,2} : Assert(FALSE, "no")})) = 1 /\ x' = 1

====
