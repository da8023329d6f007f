------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE x
I == INSTANCE Clock WITH h <- x + 1
Init == x = 0
Next == x' = x
Spec == Init /\ [][Next]_x
P == I!Spec
===========================================================================
