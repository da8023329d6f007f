---- MODULE Spec ----
EXTENDS RealTime
VARIABLE x
Init == x = 0 /\ now = 0
Tick == x' = (x + 1) % 3 /\ now' = now
Next == Tick
Timed == RTnow(x)
====
