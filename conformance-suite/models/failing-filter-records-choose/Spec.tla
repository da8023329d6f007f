---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
VARIABLE x
Init == x = 0
Next == (CHOOSE y \in [a : {e \in SUBSET {1,2} : Assert(FALSE, "no")}] : TRUE) = [a |-> {3}] /\ x' = 1

====
