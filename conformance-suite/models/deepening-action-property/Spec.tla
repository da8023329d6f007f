---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == x' = (x+1) % 5 /\ y' = y
Prop == [][x' > x]_x
====
