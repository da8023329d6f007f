---- MODULE Spec ----
EXTENDS Integers
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y \in {1, 2}
Next == /\ x' = (x + 1) % 3
        /\ y' = y
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

Even == []<>(x * y = 4 \/ x * y = 2)
Leads == (y * 2 = 4) ~> (x * y = 4)
Some == <>[](2 * x < 5)
====
