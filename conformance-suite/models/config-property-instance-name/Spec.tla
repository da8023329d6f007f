---- MODULE Spec ----
EXTENDS Naturals
CONSTANTS C, D, F(_)
VARIABLE x
Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE 0
Spec == Init /\ [][Next]_x
Op == 3
Op1(a) == a + 1
St == x + 1
Act == x' = x
Inv == x < 3
T == TRUE
Fa == FALSE
Num == 7
====
