---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x \in {Nat, Int}
Next == UNCHANGED x
====
