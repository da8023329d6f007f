---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = 3
Next == UNCHANGED x
Helper(a) == LET unused == x IN a
Inv == Helper(1) = 2
====
