---- MODULE Spec ----
EXTENDS Integers
VARIABLES x, y
Init == x = Nat /\ y = 0
Next == y < 3 /\ y' = y + 1 /\ x' = {<<1>>, {"a", 1}}
V == y
====
