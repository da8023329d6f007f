------------------------------- MODULE Spec -------------------------------
EXTENDS TLC, Integers, FiniteSets
CONSTANTS P, Q
VARIABLES f, last
Init == f = [p \in P |-> {}] /\ last = {}
Next == \/ \E p \in P, q \in Q : q \notin f[p] /\ Cardinality(f[p]) < 2 /\ f' = [f EXCEPT ![p] = @ \cup {q}] /\ last' = {q}
        \/ last # {} /\ last' = {} /\ f' = f
Sym == Permutations(P) \cup Permutations(Q)
===========================================================================
