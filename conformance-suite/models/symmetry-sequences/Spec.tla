------------------------------- MODULE Spec -------------------------------
EXTENDS TLC, Sequences, FiniteSets, Integers
CONSTANT P
VARIABLES q, s
Init == q = <<>> /\ s = {}
Next == \/ \E p \in P : Len(q) < 3 /\ q' = Append(q, p) /\ s' = s
        \/ Len(q) = 3 /\ Cardinality(s) < 2 /\ s' = s \cup {{q[1], q[2]}} /\ q' = <<>>
Sym == Permutations(P)
===========================================================================
