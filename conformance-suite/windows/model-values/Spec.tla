------------------------------- MODULE Spec -------------------------------
(* Voters, one of them at most the owner. *)
EXTENDS FiniteSets, Naturals
CONSTANTS Voters, None
VARIABLES owner, votes, crowd

Init == owner = None /\ votes = [v \in Voters |-> 0] /\ crowd = {}

Join(v) == v \notin crowd /\ crowd' = crowd \cup {v} /\ UNCHANGED <<owner, votes>>
Vote(v) == /\ v \in crowd
           /\ votes' = [votes EXCEPT ![v] = @ + 1]
           /\ UNCHANGED <<owner, crowd>>
Elect == /\ owner = None
         /\ \E v \in crowd : /\ \A w \in Voters \ {v} : votes[w] < votes[v]
                             /\ owner' = v
         /\ UNCHANGED <<votes, crowd>>
Leave == owner # None /\ owner' = None /\ crowd' = crowd \ {owner} /\ UNCHANGED votes

Next == (\E v \in Voters : Join(v) \/ Vote(v)) \/ Elect \/ Leave
===========================================================================
