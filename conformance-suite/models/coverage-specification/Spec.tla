---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x
Init == x = 0
Inc == x < 3 /\ x' = x + 1
Reset == x = 3 /\ x' = 0
Next == Inc \/ Reset
Spec == Init /\ [][Next]_x /\ WF_x(Inc) /\ SF_x(Reset)
Inv == x \in 0..3
====
