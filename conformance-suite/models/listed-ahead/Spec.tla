---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = {}
Next == \E t \in {s \in SUBSET (0..2) : IF s = {1, 2} THEN {}.a ELSE TRUE} : x' = t
Inv == x # {1}
====
