------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals, FiniteSets
VARIABLE x
Init == x = {}
Next == x' = CHOOSE s \in SUBSET (1..40) : Cardinality(s) = Cardinality(x) + 1
Bound == Cardinality(x) < 2
===========================================================================
