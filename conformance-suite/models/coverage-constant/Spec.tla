---- MODULE Spec ----
EXTENDS Naturals, FiniteSets
CONSTANTS N, P
VARIABLES x, s
Limit == N * 2
All == 1..N
Init == x = 0 /\ s = {}
Next == /\ x < Limit
        /\ x' = x + (N - 2)
        /\ s' = IF Cardinality(s) < N - 1 THEN s \cup {CHOOSE p \in P : p \notin s} ELSE s
Inv == x <= Limit /\ x \in 0..(N * 2) /\ Cardinality(All) = N
====
