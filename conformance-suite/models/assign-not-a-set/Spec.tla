---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
CONSTANT mv
VARIABLE x
Init == x = 0
Next == x' \in 1
====
