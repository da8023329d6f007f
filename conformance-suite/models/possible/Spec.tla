------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals, _Possible
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
Two == x = 2
Zero == x = 0
Back == x = 2 /\ x' = 0
Counts == _Counts["Two"] = 1 /\ _Counts["Zero"] > 1 /\ _Counts["Back"] = 1
===========================================================================
