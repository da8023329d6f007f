---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x = 0 /\ (x' = 1 \/ x' = 2 \/ x' = 1 \div 0)
Inv == x # 1
====
