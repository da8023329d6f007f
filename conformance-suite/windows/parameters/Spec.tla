------------------------------- MODULE Spec -------------------------------
(* A token that nodes take, hand on and put back. *)
EXTENDS Naturals
CONSTANT Nodes
VARIABLES holder, passed

Init == holder = "nobody" /\ passed = 0

Take(n) == /\ holder = "nobody"
           /\ holder' = n
           /\ UNCHANGED passed

Pass(n, m) == /\ holder = n
              /\ n # m
              /\ holder' = m
              /\ passed' = passed + 1

Put(n) == holder = n /\ holder' = "nobody" /\ passed' = 0

Stay == UNCHANGED <<holder, passed>>

Next == \/ \E n \in Nodes : Take(n) \/ Put(n)
        \/ \E n, m \in Nodes : Pass(n, m)
        \/ Stay
===========================================================================
