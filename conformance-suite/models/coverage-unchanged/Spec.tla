---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x, y, z
vars == <<x, y, z>>
Init == x = 0 /\ y = 0 /\ z = 0
A == x < 2 /\ x' = x + 1 /\ UNCHANGED <<y, z>>
B == x = 2 /\ y < 2 /\ y' = y + 1 /\ z' = z /\ x' = x /\ UNCHANGED (x + z)
C == x = 1 /\ UNCHANGED vars
D == y = 1 /\ x' = x /\ UNCHANGED <<y, z>> /\ UNCHANGED <<x, z>>
Next == A \/ B \/ C \/ D
====
