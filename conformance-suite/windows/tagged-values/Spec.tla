------------------------------- MODULE Spec -------------------------------
(* Messages in flight between numbered nodes. *)
EXTENDS Integers, FiniteSets
CONSTANT Nodes
VARIABLES flight, clock

Init == flight = {} /\ clock = [k \in Nodes |-> 0]

Send(k) == /\ clock' = [clock EXCEPT ![k] = @ + 1]
           /\ \E r \in Nodes \ {k} : flight' = flight \cup {<<k, r, clock'[k]>>}

Receive(k) == \E msg \in flight :
                 /\ msg[2] = k
                 /\ flight' = flight \ {msg}
                 /\ clock' = [clock EXCEPT ![k] = 1 + IF msg[3] > @ THEN msg[3] ELSE @]

Next == \E k \in Nodes : Send(k) \/ Receive(k)
===========================================================================
