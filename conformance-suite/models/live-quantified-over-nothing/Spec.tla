------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLES x, y
vars == <<x, y>>
Init == x \in 0..1 /\ y = 0
Next == UNCHANGED vars
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
Prop == <>(\A i \in {} : x > 4)
===========================================================================
