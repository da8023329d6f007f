------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
VARIABLE h
I == INSTANCE Clock
Spec == I!Init /\ [][I!Tick]_h /\ WF_h(I!Tick)
P == I!Fair
===========================================================================
