---- MODULE Membership ----
(* A group changes its view: any set of servers may be proposed that shares a majority with the present one; those of
   both install it. What may be proposed is filtered out of all subsets. *)
EXTENDS Naturals, FiniteSets
CONSTANTS Servers, Least, Most, Views
VARIABLES view, number, proposed, agreed, failed
vars == <<view, number, proposed, agreed, failed>>

Shares(a, b) == 2 * Cardinality(a \intersect b) > Cardinality(a)

Init ==
  /\ view = Servers
  /\ number = 0
  /\ proposed = {} /\ agreed = {} /\ failed = {}

Fail(s) ==
  /\ s \in view \ failed
  /\ Cardinality(failed) < Cardinality(Servers) - Least
  /\ failed' = failed \union {s}
  /\ agreed' = agreed \ {s}
  /\ UNCHANGED <<view, number, proposed>>

Repair(s) ==
  /\ s \in failed
  /\ proposed = {}
  /\ failed' = failed \ {s}
  /\ UNCHANGED <<view, number, proposed, agreed>>

Candidates == {c \in SUBSET (Servers \ failed) : Cardinality(c) \in Least .. Most /\ Shares(view, c) /\ c # view}

Offer ==
  /\ proposed = {}
  /\ number < Views
  /\ proposed' \in Candidates
  /\ UNCHANGED <<view, number, agreed, failed>>

Agree(s) ==
  /\ s \in (proposed \intersect view) \ (agreed \union failed)
  /\ agreed' = agreed \union {s}
  /\ UNCHANGED <<view, number, proposed, failed>>

Install ==
  /\ proposed # {}
  /\ Shares(view, agreed)
  /\ view' = proposed
  /\ number' = number + 1
  /\ proposed' = {} /\ agreed' = {}
  /\ UNCHANGED failed

Withdraw ==
  /\ proposed \intersect failed # {}
  /\ proposed' = {} /\ agreed' = {}
  /\ UNCHANGED <<view, number, failed>>

Next == Offer \/ Install \/ Withdraw \/ \E s \in Servers : Fail(s) \/ Repair(s) \/ Agree(s)
Spec == Init /\ [][Next]_vars

TypeOK ==
  /\ view \in SUBSET Servers /\ proposed \in SUBSET Servers /\ failed \in SUBSET Servers
  /\ agreed \subseteq proposed \intersect view
Alive == \A q \in SUBSET view : Shares(view, q) => q # {}
====
