------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLES s, log
Init == s = {"zeta", "beta", "alpha"} /\ log = ""
Next == /\ s # {}
        /\ LET first == CHOOSE w \in s : TRUE IN s' = s \ {first} /\ log' = first
Inv == log # "beta" \/ "alpha" \in s
Inv2 == log # "zeta" \/ s = {"beta", "alpha"}
===========================================================================
