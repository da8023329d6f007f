---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
VARIABLE x
Init == x = 0
Next == {} \in {e \in SUBSET {1,2} : Assert(FALSE, "no")} /\ x' = 1

====
