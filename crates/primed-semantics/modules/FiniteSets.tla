------------------------------ MODULE FiniteSets ----------------------------
(* Finiteness and the number of elements of a set.                         *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences

\* S is finite if some finite sequence lists all of its elements.
IsFiniteSet(S) == \E n \in Nat : \E list \in [1..n -> S] :
                    \A e \in S : \E i \in 1..n : list[i] = e

\* Defined for finite sets only.
Cardinality(S) ==
  LET size[T \in SUBSET S] ==
        IF T = {} THEN 0 ELSE 1 + size[T \ {CHOOSE e \in T : TRUE}]
  IN  size[S]
=============================================================================
