------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE z
I == INSTANCE Pair WITH x <- z, y <- z
Init == z = 0
Next == z' = 1 - z
Spec == Init /\ [][Next]_z
Inv == I!F /\ ~I!G
===========================================================================
