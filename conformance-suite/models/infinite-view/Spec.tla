---- MODULE Spec ----
EXTENDS Naturals
VARIABLE y
Init == y = 0
Next == y < 2 /\ y' = y + 1
V == <<y, Nat>>
====
