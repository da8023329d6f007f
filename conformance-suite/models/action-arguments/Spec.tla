------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\ y = 0
Guarded(g, A) == g /\ A
Times(Op(_), n) == Op(n) /\ UNCHANGED y
Is(a, b) == a = b
Within(a, S) == a \in S
Next == \/ Guarded(x < 2, x' = x + 1 /\ y' = y)
        \/ Times(LAMBDA n : x < 2 /\ x' = x + n, 2)
        \/ Is(x', 0) /\ Within(y', {0, 1})
        \/ LET Up(n) == x' = x + n
               Stay == UNCHANGED y
           IN x < 2 /\ (Up(1) \/ Up(3)) /\ Stay
        \/ LET z == x' IN Is(z, 4) /\ y' = z
===========================================================================
