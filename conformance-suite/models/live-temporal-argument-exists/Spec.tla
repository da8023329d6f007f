---- MODULE Spec ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
Spec == Init /\ [][Next]_x /\ WF_x(Next)
B(F, S) == \E i \in S : F /\ <>(x = i)
P == B([](x < 3), 0..2)
====
