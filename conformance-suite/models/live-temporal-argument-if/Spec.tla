---- MODULE Spec ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
Spec == Init /\ [][Next]_x /\ WF_x(Next)
B(F) == IF x = 0 THEN F ELSE TRUE
P == B([](x < 3))
====
