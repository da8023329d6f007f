------------------------------- MODULE Turned -------------------------------
VARIABLE edges
Ends == {p[1] : p \in edges} \union {p[2] : p \in edges}
Acyclic == ~\E S \in SUBSET Ends : S # {} /\ \A a \in S : \E b \in S : <<a, b>> \in edges
=============================================================================
