------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals, Sequences
VARIABLE x
Op(a) == 0
Init == x \in 0..1
Next == UNCHANGED x
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Prop == []((LET f == <<>> k == Op(x) IN IF k \in DOMAIN f THEN f[k] ELSE TRUE) => <>TRUE)
===========================================================================
