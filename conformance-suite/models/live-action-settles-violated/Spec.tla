------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = 0
Up == x < 2 /\ x' = x + 1 /\ UNCHANGED y
Reset == x = 2 /\ x' = 0 /\ y' \in {0, 1}
Skip == x = 1 /\ x' = 0 /\ UNCHANGED y
Next == Up \/ Reset \/ Skip
Spec == Init /\ [][Next]_vars
Weak == Spec /\ WF_vars(Next)
WeakUp == Spec /\ WF_vars(Up)
WeakEach == Spec /\ WF_vars(Up) /\ WF_vars(Reset)
StrongUp == Spec /\ SF_vars(Up) /\ WF_vars(Next)
StrongEach == Spec /\ SF_vars(Up /\ x = 1) /\ WF_vars(Next)
Prop == <>[][Up]_vars
===========================================================================
