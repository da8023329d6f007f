---- MODULE Spec ----
EXTENDS Naturals, TLC
VARIABLE k
Init == k \in {0, 5}
Next == k' = (k + 1) % 3
Spec == Init /\ [][Next]_k
Prop == <>(IF k = 2 THEN k = "a" ELSE k = 7)
====
