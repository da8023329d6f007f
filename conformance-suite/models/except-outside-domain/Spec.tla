---- MODULE Spec ----
EXTENDS Naturals, Sequences, TLC
VARIABLE x
Init == x = [a |-> 1]
Next == x' = [x EXCEPT !.b = 2]
====
