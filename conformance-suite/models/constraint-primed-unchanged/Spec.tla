---- MODULE Spec ----
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 4 /\ UNCHANGED y
Con == x < 9
Same == UNCHANGED y
====
