---------------------------------- MODULE Bags -------------------------------
(* Bags, or multisets: a bag is a function that gives for each element the *)
(* positive number of its copies.                                          *)
EXTENDS TLC
LOCAL INSTANCE Naturals

LOCAL Copies(B, e) == IF e \in DOMAIN B THEN B[e] ELSE 0

\* The sum of the numbers f[x] over all x.
LOCAL Total(f) ==
  LET sum[S \in SUBSET DOMAIN f] ==
        IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE
                              IN  f[x] + sum[S \ {x}]
  IN  sum[DOMAIN f]

IsABag(B) == B \in [DOMAIN B -> {n \in Nat : n # 0}]

\* The set of the elements, and the bag with one copy of each.
BagToSet(B) == DOMAIN B
SetToBag(S) == [e \in S |-> 1]

BagIn(e, B) == e \in DOMAIN B
EmptyBag == [e \in {} |-> 1]

\* Copies are added.
B1 (+) B2 == [e \in DOMAIN B1 \cup DOMAIN B2 |-> Copies(B1, e) + Copies(B2, e)]

\* Copies are taken away, as far as there are any.
B1 (-) B2 == [e \in {e \in DOMAIN B1 : B1[e] > Copies(B2, e)} |->
                B1[e] - Copies(B2, e)]

\* All the bags of the set S added up.
BagUnion(S) == [e \in UNION {DOMAIN B : B \in S} |->
                  Total([B \in S |-> Copies(B, e)])]

B1 \sqsubseteq B2 == /\ DOMAIN B1 \subseteq DOMAIN B2
                     /\ \A e \in DOMAIN B1 : B1[e] \leq B2[e]

\* All bags contained in B: for each set of elements, each choice of numbers
\* that are positive and no greater than in B. The set is listed, as TLC's is:
\* with others it has a union without duplicates.
SubBag(B) ==
  LET Most(D) == UNION {1..B[e] : e \in D}
  IN  {A : A \in UNION {{C \in [D -> Most(D)] : \A e \in D : C[e] \leq B[e]} :
                            D \in SUBSET DOMAIN B}}

\* The bag of all F(e), with a copy for each copy of e in B.
BagOfAll(F(_), B) ==
  [v \in {F(e) : e \in DOMAIN B} |->
     Total([e \in {e \in DOMAIN B : F(e) = v} |-> B[e]])]

\* The number of all copies.
BagCardinality(B) == Total(B)

CopiesIn(e, B) == Copies(B, e)
==============================================================================
