---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
VARIABLE x
Init == x = 0
Next == \E y \in UNION {{{3}}, {e \in SUBSET {1,2} : 1 \div 0 = 1}} : TRUE /\ x' = 1

====
