----------------------------- MODULE FiniteSetsExt ----------------------------
(* Operators on finite sets: folds, sums, subsets of a size, choices.      *)
EXTENDS Integers, FiniteSets, Folds, Functions

\* op(xn, ... op(x2, op(x1, base))), where x1, x2, ... are the elements in the
\* order in which CHOOSE takes them.
FoldSet(op(_, _), base, set) ==
  LET RECURSIVE Fold(_, _)
      Fold(rest, result) ==
        IF rest = {} THEN result
        ELSE LET x == CHOOSE x \in rest : TRUE
             IN  Fold(rest \ {x}, op(x, result))
  IN  Fold(set, base)

SumSet(set) == FoldSet(+, 0, set)
ProductSet(set) == FoldSet(LAMBDA x, product : x * product, 1, set)

\* FoldSet with its arguments in another order.
ReduceSet(op(_, _), set, acc) == FoldSet(op, acc, set)

\* The sum of op(x) over all x of the set; equal values count each time.
MapThenSumSet(op(_), set) == FoldSet(LAMBDA x, sum : op(x) + sum, 0, set)

FlattenSet(S) == UNION S

\* The elements that are in exactly one of the two.
SymDiff(A, B) == (A \cup B) \ (A \cap B)
-------------------------------------------------------------------------------
\* The number of the elements for which P holds.
Quantify(S, P(_)) == Cardinality({x \in S : P(x)})

\* All subsets with k elements.
kSubset(k, S) == {T \in SUBSET S : Cardinality(T) = k}

Max(S) == CHOOSE x \in S : \A y \in S : y <= x
Min(S) == CHOOSE x \in S : \A y \in S : x <= y

\* All sets that arise by taking one element of each set in Sets.
Choices(Sets) == {{pick[T] : T \in Sets} :
                    pick \in {p \in [Sets -> UNION Sets] :
                                \A T \in Sets : p[T] \in T}}

\* The only element for which P holds.
ChooseUnique(S, P(_)) == CHOOSE x \in S :
                           P(x) /\ \A y \in S : y # x => ~P(y)
===============================================================================
