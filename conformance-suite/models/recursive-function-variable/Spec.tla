------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLES x
fact[n \in 0..5] == IF n = 0 THEN 1 ELSE n * fact[n - 1]
Init == x = fact
Next == x' = [x EXCEPT ![0] = (@ + 1) % 3]
Inv == x[5] = 120 /\ DOMAIN x = 0..5
===========================================================================
