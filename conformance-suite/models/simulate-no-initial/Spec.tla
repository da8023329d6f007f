---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x, y
\* No state satisfies all of it.
Init == x = 0 /\ y = 1 /\ x = y
Next == x' = (x + 1) % 3 /\ UNCHANGED y
====
