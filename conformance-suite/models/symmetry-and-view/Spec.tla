------------------------------- MODULE Spec -------------------------------
EXTENDS TLC, Integers
CONSTANT P
VARIABLES done, n
Init == done = [p \in P |-> FALSE] /\ n = 0
Next == \E p \in P : ~done[p] /\ done' = [done EXCEPT ![p] = TRUE] /\ n' \in {n, n + 1}
Sym == Permutations(P)
V == done
===========================================================================
