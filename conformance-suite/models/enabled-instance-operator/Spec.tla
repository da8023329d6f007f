------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE x
I == INSTANCE Steps WITH u <- x, v <- x
Init == x \in 1..3
Next == x' = 9 - x
Spec == Init /\ [][Next]_x
Inv == I!D
Prop == [][~I!A]_x
===========================================================================
