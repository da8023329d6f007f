---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Step == x < 3 /\ x' = x + 1
Other == x = 1 /\ x' = 4
Next == Step \/ Other
Inv == x = 2 => x = {} [3]
Cons == x = 4 => x = {} [1]
====
