---- MODULE Spec ----
EXTENDS Integers, TLC, FiniteSets
VARIABLES s, b
Fails(T) == Assert(T # {2}, "met")
Even[k \in Nat] == IF k = 0 THEN 0 ELSE Even[k]
Init == s = {1, 2} /\ b = 0
Next == /\ b < 1 /\ b' = b + 1 /\ s' = s
        /\ LET G == {T \in SUBSET s : Fails(T)} IN b = 5 \/ Cardinality(G) > 7
====
