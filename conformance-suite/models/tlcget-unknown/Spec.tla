---- MODULE Spec ----
EXTENDS Naturals, Sequences, TLC
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = 0
A(i) == x < 2 /\ x' = x + i /\ y' = y
B == y < 2 /\ y' = y + 1 /\ UNCHANGED x
Next == (\E i \in 1..2 : A(i)) \/ B
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
Post == TLCGet("no such key") = 1
====
