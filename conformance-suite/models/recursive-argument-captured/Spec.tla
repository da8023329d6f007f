------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE x
Next == LET A == x' = 1 - x \/ x = 0
            RECURSIVE Down(_, _)
            Down(n, B) == IF n = 0 THEN A /\ B /\ A ELSE Down(n - 1, B /\ A)
        IN Down(2, x' \in {1, 2} \/ x = 1) /\ x' < 9
Init == x = 0
===========================================================================
