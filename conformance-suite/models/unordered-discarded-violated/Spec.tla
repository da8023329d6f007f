---- MODULE Spec ----
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ y < 3 /\ x' = 1 /\ y' = y + 1
        \/ y < 3 /\ x' = {1, "a"} /\ y' = 10
C == y < 5
Inv == y # 10
====
