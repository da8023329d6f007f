---- MODULE Spec ----
EXTENDS Integers, FiniteSets
VARIABLE x
Init == x = {}
Next == x' \in (SUBSET {1,2}) \ {s \in SUBSET {1,2} : 1 \div (Cardinality(s) - 1) = 1}
====
