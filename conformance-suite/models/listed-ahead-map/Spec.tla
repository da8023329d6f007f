---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLE x
Init == x = 0
Next == x' \in {IF s = {} THEN {}.a ELSE 1 : s \in {g \in SUBSET (1..2) : IF g = {1,2} THEN Assert(FALSE, "x") ELSE TRUE}}
Inv == x # 1
====
