---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x = 0 /\ x' = [i \in {1,2} |-> Nat]
====
