---- MODULE Spec ----
EXTENDS Naturals, TLC
VARIABLE k
Init == k \in {0, 5}
Next == k' = (k + 1) % 3
Spec == Init /\ [][Next]_k
Prop == []<>Assert(k # 2, "two")
====
