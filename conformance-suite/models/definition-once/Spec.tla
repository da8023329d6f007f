-------------------------------- MODULE Spec --------------------------------
EXTENDS Naturals, FiniteSets, Sequences
VARIABLES nodes, edges, last
Pairs == nodes \X nodes
\* Takes long, and reads what was assigned just before.
Orders == {R \in SUBSET Pairs : /\ \A a, b \in nodes : a = b \/ <<a, b>> \in R \/ <<b, a>> \in R
                                /\ \A a, b, c \in nodes : <<a, b>> \in R /\ <<b, c>> \in R => <<a, c>> \in R
                                /\ \A a \in nodes : <<a, a>> \notin R}
Extends == \E R \in Orders : edges \subseteq R
Sizes == {Cardinality(f) : f \in {{x \in nodes : g[x] = 1} : g \in [nodes -> {0, 1}]}}
Reversed == INSTANCE Turned WITH edges <- {<<p[2], p[1]>> : p \in edges}
Init == nodes = {} /\ edges = {} /\ last = <<0, 1>>
Add == /\ \E n \in 1..3 : n \notin nodes /\ nodes' = nodes \union {n}
       /\ edges' \in SUBSET Pairs'
       /\ edges \subseteq edges'
       /\ Extends'
       /\ last' = <<Cardinality(Orders), Cardinality(Orders')>>
Drop == /\ nodes # {} /\ Cardinality(Sizes) > 2
        /\ nodes' = {n \in nodes : n # 1}
        /\ edges' = {p \in edges : p[1] # 1 /\ p[2] # 1}
        /\ last' = <<Cardinality(Sizes'), Cardinality(Sizes)>>
        /\ Cardinality(Sizes') <= Cardinality(Sizes)
Swap == /\ ENABLED Drop /\ edges # {} /\ Reversed!Acyclic
        /\ edges' = {<<p[2], p[1]>> : p \in edges}
        /\ UNCHANGED nodes
        /\ last' = <<Cardinality(Sizes), IF Reversed!Acyclic' THEN 1 ELSE 0>>
Next == Add \/ Drop \/ Swap
TypeOK == last[1] \in 0..6 /\ last[2] \in 0..6
Sound == Extends /\ Reversed!Acyclic /\ Cardinality(Orders) = <<1, 1, 2, 6>>[Cardinality(nodes) + 1]
Grows == [][Cardinality(Sizes') >= Cardinality(Sizes) \/ Cardinality(Orders') < Cardinality(Orders)
            \/ nodes' = nodes]_<<nodes, edges>>
=============================================================================
