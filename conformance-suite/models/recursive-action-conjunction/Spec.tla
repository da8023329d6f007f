------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLES x, y
RECURSIVE Both(_)
Both(n) == CASE n = 2 -> x' \in {x, n} /\ Both(1)
             [] n = 1 -> y' \in {y, n} /\ Both(0)
             [] OTHER -> TRUE
Init == x = 0 /\ y = 0
Next == Both(2)
===========================================================================
