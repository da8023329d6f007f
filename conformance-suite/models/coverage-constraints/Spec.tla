---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y \in 0..1
Next == x' = x + 1 /\ y' \in {y, 1 - y}
Small == x < 4
Other == y = 0 \/ x # 2
Slow == x' <= x + 1 /\ (y' = y \/ x > 0)
Inv == x < 9
====
