---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y \in 0..1
A(d) == /\ x + d < 6
        /\ x' = x + d
        /\ y' = y
B == /\ \/ x = 1
        \/ x = 2
     /\ \E i \in 0..y : \E j \in {1, 2} :
           /\ i # j
           /\ y' = j
     /\ x' = x
Next == (\E d \in 1..2 : A(d)) \/ B \/ (x = 5 /\ x' = 0 /\ UNCHANGED y)
====
