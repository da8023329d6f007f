------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x < 3 /\ x' = x + 1
Spec == Init /\ [][Next]_x
Fair == Spec /\ WF_x(Next)
Reaches == <>(x = 3)
Returns == []<>(x = 0)
===========================================================================
