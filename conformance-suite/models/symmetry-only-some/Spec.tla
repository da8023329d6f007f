------------------------------- MODULE Spec -------------------------------
EXTENDS TLC, Integers
CONSTANTS P, Q
VARIABLES f
Init == f = [p \in P |-> 0]
Next == \E p \in P : f[p] < 2 /\ f' = [f EXCEPT ![p] = @ + 1]
Sym == Permutations(Q)
===========================================================================
