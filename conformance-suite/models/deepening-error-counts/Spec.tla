---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = 0
A == x = 0 /\ x' \in {1, 2, 3}
B == x = 0 /\ x' \in {4, 5} /\ x' > 4 => 1 \div 0 = 1
Next == A \/ (x = 0 /\ x' \in {4, 5} /\ (x' > 4 => 1 \div 0 = 1))
Inv == x # 6
====
