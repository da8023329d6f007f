------------------------------- MODULE Spec -------------------------------
EXTENDS Integers, TLC
VARIABLES x
Init == x = 0 /\ PrintT("init")
Next == PrintT(<<"from", x>>) /\ x < 2 /\ x' = Print("value", x + 1) /\ PrintT(x')
Inv == PrintT({x}) /\ x < 9
===========================================================================
