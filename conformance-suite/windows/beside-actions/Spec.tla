------------------------------- MODULE Spec -------------------------------
(* A next-state relation with conditions and formulas beside the choices of its actions. *)
EXTENDS Naturals
CONSTANT Nodes
VARIABLES x, y, owner

Init == x = 0 /\ y = 0 /\ owner = "n1"

Up == x < 3 /\ x' = x + 1
Down == x > 0 /\ x' = x - 1
Give(n) == \E m \in Nodes : m # n /\ owner' = m /\ x' = x
Jump(k) == x' = k + 1 /\ owner' = owner
Reset == x' = 0 /\ UNCHANGED owner
Hold == x' = x /\ UNCHANGED owner
One == x' = 2 /\ owner' = owner
Two == x' = 3 /\ owner' = owner
Rest == x' = 1 /\ owner' = owner
Tick == y' = y + 1

Next == /\ y < 5
        /\ \/ (Up \/ Down) /\ UNCHANGED owner
           \/ \E n \in Nodes : owner = n /\ Give(n)
           \/ LET k == x + 1 IN Jump(k) /\ k < 3
           \/ IF x = 0 THEN Reset ELSE Hold
           \/ CASE x = 1 -> One [] x = 2 -> Two [] OTHER -> Rest
        /\ Tick
===========================================================================
