---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x \in {1, 2, 3}
Next == x' = x
Inv == x # 2
Inv2 == x \in {1, 3} => x = "a"
====
