---- MODULE Spec ----
EXTENDS RealTime
VARIABLE x
Init == x = 0 /\ now = 0
Tick == x' = (x + 1) % 3 /\ now' \in {r \in 0..2 : r > now} \cup {2}
Next == Tick
====
