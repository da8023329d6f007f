------------------------------- MODULE Spec -------------------------------
EXTENDS Integers, TLC
VARIABLES x
ASSUME TLCSet(1, 0) /\ TLCSet(2, <<>>)
Init == x = 0
Next == x < 4 /\ x' = x + 1 /\ TLCSet(1, TLCGet(1) + 1) /\ TLCGet(1) > 0
Inv == TLCSet(2, <<x>>) /\ TLCGet(2) = <<x>> /\ TLCGet(1) <= 4
===========================================================================
