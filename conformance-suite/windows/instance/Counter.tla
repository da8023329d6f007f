------------------------------ MODULE Counter ------------------------------
(* A counter up to a limit. *)
EXTENDS Naturals
CONSTANT Limit
VARIABLE n
Init == n = 0
Step == n < Limit /\ n' = n + 1
Reset == n = Limit /\ n' = 0
============================================================================
