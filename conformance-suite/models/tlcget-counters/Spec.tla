---- MODULE Spec ----
EXTENDS Naturals, Sequences, TLC
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = 0
A(i) == x < 2 /\ x' = x + i /\ y' = y
B == y < 2 /\ y' = y + 1 /\ UNCHANGED x
Next == (\E i \in 1..2 : A(i)) \/ B
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
ASSUME TLCSet(1, <<>>)
Inv == TLCSet(1, Append(TLCGet(1), <<x, y, TLCGet("level"), TLCGet("generated"), TLCGet("distinct"), TLCGet("queue"), TLCGet("diameter")>>))
Post ==
  /\ TLCGet("config").worker = 1 => TLCGet(1) = << <<0, 0, 1, 1, 1, 1, 1>>, <<1, 0, 2, 2, 2, 0, 2>>, <<2, 0, 2, 3, 3, 1, 2>>, <<0, 1, 2, 4, 4, 2, 2>>,
       <<3, 0, 3, 6, 5, 2, 3>>, <<1, 1, 3, 7, 6, 3, 3>>, <<2, 1, 3, 8, 7, 3, 3>>, <<0, 2, 3, 11, 8, 3, 3>>,
       <<3, 1, 4, 12, 9, 3, 4>>, <<1, 2, 4, 15, 10, 3, 4>>, <<2, 2, 4, 16, 11, 3, 4>>, <<3, 2, 5, 19, 12, 2, 5>> >>
  /\ TLCGet("stats").distinct = 12 /\ TLCGet("stats").initial = 1 /\ TLCGet("stats").queue = 0
  /\ DOMAIN TLCGet("stats") = {"queue", "distinct", "initial", "generated", "diameter", "duration", "worker"}
  /\ DOMAIN TLCGet("config") = {"mode", "deadlock", "worker", "seed", "fingerprint", "install"}
  /\ TLCGet("config").mode = "bfs" /\ TLCGet("config").seed \in STRING /\ ~TLCGet("config").deadlock
  /\ DOMAIN TLCGet("revision") = {"count", "timestamp", "date", "tag", "calver"}
====
