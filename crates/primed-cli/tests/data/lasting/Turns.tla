---- MODULE Turns ----
\* Everybody gets a turn, if nobody who could take one waits for ever.
EXTENDS Naturals
CONSTANTS N, Top
VARIABLES at, turns

vars == <<at, turns>>
Init == at = 0 /\ turns = [i \in 0..N - 1 |-> 0]

Take(i) == at = i /\ turns' = [turns EXCEPT ![i] = (@ + 1) % Top] /\ at' = (at + 1) % N
Skip(i) == at = i /\ turns[i] > 0 /\ at' = (at + 1) % N /\ UNCHANGED turns

Next == \E i \in 0..N - 1 : Take(i) \/ Skip(i)
Spec == Init /\ [][Next]_vars /\ \A i \in 0..N - 1 : SF_vars(Take(i)) /\ WF_vars(Skip(i))
Weak == Init /\ [][Next]_vars /\ \A i \in 0..N - 1 : WF_vars(Take(i)) /\ WF_vars(Skip(i))

EveryTurn == \A i \in 0..N - 1 : []<>(turns[i] = 0)
Leads == (turns[0] = 1) ~> (turns[0] = 2)
====
