---- MODULE Spec ----
EXTENDS Integers, Sequences
VARIABLES row, at
RECURSIVE Walk(_, _)
Walk(i, n) == IF n = 0 THEN i ELSE Walk(row[i], n - 1)
Init == row = [i \in 1..3 |-> i] /\ at = 1
Step == at' = Walk(at, 2) /\ row' = row
Write(i) == row' = [row EXCEPT ![i] = (@ % 4) + 1] /\ at' = at
Next == Step \/ \E i \in 1..3 : Write(i)
Spec == Init /\ [][Next]_<<row, at>>
====
