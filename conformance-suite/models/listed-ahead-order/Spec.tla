---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = [a |-> 0]
Next == \E t \in [a : {3,4}] \cup [a : {1,2}] : x' = t
Inv == x.a # 3
====
