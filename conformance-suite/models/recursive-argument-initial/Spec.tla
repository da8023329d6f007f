------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals, Sequences
VARIABLES x, y
RECURSIVE Down(_, _)
Down(a, n) == IF n = 0 THEN a ELSE Down(a, n - 1)
RECURSIVE Fold(_, _, _)
Fold(F(_, _), a, s) == IF s = <<>> THEN a ELSE Fold(F, F(a, Head(s)), Tail(s))
Init == Fold(LAMBDA a, b : a \/ x = b, x = 0, <<1, 2>>) /\ Down(y = x \/ y = 1, 2)
Next == UNCHANGED <<x, y>>
===========================================================================
