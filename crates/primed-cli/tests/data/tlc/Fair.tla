---- MODULE Fair ----
EXTENDS Naturals, TLC
CONSTANT P
VARIABLES n, turn
vars == <<turn, n>>
Init == turn \in P /\ n = 0
Pass(p) == turn' = p /\ n' = (n + 1) % 3
Next == \E p \in P : p # turn /\ Pass(p)
Sym == Permutations(P)
Unfair == Init /\ [][Next]_vars
Narrow == Init /\ [][Next]_n
WF == WF_vars(Next)
Spec == Init /\ [][Next]_vars /\ WF
Comes == n = 0 ~> n = 2
Stays == <>[](n = 2)
====
