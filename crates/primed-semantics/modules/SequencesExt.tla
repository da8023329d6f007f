------------------------------- MODULE SequencesExt -----------------------------
(* Operators on sequences: conversions to and from sets and bags, search,  *)
(* editing, prefixes and suffixes, folds, subsequences and replacement.    *)
EXTENDS Sequences, Naturals, FiniteSets, FiniteSetsExt, Folds, Functions, Bags,
        TLC

\* The set of the elements, and the bag of them.
ToSet(s) == {s[i] : i \in DOMAIN s}
ToBag(s) == [e \in ToSet(s) |-> Cardinality({i \in DOMAIN s : s[i] = e})]

\* The elements of a finite set in the order in which CHOOSE takes them.
SetToSeq(S) ==
  LET RECURSIVE List(_)
      List(T) == IF T = {} THEN <<>> ELSE LET x == CHOOSE x \in T : TRUE
                                          IN  <<x>> \o List(T \ {x})
  IN  List(S)

\* All sequences that list the finite set S, each element once.
SetToSeqs(S) ==
  LET RECURSIVE Lists(_)
      Lists(T) == IF T = {} THEN {<<>>}
                  ELSE UNION {{<<x>> \o l : l \in Lists(T \ {x})} : x \in T}
  IN  Lists(S)

SetToSortSeq(S, op(_, _)) == SortSeq(SetToSeq(S), op)

\* The same for all subsets of S.
SetToAllKPermutations(S) == UNION {SetToSeqs(T) : T \in SUBSET S}

\* The sequences over a set that have n elements, or at most n.
TupleOf(set, n) == [1..n -> set]
SeqOf(set, n) == UNION {[1..k -> set] : k \in 0..n}
BoundedSeq(S, n) == SeqOf(S, n)
---------------------------------------------------------------------------------
Contains(s, e) == \E i \in 1..Len(s) : s[i] = e

\* op holds between each element and each later one.
IsSorted(s, op(_, _)) == \A j \in 1..Len(s) : \A i \in 1..(j - 1) : op(s[i], s[j])

Reverse(s) == LET n == Len(s) IN [i \in 1..n |-> s[n + 1 - i]]

\* Without any e; and with new in the place of each old.
Remove(s, e) == SelectSeq(s, LAMBDA x : x # e)
ReplaceAll(s, old, new) == [i \in 1..Len(s) |-> IF s[i] = old THEN new ELSE s[i]]
---------------------------------------------------------------------------------
\* The first, or last, index at which the test holds, among all or from..to;
\* 0 if there is none.
SelectInSubSeq(seq, from, to, Test(_)) ==
  LET I == {i \in from..to : Test(seq[i])}
  IN  IF I = {} THEN 0 ELSE CHOOSE i \in I : \A j \in I : i <= j
SelectInSeq(seq, Test(_)) == SelectInSubSeq(seq, 1, Len(seq), Test)

SelectLastInSubSeq(seq, from, to, Test(_)) ==
  LET I == {i \in from..to : Test(seq[i])}
  IN  IF I = {} THEN 0 ELSE CHOOSE i \in I : \A j \in I : j <= i
SelectLastInSeq(seq, Test(_)) == SelectLastInSubSeq(seq, 1, Len(seq), Test)
---------------------------------------------------------------------------------
\* e put before the element at i; put in its place; the element taken out.
InsertAt(s, i, e) == SubSeq(s, 1, i - 1) \o <<e>> \o SubSeq(s, i, Len(s))
ReplaceAt(s, i, e) == [s EXCEPT ![i] = e]
RemoveAt(s, i) == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))

\* Without the first element that passes the test, or that equals e.
RemoveFirstMatch(s, Test(_)) == LET i == SelectInSeq(s, Test)
                                IN  IF i = 0 THEN s ELSE RemoveAt(s, i)
RemoveFirst(s, e) == RemoveFirstMatch(s, LAMBDA x : x = e)

Cons(elt, seq) == <<elt>> \o seq
Snoc(elt, seq) == Append(seq, elt)

\* All but the last element, and the last.
Front(s) == SubSeq(s, 1, Len(s) - 1)
Last(s) == s[Len(s)]
---------------------------------------------------------------------------------
IsPrefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
IsStrictPrefix(s, t) == IsPrefix(s, t) /\ s # t
IsSuffix(s, t) == /\ Len(s) <= Len(t)
                  /\ s = SubSeq(t, Len(t) - Len(s) + 1, Len(t))
IsStrictSuffix(s, t) == IsSuffix(s, t) /\ s # t

