---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x < 5 /\ x' = x + 1
Inv == x # 1
Fails == x = 2 => x = "a"
====
