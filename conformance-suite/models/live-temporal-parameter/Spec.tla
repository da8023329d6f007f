------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = 1 - x
Fair(f) == f
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Both(f, g) == f /\ g
P == Both([]<>(x = 0), []<>(x = 1))
===========================================================================
