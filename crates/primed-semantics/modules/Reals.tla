-------------------------------- MODULE Reals -------------------------------
(* The real numbers.  Only the integers among them can be evaluated: the   *)
(* definitions here state a meaning for the parser and for provers.        *)
EXTENDS Integers

Real == CHOOSE R : Int \subseteq R /\ \A x, y \in R : y # 0 =>
                     \E q \in R : q * y = x
x / y == CHOOSE q \in Real : q * y = x
Infinity == CHOOSE top : top \notin Real /\ \A x \in Real : x < top
=============================================================================
