---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Step == x < 3 /\ x' = x + 1
Other == x = 1 /\ x' = 4
Fails == x = 1 /\ x' = {} [1]
Next == Step \/ Other \/ Fails
Inv == x = 2 => x = {} [3]
Low == x # 4
====
