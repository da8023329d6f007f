------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals
CONSTANT Procs
VARIABLES pc, turn
vars == <<pc, turn>>
Init == pc = [p \in Procs |-> "idle"] /\ turn \in Procs
Want(p) == pc[p] = "idle" /\ pc' = [pc EXCEPT ![p] = "wait"] /\ UNCHANGED turn
Enter(p) == pc[p] = "wait" /\ (\A q \in Procs : pc[q] # "in") /\ pc' = [pc EXCEPT ![p] = "in"] /\ UNCHANGED turn
Leave(p) == pc[p] = "in" /\ pc' = [pc EXCEPT ![p] = "idle"] /\ turn' = p
Next == \E p \in Procs : Want(p) \/ Enter(p) \/ Leave(p)
Spec == Init /\ [][Next]_vars
FairNext == Spec /\ WF_vars(Next)
WeakAll == Spec /\ \A p \in Procs : WF_vars(Want(p)) /\ WF_vars(Enter(p)) /\ WF_vars(Leave(p))
StrongAll == Spec /\ \A p \in Procs : SF_vars(Enter(p)) /\ WF_vars(Leave(p))
Live == \A p \in Procs : pc[p] = "wait" ~> pc[p] = "in"
Some == (\E p \in Procs : pc[p] = "wait") ~> (\E p \in Procs : pc[p] = "in")
Any == Spec /\ \E p \in Procs : WF_vars(Next) /\ SF_vars(Want(p))
===========================================================================
