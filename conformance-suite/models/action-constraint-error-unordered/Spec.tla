---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = {}
Next == x' = {1, "a"}
C == x' = {3, 4}
====
