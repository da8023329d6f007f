--------------------------------- MODULE BagsExt -------------------------------
(* More operators on bags: single copies, folds, sums.                     *)
LOCAL INSTANCE Bags
LOCAL INSTANCE Integers
LOCAL INSTANCE Folds

\* One copy of x more; one fewer; none left.
BagAdd(B, x) ==
  [e \in DOMAIN B \cup {x} |->
     (IF e \in DOMAIN B THEN B[e] ELSE 0) + (IF e = x THEN 1 ELSE 0)]
BagRemove(B, x) ==
  LET Gone == {e \in DOMAIN B : e = x /\ B[e] = 1}
  IN  [e \in DOMAIN B \ Gone |-> IF e = x THEN B[e] - 1 ELSE B[e]]
BagRemoveAll(B, x) == [e \in DOMAIN B \ {x} |-> B[e]]

\* op joins f(x) to base as often as x is in the bag, and then the results for
\* the elements to each other, in the order in which CHOOSE takes them.
MapThenFoldBag(op(_, _), base, f(_), choose(_), B) ==
  LET Power(x) ==
        LET power[n \in 0..B[x]] ==
              IF n = 0 THEN base ELSE op(power[n - 1], f(x))
        IN  power[B[x]]
  IN  MapThenFoldSet(op, base, Power, LAMBDA S : CHOOSE x \in S : TRUE, DOMAIN B)

\* op(... op(op(base, x1), x1) ..., xn): each element as often as it occurs.
FoldBag(op(_, _), base, B) ==
  LET RECURSIVE Fold(_, _)
      Fold(rest, result) ==
        IF DOMAIN rest = {} THEN result
        ELSE LET x == CHOOSE x \in DOMAIN rest : TRUE
             IN  Fold(BagRemove(rest, x), op(result, x))
  IN  Fold(B, base)

SumBag(B) == FoldBag(LAMBDA x, y : x + y, 0, B)
ProductBag(B) == FoldBag(LAMBDA x, y : x * y, 1, B)
================================================================================
