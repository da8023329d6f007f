---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
VARIABLE x
Init == x = 0
Next == \E y \in UNION {{e \in SUBSET {1,2} : Assert(FALSE, "no")}} : TRUE /\ x' = 1

====
