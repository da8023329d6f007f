------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\ y = 0
Up(n) == x + n < 5 /\ x' = x + n /\ y' = y
Can(n) == ENABLED Up(n)
Both == LET c == ENABLED Up(2) IN c /\ c'
Next == /\ x' \in 0..4 /\ y' \in {0, 1}
        /\ IF y' = 1 THEN Can(2)' ELSE \E n \in 1..2 : Can(n)'
        /\ (CASE x' > 2 -> (\A n \in {1} : Can(n))' [] OTHER -> Both \/ Can(1)')
===========================================================================
