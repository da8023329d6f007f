------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE x
I == INSTANCE Steps WITH u <- x, v <- x
Init == x \in 1..3
Next == x' = 9 - x
Spec == Init /\ [][Next]_x
Inv == I!B(Next) /\ ~I!B(I!A) /\ I!D /\ ~I!C
Prop == [][~I!A]_x
===========================================================================
