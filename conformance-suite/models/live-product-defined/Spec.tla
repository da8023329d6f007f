---- MODULE Spec ----
EXTENDS Integers
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y \in {1, 2}
Next == /\ x' = (x + 1) % 3
        /\ y' = y
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

\* The product is in what the property names, directly, behind another name, and with an argument.
Number == (0 * y) \in Int
Twice == 2 * x
Below == Twice < 5
Area(w) == w * y
Sometimes == [](TRUE => <>Number)
Always == <>[]Below
Leads == (Area(2) = 4) ~> (Area(x) = 4)
====
