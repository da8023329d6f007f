Kind == "b"
Mail == {[t |-> "a", v |-> 1], [t |-> "b", v |-> 2], [t |-> "b", v |-> 3]}
IsB(m) == m.t = Kind /\ m.v > 2
Inner(n) == LET w == n.v IN /\ IsB(n) /\ w = 3
