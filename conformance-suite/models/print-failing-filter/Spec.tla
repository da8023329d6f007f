---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLES x
Init == x = 0 
Next == x' = x /\ PrintT({e \in SUBSET {1} : Assert(FALSE, "a")})

====
