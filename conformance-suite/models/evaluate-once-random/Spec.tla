------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals, TLC
VARIABLES x, y
Drawn == TLCEval(RandomElement(1..1000000))
Init == x = Drawn /\ y = 0
Next == x' = Drawn /\ y' = (y + 1) % 50
Same == x = Drawn
===========================================================================
