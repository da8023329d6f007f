---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets
CONSTANT Place
VARIABLES grid, heap, turn

Cells == {<<i, j>> : i, j \in 1..2}

RECURSIVE Total(_, _)
Total(f, S) == IF S = {} THEN 0 ELSE LET e == CHOOSE e \in S : TRUE IN f[e] + Total(f, S \ {e})

Around(c) == {d \in Cells : d # c /\ (d[1] = c[1] \/ d[2] = c[2])}
Weight(c) == Total(grid, Around(c)) + Len(heap[c[1]])

\* A function over a set that is not written out, applied cell by cell.
Border[c \in (0..3) \X (0..3)] == IF c \in Cells THEN grid[c] ELSE 1
Frame(c) == Total([d \in {<<c[1] - 1, c[2]>>, <<c[1] + 1, c[2]>>} |-> Border[d]], {<<c[1] - 1, c[2]>>, <<c[1] + 1, c[2]>>})

\* It calls itself with what the state holds, and stops where that does not change.
RECURSIVE Reach(_, _)
Reach(S, n) == LET T == S \cup {heap[i][1] : i \in {j \in S : heap[j] # <<>>}}
               IN IF T = S \/ n = 0 THEN S ELSE Reach(T, n - 1)

Init == /\ grid = [c \in Cells |-> 0]
        /\ heap = [i \in 1..2 |-> <<>>]
        /\ turn \in {1, 2}

Raise(c) == /\ Weight(c) + Frame(c) < 5
            /\ grid' = [grid EXCEPT ![c] = (@ + Weight(c) + 1) % 3]
            /\ turn' = IF Total(grid, Cells) % 2 = 0 THEN 3 - turn ELSE turn
            /\ UNCHANGED heap

Push == /\ Len(heap[turn]) < 2
        /\ heap' = [heap EXCEPT ![turn] = Append(@, 1 + (Total(grid, Cells) % 2))]
        /\ turn' = 1 + (Cardinality(Reach({turn}, 3)) % 2)
        /\ UNCHANGED grid

\* A part of the state is changed, and the same is asked of what was and of what comes.
Turn == /\ turn' = 3 - turn
        /\ grid' = [c \in Cells |-> IF Total(grid, {c}) = 2 THEN 0 ELSE grid[c]]
        /\ Total(grid', Cells) <= Total(grid, Cells)
        /\ heap' = IF Total(grid', Cells) = 0 THEN [i \in 1..2 |-> <<>>] ELSE heap

Next == Push \/ Turn \/ \E c \in Cells : Raise(c)
Spec == Init /\ [][Next]_<<grid, heap, turn>>

Bounded == Total(grid, Cells) <= 8 /\ \A c \in Cells : Weight(c) <= 6
Closed == Reach({1, 2}, 3) = {1, 2}
Small == Total(grid, Cells) < 7
====
