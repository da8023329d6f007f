------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE x
Init == x \in 0..1
Next == UNCHANGED x
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Prop == <>((LET s == {FALSE, x} IN FALSE) \/ 1 \in Nat)
===========================================================================
