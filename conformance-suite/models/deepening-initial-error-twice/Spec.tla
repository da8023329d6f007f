---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x \in {1, 2, 3}
Next == x' = x
Inv == x \in {1, 3} => x = "a"
====
