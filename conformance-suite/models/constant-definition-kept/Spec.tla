---- MODULE Spec ----
EXTENDS Integers, TLC, Randomization, FiniteSets
VARIABLES n, seen
Most == 2000000
Drawn == RandomElement(1..Most)
Set == {RandomElement(1..Most)}
Again == Drawn
Let == LET z == RandomElement(1..Most) IN z
Some == RandomSubset(3, 1..Most)
Drawing(y) == RandomElement(1..Most)
Init == n = 0 /\ seen = {}
Next == /\ n < 4
        /\ n' = n + 1
        /\ seen' = seen \cup {<<1, Drawn>>, <<2, Set>>, <<3, Again>>, <<4, Let>>, <<5, Some>>, <<1, Again>>}
Spec == Init /\ [][Next]_<<n, seen>>
Once == n = 0 \/ Cardinality(seen) = 5
Others == [][Drawing(1) # Drawing(2) \/ Drawing(3) # Drawing(4)]_n
====
