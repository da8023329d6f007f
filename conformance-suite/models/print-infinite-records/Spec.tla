---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLES x
Init == x = 0 
Next == x' = x /\ PrintT([a : Nat, b : {1}])

====
