---- MODULE Spec ----
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ y < 3 /\ x' = 1 /\ y' = y + 1
C == y < 2
V == IF y = 2 THEN {}.a ELSE y
====
