------------------------------- MODULE Spec -------------------------------
EXTENDS TLC, FiniteSets, Integers
CONSTANT P
VARIABLE s
Init == s = {}
Next == \E p \in P \ s : s' = s \cup {p}
Inv == Cardinality(s) < 3
Sym == Permutations(P)
===========================================================================
