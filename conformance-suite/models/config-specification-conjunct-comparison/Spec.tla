---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Act == x = 0 /\ [][x' = x]_x /\ x' \in {0}
====
