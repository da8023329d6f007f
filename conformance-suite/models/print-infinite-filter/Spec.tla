---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLES x
Init == x = 0 /\ Print({e \in Nat : e < 3}, TRUE)
Next == x' = x

====
