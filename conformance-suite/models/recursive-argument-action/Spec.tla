------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals, Sequences
VARIABLE x
RECURSIVE Down(_, _)
Down(a, n) == IF n = 0 THEN a ELSE Down(a, n - 1)
RECURSIVE Fold(_, _, _)
Fold(F(_, _), a, s) == IF s = <<>> THEN a ELSE Fold(F, F(a, Head(s)), Tail(s))
Below(a, b) == a /\ x < b
Init == x = 0
Next == \/ Down(x' = 3 - x, 2)
        \/ Fold(Below, x' = x + 1, <<3, 2>>)
        \/ Down(\E i \in 1..3 : x' = i \/ i = 1, 2) /\ UNCHANGED x
        \/ Fold(LAMBDA a, b : a \/ x' = b, x' = 0, <<1, 2>>)
===========================================================================
