------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLES x, y
RECURSIVE Pick(_)
Pick(n) == IF n = 0 THEN x' = x /\ y' = 0
           ELSE (x < 3 /\ x' = x + n /\ y' = n) \/ Pick(n - 1)
Init == x = 0 /\ y = 0
Next == Pick(2)
===========================================================================
