---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x, y
Pick(v, S) == v \in S
Init == /\ Pick(x, 0..3)
        /\ x # 1
        /\ y \in {n \in 0..3 : n >= x}
        /\ x + y > 2
        /\ y # 9
Next == FALSE /\ UNCHANGED <<x, y>>
====
