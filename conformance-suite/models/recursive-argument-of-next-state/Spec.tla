------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLES x, y
RECURSIVE Down(_, _)
Down(a, n) == IF n = 0 THEN x' \in {1, 2, 3} /\ a > 2 ELSE Down(a, n - 1)
Init == x = 0 /\ y = 0
Next == Down(x' + 1, 2) /\ y' \in {1, 2}
===========================================================================
