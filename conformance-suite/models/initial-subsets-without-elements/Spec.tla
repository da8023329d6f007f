---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
CONSTANT mv
VARIABLE x
Init == x \subseteq [[i \in {3} |-> i] -> {}]
Next == x' = x
====
