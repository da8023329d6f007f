------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLES x, y
I == INSTANCE Counter WITH c <- x
J(k) == INSTANCE Counter WITH c <- y
Init == x = 0 /\ y = 0
A == I!Up /\ y' = y
B(n) == J(n)!Up /\ x' = x
Next == \/ A
        \/ \E n \in {1} : B(n)
        \/ ~ENABLED A /\ ~(\E n \in {1} : ENABLED B(n)) /\ x' = 0 /\ y' = 0
Inv == LET e == ENABLED A IN CASE x < 3 -> e [] OTHER -> ~e
Inv2 == (x = 3 /\ y = 3) <=> ~(\E n \in 1..2 : ENABLED B(n)) /\ ~ENABLED I!Up
Con == \A n \in {1} : ENABLED (B(n) \/ A) \/ x = 3
===========================================================================
