---- MODULE Spec ----
EXTENDS Naturals
VARIABLE n
RECURSIVE Lower(_), Total(_)
Lower(k) == IF k = 0 THEN n' = 1 - n ELSE Lower(k - 1)
Total(k) == IF k = 0 THEN 0 ELSE k + Total(k - 1)
Init == n = 0
Next == Lower(1)
Spec == Init /\ [][Next]_n
Small == Total(n) < 3
Always == []Small
====
