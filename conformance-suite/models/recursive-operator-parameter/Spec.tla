---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
RECURSIVE Fold(_, _)
Fold(Op(_), n) == IF n = 0 THEN 0 ELSE Op(n) + Fold(Op, n - 1)
Local(Op(_), n) ==
  LET RECURSIVE Again(_, _)
      Again(Ap(_), k) == IF k = 0 THEN 1 ELSE Ap(k) * Again(Ap, k - 1)
  IN  Again(Op, n)
Double(k) == 2 * k
Init == x = 0
Next == /\ x' = (x + Fold(LAMBDA k : k + x, 2) + Local(Double, 2)) % 7
        /\ Fold(Double, 3) = 12
Inv == Local(LAMBDA k : k + x, 1) = x + 1
====
