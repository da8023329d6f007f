---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x \in {1, 2, 3}
Next == x' = x
Inv == x = 2 => x = "a"
====
