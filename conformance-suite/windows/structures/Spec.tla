------------------------------- MODULE Spec -------------------------------
(* A log of records, a record and a function over numbers. *)
EXTENDS Integers, Sequences
VARIABLES log, box, at

Init == log = <<>> /\ box = [size |-> 0, tag |-> "new"] /\ at = [k \in 1..2 |-> 0]

Write == \E v \in 1..3 : /\ log' = Append(log, [key |-> v, len |-> Len(log)])
                         /\ box' = [box EXCEPT !.size = @ + 1]
                         /\ UNCHANGED at

Read == /\ log # <<>>
        /\ at' = [at EXCEPT ![1] = Head(log).key, ![2] = @ + 1]
        /\ log' = Tail(log)
        /\ box' = [box EXCEPT !.size = @ - 1, !.tag = "used"]

Fix == /\ Len(log) > 1
       /\ log' = [log EXCEPT ![2].key = @ * 10]
       /\ UNCHANGED <<box, at>>

Reset == /\ at' = [k \in 1..2 |-> at[3 - k]]
         /\ box' = [tag |-> "new", size |-> Len(log)]
         /\ log' = SubSeq(log, 2, Len(log)) \o SubSeq(log, 1, 1)

Next == Write \/ Read \/ Fix \/ Reset
===========================================================================
