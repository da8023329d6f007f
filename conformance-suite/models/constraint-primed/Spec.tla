---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 4
Con == x' < 5
====
