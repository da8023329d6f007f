---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
CONSTANT mv
VARIABLE x
Init == x = SUBSET 1
Next == x' = x
====
