---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x
Init == x = 0
Up == x < 3 /\ x' = x + 1
Down == x > 1 /\ x' = x - 1
Next == Up \/ (~ENABLED Up /\ x' = 0) \/ Down
Inv == ENABLED Up \/ ENABLED Down
====
