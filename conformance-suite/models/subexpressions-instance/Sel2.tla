---- MODULE Sel2 ----
EXTENDS Naturals
VARIABLES z, y
Step == \/ z < 4 /\ z' = z + 1
        \/ FALSE
Go(n) == \/ z' = 0
         \/ \E k \in 1..n : y' = k /\ z' = z
====
