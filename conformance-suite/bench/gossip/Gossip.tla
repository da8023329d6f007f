---- MODULE Gossip ----
(* Nodes tell each other the newest version that they have heard of, of everybody; any of them may be exchanged for any other. *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Nodes, Newest, InFlight
VARIABLES heard, flying
vars == <<heard, flying>>

Larger(a, b) == IF a > b THEN a ELSE b
Merge(f, g) == [n \in Nodes |-> Larger(f[n], g[n])]

Init ==
  /\ heard = [n \in Nodes |-> [m \in Nodes |-> 0]]
  /\ flying = {}

Change(n) ==
  /\ heard[n][n] < Newest
  /\ heard' = [heard EXCEPT ![n][n] = @ + 1]
  /\ UNCHANGED flying

Push(n, m) ==
  /\ n # m
  /\ Cardinality(flying) < InFlight
  /\ ~ \E p \in flying : p.to = m
  /\ flying' = flying \union {[to |-> m, digest |-> heard[n]]}
  /\ UNCHANGED heard

Take == \E p \in flying :
  /\ heard' = [heard EXCEPT ![p.to] = Merge(@, p.digest)]
  /\ flying' = flying \ {p}

Lose == \E p \in flying : flying' = flying \ {p} /\ UNCHANGED heard

Next == Take \/ Lose \/ \E n \in Nodes : Change(n) \/ \E m \in Nodes : Push(n, m)
Spec == Init /\ [][Next]_vars

OwnIsNewest == \A n, m \in Nodes : heard[m][n] <= heard[n][n]
NothingInvented == \A p \in flying : \A n \in Nodes : p.digest[n] <= heard[n][n]
Same == Permutations(Nodes)
====
