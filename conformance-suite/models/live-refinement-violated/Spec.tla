------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE x
I == INSTANCE Clock WITH h <- x
Init == x = 0
Next == x' = (x + 1) % 3
Spec == Init /\ [][Next]_x
P == I!Spec
===========================================================================
