---- MODULE Spec ----
EXTENDS Integers
VARIABLES x, y
Init == x = Nat /\ y = 0
Next == y < 3 /\ y' = y + 1 /\ x' = IF y = 1 THEN [i \in SUBSET {1} |-> {}.a] ELSE Int
V == y
====