Prefixes(s) == {SubSeq(s, 1, n) : n \in 0..Len(s)}
Suffixes(s) == {SubSeq(s, n, Len(s)) : n \in 1..(Len(s) + 1)}

\* The prefixes that all sequences of the set S share, and the longest one.
CommonPrefixes(S) == {p \in UNION {Prefixes(s) : s \in S} :
                        \A s \in S : IsPrefix(p, s)}
LongestCommonPrefix(S) == LET C == CommonPrefixes(S)
                          IN  CHOOSE p \in C : \A q \in C : Len(q) <= Len(p)
---------------------------------------------------------------------------------
\* Division of an index by the length of a sequence: the remainder in 1..b.
SeqMod(a, b) == ((a - 1) % b) + 1

\* op(sn, ... op(s2, op(s1, base))).
FoldSeq(op(_, _), base, seq) == FoldFunction(op, base, seq)

\* op(... op(op(base, s1), s2) ..., sn).
FoldLeft(op(_, _), base, seq) ==
  LET fold[n \in 0..Len(seq)] == IF n = 0 THEN base ELSE op(fold[n - 1], seq[n])
  IN  fold[Len(seq)]

\* op(s1, op(s2, ... op(sn, base))).
FoldRight(op(_, _), seq, base) ==
  LET end == Len(seq) + 1
      fold[n \in 1..end] == IF n = end THEN base ELSE op(seq[n], fold[n + 1])
  IN  fold[1]

\* The same over the indices instead of the elements.
FoldLeftDomain(op(_, _), base, seq) ==
  FoldLeft(op, base, [i \in DOMAIN seq |-> i])
FoldRightDomain(op(_, _), seq, base) ==
  FoldRight(op, [i \in DOMAIN seq |-> i], base)
---------------------------------------------------------------------------------
\* A sequence of sequences joined to one.
FlattenSeq(seqs) == FoldLeft(LAMBDA joined, s : joined \o s, <<>>, seqs)

\* Pairs of what is at the same index, as far as both sequences go.
Zip(s, t) == LET n == IF Len(s) <= Len(t) THEN Len(s) ELSE Len(t)
             IN  [i \in 1..n |-> <<s[i], t[i]>>]

\* Elements taken in turn from two sequences of equal length, each as a
\* sequence of one.
Interleave(s, t) ==
  CASE Len(s) = Len(t) ->
         IF Len(s) = 0 THEN <<<<>>, <<>>>>
         ELSE [i \in 1..(2 * Len(s)) |->
                 IF i % 2 = 1 THEN <<s[(i + 1) \div 2]>> ELSE <<t[i \div 2]>>]

\* The contiguous parts of s; and all that is left when elements are dropped.
SubSeqs(s) == {<<>>} \cup {SubSeq(s, i, j) : i, j \in 1..Len(s)}
AllSubSeqs(s) ==
  LET with[n \in 0..Len(s)] ==
        IF n = 0 THEN {<<>>}
        ELSE with[n - 1] \cup {Append(p, s[n]) : p \in with[n - 1]}
  IN  with[Len(s)]

\* Whether s stands in t from the index i on.
LOCAL OccursAt(s, t, i) == /\ i + Len(s) <= Len(t) + 1
                           /\ SubSeq(t, i, i + Len(s) - 1) = s

\* The first index at which s stands in t.
IndexFirstSubSeq(s, t) ==
  CHOOSE i \in 1..(Len(t) + 1) :
    OccursAt(s, t, i) /\ \A j \in 1..(i - 1) : ~OccursAt(s, t, j)

\* t with r in the place of the part s at i, of the first part s, of all that
\* are found from the left and do not overlap.
ReplaceSubSeqAt(i, r, s, t) ==
  SubSeq(t, 1, i - 1) \o r \o SubSeq(t, i + Len(s), Len(t))

ReplaceFirstSubSeq(r, s, t) ==
  IF \E i \in 1..(Len(t) + 1) : OccursAt(s, t, i)
  THEN ReplaceSubSeqAt(IndexFirstSubSeq(s, t), r, s, t)
  ELSE t

ReplaceAllSubSeqs(r, s, t) ==
  LET from[i \in 1..(Len(t) + Len(s) + 1)] ==
        CASE i > Len(t)        -> <<>>
          [] i <= Len(t) /\ Len(s) = 0 -> r \o <<t[i]>> \o from[i + 1]
          [] i <= Len(t) /\ Len(s) > 0 ->
               IF OccursAt(s, t, i) THEN r \o from[i + Len(s)]
               ELSE <<t[i]>> \o from[i + 1]
  IN  IF s = t THEN r ELSE from[1]
=================================================================================
