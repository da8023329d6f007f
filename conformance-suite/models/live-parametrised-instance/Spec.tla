------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLE x
I(n) == INSTANCE Mod WITH h <- x, m <- n
Init == x = 0
Next == x' = (x + 1) % 6
Spec == Init /\ [][Next]_x /\ WF_x(Next)
P == \A n \in {2, 3} : I(n)!Fair
===========================================================================
