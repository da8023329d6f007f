------------------------------- MODULE Clock -------------------------------
EXTENDS Naturals
VARIABLE h
Init == h = 0
Tick == h' = (h + 1) % 2
Spec == Init /\ [][Tick]_h
Fair == Spec /\ WF_h(Tick)
===========================================================================
