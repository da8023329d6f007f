------------------------------- MODULE Cell -------------------------------
EXTENDS Naturals
CONSTANT Max
VARIABLES v, other
Start == v = 0
Step == v < Max /\ v' = v + 1 /\ UNCHANGED other
Swap == v' = other /\ other' = v
Ok == v <= Max
===========================================================================
