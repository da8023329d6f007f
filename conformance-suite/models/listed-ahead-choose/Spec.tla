---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLE x
Init == x = 0
Next == x' = CHOOSE s \in {g \in SUBSET (1..2) : IF g = {1,2} THEN Assert(FALSE, "x") ELSE TRUE} : TRUE
Inv == x # 1
====
