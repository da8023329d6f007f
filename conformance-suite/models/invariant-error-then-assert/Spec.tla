---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLE x
Init == x = 0
Step == x < 3 /\ x' = x + 1
Fails == x = 1 /\ x' = 2 /\ Assert(FALSE, "again")
Next == Step \/ Fails
Inv == x = 2 => x = {} [3]
====
