---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
VARIABLE x
Init == x = 0
Next == ({{3}} \cup {e \in SUBSET {1,2} : Assert(FALSE, "no")}) = {} /\ x' = 1

====
