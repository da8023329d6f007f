------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE x
I == INSTANCE Clock WITH h <- x % 2
Init == x = 0
Next == x' = (x + 1) % 4
Spec == Init /\ [][Next]_x /\ WF_x(Next)
P == I!Fair
===========================================================================
