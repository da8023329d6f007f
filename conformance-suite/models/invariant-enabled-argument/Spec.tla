------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE x
Can(A) == ENABLED A
Init == x = 0
Next == x < 3 /\ x' = x + 1
Stop == x = 3 /\ UNCHANGED x
Inv == Can(Next) \/ Can(Stop)
===========================================================================
