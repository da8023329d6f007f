------------------------------- MODULE Spec -------------------------------
EXTENDS Integers, TLC
VARIABLES x
Init == x \in {0, 10}
Next == x' = x + TLCGet("level") /\ TLCGet("level") < 5
===========================================================================
