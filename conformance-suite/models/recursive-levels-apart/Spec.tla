---- MODULE Spec ----
EXTENDS Naturals
VARIABLE n
RECURSIVE Lower(_)
Lower(k) == IF k = 0 THEN n' = 1 - n ELSE Lower(k - 1)
RECURSIVE Total(_)
Total(k) == IF k = 0 THEN 0 ELSE k + Total(k - 1)
Init == n = 0
Next == Lower(1)
Small == Total(n) < 3
====
