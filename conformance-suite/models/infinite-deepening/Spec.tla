---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = Nat
Next == x = 0 /\ x' = Nat
====
