--------------------------------- MODULE Folds --------------------------------
(* The fold that the others are made of.                                   *)

\* f is applied to the elements of S, and op joins the results:
\* op(f(x1), op(f(x2), ... op(f(xn), base))), where choose picks x1 from S,
\* x2 from what remains, and so on.
MapThenFoldSet(op(_, _), base, f(_), choose(_), S) ==
  LET fold[T \in SUBSET S] ==
        IF T = {} THEN base ELSE LET x == choose(T)
                                 IN  op(f(x), fold[T \ {x}])
  IN  fold[S]
===============================================================================
