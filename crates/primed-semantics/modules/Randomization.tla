----------------------------- MODULE Randomization ---------------------------
(* Random subsets, for searching a sample of a space that is too large.    *)
(* A definition says which results are possible; the engine picks one.     *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets

\* A subset of S with k elements.
RandomSubset(k, S) == CHOOSE T \in SUBSET S : Cardinality(T) = k

\* At most k subsets of S, with n elements on the average.
RandomSetOfSubsets(k, n, S) ==
  CHOOSE F \in SUBSET SUBSET S : Cardinality(F) \leq k

\* The sizes of five such sets, to see what k and n lead to.
TestRandomSetOfSubsets(k, n, S) ==
  [run \in 1..5 |-> Cardinality(RandomSetOfSubsets(k, n, S))]
==============================================================================
