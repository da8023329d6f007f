------------------------------ MODULE Sequences -----------------------------
(* Finite sequences: functions whose domain is 1..n for some natural n.    *)
LOCAL INSTANCE Naturals

\* All sequences of elements of S.
Seq(S) == UNION {[1..n -> S] : n \in Nat}

Len(s) == CHOOSE n \in Nat : 1..n = DOMAIN s

\* Concatenation.
s \o t == LET n == Len(s)
          IN  [i \in 1..(n + Len(t)) |-> IF i \leq n THEN s[i] ELSE t[i - n]]

Append(s, e) == s \o <<e>>

Head(s) == s[1]

\* The empty sequence has no tail: no case applies.
Tail(s) == CASE Len(s) > 0 -> [i \in 1..(Len(s) - 1) |-> s[i + 1]]

\* The elements at m, m+1, ..., n; empty if m > n.
SubSeq(s, m, n) == [i \in 1..(n - m + 1) |-> s[m - 1 + i]]

\* The subsequence of the elements that pass the test.
SelectSeq(s, Test(_)) ==
  LET first[n \in 0..Len(s)] ==
        IF n = 0 THEN <<>>
        ELSE first[n - 1] \o (IF Test(s[n]) THEN <<s[n]>> ELSE <<>>)
  IN  first[Len(s)]
=============================================================================
