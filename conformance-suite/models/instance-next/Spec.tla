------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLES a, b
C == INSTANCE Cell WITH v <- a, other <- b, Max <- 3
D(n) == INSTANCE Cell WITH v <- b, other <- a, Max <- n
Init == C!Start /\ D(2)!Start
Next == C!Step \/ \E n \in {1, 2} : D(n)!Step \/ D(n)!Swap
Inv == C!Ok /\ D(3)!Ok
===========================================================================
