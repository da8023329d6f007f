---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = 0
A == x = 0 /\ x' \in {1, 2, 3}
B == x = 0 /\ (x' = 4 \/ x' = 1 \div 0)
Next == A \/ B
Inv == x # 2
====
