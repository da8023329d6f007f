---- MODULE Spec ----
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == x = 0 /\ (x' = 1 \/ (x' = 2 /\ y' = 1) \/ x' = 3)
Inv == x # 1
====
