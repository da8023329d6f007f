------------------------------- MODULE Spec -------------------------------
EXTENDS Integers, FiniteSets
CONSTANT P
VARIABLES s, log
Init == s = P /\ log = {}
Pick(S) == CHOOSE p \in S : TRUE
Next == /\ s # {} /\ s' = s \ {Pick(s)}
        /\ log' = log \cup {<<Pick(s), Pick({p \in P : p \in s})>>}
Inv == \A t \in log : t[1] = t[2]
Last == Cardinality(s) = 1 => s = {CHOOSE p \in P : \A q \in P : (CHOOSE r \in {p, q} : TRUE) = q}
===========================================================================
