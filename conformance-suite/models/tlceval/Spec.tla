------------------------------- MODULE Spec -------------------------------
EXTENDS Integers, TLC, Sequences
VARIABLES x, s
Init == x = 0 /\ s = TLCEval({i \in 1..4 : i > 2})
Next == x < 4 /\ x' = TLCEval(x + 1) /\ s' = TLCEval({i \in s : i > x} \cup {x})
Inv == s = TLCEval(s) /\ TLCEval([i \in 1..2 |-> x])[1] = x
===========================================================================
