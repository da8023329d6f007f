-------------------------------- MODULE Relation -------------------------------
(* Binary relations on a set S, as Boolean functions on S \X S or, with    *)
(* "Under" in the name, as operators.                                      *)
EXTENDS Naturals, FiniteSets

LOCAL Graph(op(_, _), S) == [x, y \in S |-> op(x, y)]

IsReflexive(R, S) == \A x \in S : R[x, x]
IsReflexiveUnder(op(_, _), S) == IsReflexive(Graph(op, S), S)

IsIrreflexive(R, S) == \A x \in S : ~R[x, x]
IsIrreflexiveUnder(op(_, _), S) == IsIrreflexive(Graph(op, S), S)

IsSymmetric(R, S) == \A x, y \in S : R[x, y] => R[y, x]
IsSymmetricUnder(op(_, _), S) == IsSymmetric(Graph(op, S), S)

IsAntiSymmetric(R, S) == \A x, y \in S : (R[x, y] /\ R[y, x]) => x = y
IsAntiSymmetricUnder(op(_, _), S) == IsAntiSymmetric(Graph(op, S), S)

IsAsymmetric(R, S) == \A x, y \in S : R[x, y] => ~R[y, x]
IsAsymmetricUnder(op(_, _), S) == IsAsymmetric(Graph(op, S), S)

IsTransitive(R, S) == \A x, y \in S : R[x, y] => \A z \in S : R[y, z] => R[x, z]
IsTransitiveUnder(op(_, _), S) == IsTransitive(Graph(op, S), S)
--------------------------------------------------------------------------------
\* Orders: strict or not, partial or total.
IsStrictlyPartiallyOrdered(R, S) ==
  IsIrreflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsStrictlyPartiallyOrderedUnder(op(_, _), S) ==
  IsStrictlyPartiallyOrdered(Graph(op, S), S)

IsPartiallyOrdered(R, S) ==
  IsReflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsPartiallyOrderedUnder(op(_, _), S) == IsPartiallyOrdered(Graph(op, S), S)

IsStrictlyTotallyOrdered(R, S) ==
  /\ IsStrictlyPartiallyOrdered(R, S)
  /\ \A x, y \in S : x = y \/ R[x, y] \/ R[y, x]
IsStrictlyTotallyOrderedUnder(op(_, _), S) ==
  IsStrictlyTotallyOrdered(Graph(op, S), S)

IsTotallyOrdered(R, S) ==
  IsPartiallyOrdered(R, S) /\ \A x, y \in S : R[x, y] \/ R[y, x]
IsTotallyOrderedUnder(op(_, _), S) == IsTotallyOrdered(Graph(op, S), S)
--------------------------------------------------------------------------------
\* The least transitive relation that contains R, by Warshall's method: after
\* z has been treated, paths may run through it.
TransitiveClosure(R, S) ==
  LET RECURSIVE Close(_, _)
      Close(Q, rest) ==
        IF rest = {} THEN Q
        ELSE LET z == CHOOSE z \in rest : TRUE
             IN  Close([x, y \in S |-> Q[x, y] \/ (Q[x, z] /\ Q[z, y])],
                       rest \ {z})
  IN  Close([x, y \in S |-> R[x, y]], S)

ReflexiveTransitiveClosure(R, S) ==
  LET closure == TransitiveClosure(R, S)
  IN  [x, y \in S |-> x = y \/ closure[x, y]]

\* Each element is related to each other one, in any number of steps.
IsConnected(R, S) == LET closure == TransitiveClosure(R, S)
                     IN  \A x, y \in S : x = y \/ closure[x, y]
================================================================================
