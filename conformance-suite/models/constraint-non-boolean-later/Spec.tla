---- MODULE Spec ----
EXTENDS Naturals, Sequences, TLC
VARIABLE x
Init == x = 0
Next == x' = IF x < 3 THEN x + 1 ELSE 0
C == IF x = 2 THEN 7 ELSE TRUE
====
