---- MODULE Spec ----
EXTENDS Naturals
VARIABLE n
RECURSIVE Lower(_)
Small == n < 3
Lower(k) == IF k = 0 THEN n' = 1 - n ELSE Lower(k - 1)
Init == n = 0
Next == Lower(1)
====
