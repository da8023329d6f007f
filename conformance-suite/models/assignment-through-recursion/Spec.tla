------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLES x, y
RECURSIVE Put(_, _, _)
Put(v, value, n) == IF n = 0 THEN v = value ELSE Put(v, value, n - 1)
Init == Put(x, 0, 3) /\ y = 0
Next == Put(x', 1 - x, 2) /\ y' = x
===========================================================================
