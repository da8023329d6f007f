------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals, Sequences
VARIABLES x, y
RECURSIVE Fold(_, _, _)
Fold(F(_, _), a, s) == IF s = <<>> THEN a ELSE Fold(F, F(a, Head(s)), Tail(s))
Inside(F(_, _), a, s) ==
  LET RECURSIVE Go(_, _)
      Go(b, t) == IF t = <<>> THEN b ELSE Go(F(b, Head(t)), Tail(t))
  IN  Go(a, s)
RECURSIVE Down(_, _)
Down(a, n) == IF n = 0 THEN (\E j \in 1..2 : a) ELSE Down(\E i \in 1..2 : a /\ i = n, n - 1)
Init == y = 0 /\ Inside(LAMBDA a, b : a \/ (a /\ b), TRUE, <<TRUE, FALSE>>) /\ x = 0
Next == \/ Inside(LAMBDA a, b : TRUE \/ a, TRUE, <<"a">>) /\ UNCHANGED <<x, y>>
        \/ Fold(LAMBDA a, b : a \/ x < b, TRUE, <<1, 2>>) /\ x' = x /\ y' = 1
        \/ Down(TRUE \/ x = 0, 2) /\ UNCHANGED <<x, y>>
===========================================================================
