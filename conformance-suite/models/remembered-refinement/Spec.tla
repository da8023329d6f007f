---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets
VARIABLES queue, done, said

Waiting == {i \in 1..3 : \E k \in DOMAIN queue : queue[k] = i}
RECURSIVE Sum(_)
Sum(S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : \A y \in S : x <= y IN 1 + Sum(S \ {x})
size == Sum(Waiting)
heard == IF said = 0 THEN "none" ELSE IF said > 0 THEN "up" ELSE "down"

C == INSTANCE Counter WITH count <- size, last <- heard, Most <- 3
D(limit) == INSTANCE Counter WITH count <- Cardinality(done) + Sum(Waiting), last <- heard, Most <- limit

Init == queue = <<>> /\ done = {} /\ said = 0
Enter(i) == i \notin Waiting \cup done /\ queue' = Append(queue, i) /\ said' = 1 /\ UNCHANGED done
Leave == queue # <<>> /\ queue' = Tail(queue) /\ done' = done \cup {Head(queue)} /\ said' = -1
Again == done = 1..3 /\ done' = {} /\ said' = (IF said < 0 THEN 1 ELSE -1) /\ UNCHANGED queue
Turn == Len(queue) = 2 /\ queue' = <<queue[2], queue[1]>> /\ UNCHANGED <<done, said>>
Next == Leave \/ Again \/ Turn \/ \E i \in 1..3 : Enter(i)
vars == <<queue, done, said>>
Spec == Init /\ [][Next]_vars

Refined == C!Spec
Sizes == [][size' \in {size - 1, size, size + 1}]_vars
Same == [][(Sum(Waiting') = Sum(Waiting)) => (heard' # heard \/ Waiting' = Waiting)]_<<size, done>>
Whole == [][D(3)!Next \/ UNCHANGED <<done, size>> \/ Again]_vars
====
