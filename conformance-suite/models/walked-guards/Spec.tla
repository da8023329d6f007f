---- MODULE Spec ----
EXTENDS Integers
VARIABLES x, y

\* Guards with several ways to be true, hidden behind names of all kinds: each way is a successor of its own.
InLet == LET P(k) == k > x \/ k > y IN P(5)
InValue == LET q == x < 5 \/ y < 5 IN q
Falls(n) == LET f[i \in 0..3] == i = 0 \/ (\E j \in 0..(i - 1) : f[j]) IN f[n]
Twice(p) == p /\ x >= 0
Apply(Op(_)) == Op(3)
Named(p) == LET r == p IN r
Steps(k) == CASE k = 0 -> InLet
              [] k = 1 -> InValue
              [] k = 2 -> Falls(3)
              [] k = 3 -> Twice(x = 3 \/ y >= 0 \/ x >= 0)
              [] k = 4 -> Apply(LAMBDA n : n >= x \/ n >= y)
              [] k = 5 -> LET g[i \in 0..2] == \E j \in 1..2 : x < 9 IN g[1]
              [] k = 6 -> Named(x < 9 \/ y < 9)
              [] OTHER -> LET a == x < 9 \/ y < 9
                              b == a /\ a
                          IN  b /\ a

Init == x = 0 /\ y = 0
Next == /\ x = 0
        /\ Steps(y)
        /\ y' = (y + 1) % 8
        /\ x' = IF y = 7 THEN 1 ELSE 0
Spec == Init /\ [][Next]_<<x, y>>
====
