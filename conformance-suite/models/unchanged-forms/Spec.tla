------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLES x, y, z
xy == <<x, y>>
Init == x = 0 /\ y = 0 /\ z = 0
Next == \/ UNCHANGED <<xy, z>>
        \/ x' = 1 /\ UNCHANGED y /\ UNCHANGED <<z>>
        \/ x' = x + 1 /\ y' = 0 /\ z' = 0 /\ UNCHANGED x
        \/ UNCHANGED xy /\ z' \in {0, 1}
        \/ UNCHANGED (z) /\ UNCHANGED <<x, <<y>>>>
===========================================================================
