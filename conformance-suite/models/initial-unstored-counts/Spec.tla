---- MODULE Spec ----
EXTENDS Integers
VARIABLE x, y
Init == /\ y \in {1, 2, 3}
        /\ x = IF y = 2 THEN <<Nat>> ELSE <<1>>
Next == y' = 1 /\ x' = x

====
