------------------------------ MODULE Combinatorics ----------------------------
(* Factorials and binomial coefficients.                                   *)
EXTENDS Naturals

factorial[n \in Nat] == IF n = 0 THEN 1 ELSE factorial[n - 1] * n

\* The number of ways to choose k things out of n.
choose(n, k) == factorial[n] \div (factorial[n - k] * factorial[k])
================================================================================
