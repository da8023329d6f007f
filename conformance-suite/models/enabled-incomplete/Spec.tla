------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\ y = 0
A == x < 2 /\ x' = x + 1
Next == (ENABLED A /\ A /\ y' = x') \/ (~ENABLED A /\ UNCHANGED <<x, y>>) \/ (ENABLED (x' = 1 /\ x' = 2) /\ x' = 9 /\ y' = 9)
===========================================================================
