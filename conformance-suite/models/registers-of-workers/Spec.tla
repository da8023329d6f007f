------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0 /\ TLCSet(7, 0)
Next == x' = (x + 1) % 4 /\ TLCSet(7, TLCGet(7) + 1)
After == TLCGet(7) = 4 /\ TLCGet("all")[7] = <<4>> /\ DOMAIN TLCGet("all") = {7}
===========================================================================
