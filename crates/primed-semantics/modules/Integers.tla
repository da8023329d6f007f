------------------------------ MODULE Integers ------------------------------
(* The integers: Naturals together with their negatives.                   *)
EXTENDS Naturals

Int == Nat \cup {0 - n : n \in Nat}
-. a == 0 - a
=============================================================================
