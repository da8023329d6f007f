------------------------------- MODULE Spec -------------------------------
EXTENDS TLC
CONSTANT P
VARIABLE done
Init == done = [p \in P |-> FALSE]
Next == \E p \in P : ~done[p] /\ done' = [done EXCEPT ![p] = TRUE]
Sym == Permutations(P)
===========================================================================
