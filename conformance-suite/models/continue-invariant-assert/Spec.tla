---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLE x
Init == x = 0
Next == x < 5 /\ x' = x + 1
Inv == Assert(x # 2, "two")
====
