---- MODULE Fifo ----
(* What a bounded queue is: a sequence that grows at its end and shrinks at its head. *)
EXTENDS Naturals, Sequences
CONSTANTS Items, Size
VARIABLE queue
Init == queue = <<>>
Put == Len(queue) < Size /\ \E i \in Items : queue' = Append(queue, i)
Get == queue # <<>> /\ queue' = Tail(queue)
Next == Put \/ Get
Spec == Init /\ [][Next]_queue
====
