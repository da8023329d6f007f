---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
VARIABLE x
Init == x = 0
Next == {} \in UNION {{{3}}, {e \in SUBSET {1,2} : Assert(FALSE, "no")}} /\ x' = 1

====
