------------------------------- MODULE Spec -------------------------------
VARIABLE x
Value == TRUE \/ TRUE
Either(p) == TRUE \/ TRUE
Through == Either(0)
Init == x = 0
Next == \/ Value /\ x' = 1
        \/ Through /\ x' = 1
        \/ Either(0) /\ x' = 2
===========================================================================
