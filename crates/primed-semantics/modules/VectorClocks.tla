------------------------------- MODULE VectorClocks -----------------------------
(* Logs of events that carry vector clocks, put in a causal order.         *)
EXTENDS Naturals, Sequences, Functions

LOCAL At(c, n) == IF n \in DOMAIN c THEN c[n] ELSE 0

\* Every event comes after those that happened before it: of two events the
\* earlier one in the log has somewhere a smaller time, and unless it has
\* nowhere a greater one the two are concurrent.
IsCausalOrder(log, clock(_)) ==
  \A j \in 1..Len(log) : \A i \in 1..(j - 1) :
    LET c == clock(log[i])
        d == clock(log[j])
    IN  \E n \in DOMAIN c \cup DOMAIN d : At(c, n) < At(d, n)

\* The events of the log in a causal order.  node and domain say which node an
\* event belongs to and which nodes its clock knows: they only help to find it.
CausalOrder(log, clock(_), node(_), domain(_)) ==
  LET Ready(rest) == {i \in rest : \A j \in rest \ {i} :
                        IsCausalOrder(<<log[i], log[j]>>, clock)}
      RECURSIVE Order(_)
      Order(rest) == IF rest = {} THEN <<>>
                     ELSE LET i == CHOOSE i \in Ready(rest) : TRUE
                          IN  <<log[i]>> \o Order(rest \ {i})
  IN  Order(1..Len(log))
=================================================================================
