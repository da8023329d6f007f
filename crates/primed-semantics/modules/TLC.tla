---------------------------------- MODULE TLC --------------------------------
(* Operators for model checking: output, assertions, registers, small      *)
(* functions, permutations, sorting.  Where an operator acts on the checker*)
(* (it prints, reads a clock, keeps a register), its definition states the *)
(* value only and the engine adds the effect.                              *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets

\* Equals val; prints out and val.
Print(out, val) == val
\* Equals TRUE; prints out.
PrintT(out) == TRUE
\* TRUE if val is; otherwise an error that shows out.
Assert(val, out) == IF val = TRUE THEN TRUE ELSE CHOOSE stop : TRUE
\* The time of day in seconds.
JavaTime == CHOOSE t \in Nat : TRUE

\* A register or a counter of the checker, and how it is set.
TLCGet(i) == CHOOSE v : TRUE
TLCSet(i, v) == TRUE
------------------------------------------------------------------------------
\* The function with the one argument d and value e.
d :> e == [x \in {d} |-> e]

\* Two functions joined; the left one decides where both are defined.
f @@ g == [x \in DOMAIN f \cup DOMAIN g |->
             IF x \in DOMAIN f THEN f[x] ELSE g[x]]

\* All bijections of the finite set S with itself.
Permutations(S) == {p \in [S -> S] : {p[x] : x \in S} = S}

\* s sorted by insertion, element after element: a new element moves to the
\* left as long as Op holds between it and its left neighbour.
SortSeq(s, Op(_, _)) ==
  LET Insert(t, e) ==
        LET before[n \in 0..Len(t)] ==
              IF n = 0 THEN 0 ELSE IF Op(e, t[n]) THEN before[n - 1] ELSE n
            n == before[Len(t)]
        IN  SubSeq(t, 1, n) \o <<e>> \o SubSeq(t, n + 1, Len(t))
      sorted[n \in 0..Len(s)] ==
        IF n = 0 THEN <<>> ELSE Insert(sorted[n - 1], s[n])
  IN  sorted[Len(s)]

\* An element of s, chosen at random each time.
RandomElement(s) == CHOOSE x \in s : TRUE

\* A set that contains every value.
Any == CHOOSE U : \A x : x \in U

\* The text that the checker prints for v.
ToString(v) == (CHOOSE text \in [{v} -> STRING] : TRUE)[v]

\* v, evaluated at once instead of when it is needed.
TLCEval(v) == v
==============================================================================
