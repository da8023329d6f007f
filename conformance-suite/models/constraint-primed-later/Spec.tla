---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 4
Con == x < 2 \/ x' < 5
====
