---- MODULE Spec ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x = 0 /\ x' = [a |-> Nat]
====
