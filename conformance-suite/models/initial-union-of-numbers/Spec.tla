---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
CONSTANT mv
VARIABLE x
Init == x = UNION {1}
Next == x' = x
====
