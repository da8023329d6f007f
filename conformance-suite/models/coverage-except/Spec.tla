---- MODULE Spec ----
EXTENDS Naturals
VARIABLES f, r
Init == f = [i \in 1..2 |-> 0] /\ r = [a |-> 0, b |-> 1]
A(i) == /\ f[i] < 2
        /\ f' = [f EXCEPT ![i] = @ + 1]
        /\ r' = [r EXCEPT !.a = f[i], !.b = IF i = 1 THEN @ + r.a ELSE 0]
B == /\ f[1] = f[2] /\ r.b < 4
     /\ f' = [i \in 1..2 |-> IF i = 1 THEN f[2] ELSE f[1]]
     /\ r' = [a |-> CHOOSE n \in 0..3 : n >= r.a, b |-> r.b + 1]
Next == A(1) \/ A(2) \/ B
Inv == \A i \in DOMAIN f : f[i] \in 0..2 /\ r.a <= 3
====
