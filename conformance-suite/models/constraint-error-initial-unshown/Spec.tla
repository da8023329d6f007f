---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = {1, "a"}
Next == x' = x
C == x = {3, 4}
====
