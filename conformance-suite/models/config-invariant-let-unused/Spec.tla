---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = 3
Next == UNCHANGED x
Inv == (LET unused == x IN -1) > 0
====
