---- MODULE Spec ----
EXTENDS Integers
VARIABLES x, y
Init == y \in 0..1 /\ x = IF y = 1 THEN {1,"a"} ELSE 0
Next == \/ y < 3 /\ x' = 1 /\ y' = y + 1
C == y # 1
====
