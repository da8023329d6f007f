------------------------------- MODULE Spec -------------------------------
EXTENDS Integers, TLC
VARIABLES x
ASSUME TLCSet(3, 5)
Init == x \in 1..3 /\ TLCSet(3, TLCGet(3) + x) /\ TLCGet(3) < 9
Next == UNCHANGED x
===========================================================================
