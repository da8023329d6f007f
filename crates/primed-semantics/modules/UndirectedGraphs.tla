----------------------------- MODULE UndirectedGraphs ---------------------------
(* Undirected graphs, as records of a set of nodes and a set of edges; an  *)
(* edge is the set of its two ends, or of one node for a loop.             *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Folds
LOCAL INSTANCE Functions

\* A graph has exactly the fields node and edge.
IsUndirectedGraph(G) == /\ DOMAIN G = {"node", "edge"}
                        /\ \A e \in G.edge : \E m, n \in G.node : e = {m, n}
IsLoopFreeUndirectedGraph(G) ==
  /\ DOMAIN G = {"node", "edge"}
  /\ \A e \in G.edge : \E m, n \in G.node : m # n /\ e = {m, n}

\* The graphs made of some of the nodes and edges.
UndirectedSubgraph(G) ==
  UNION {[node : {N}, edge : SUBSET {e \in G.edge : \E m, n \in N : e = {m, n}}] :
           N \in SUBSET G.node}
---------------------------------------------------------------------------------
\* Paths are non-empty sequences of nodes; in a simple one no node repeats.
Path(G) == {p \in Seq(G.node) :
              p # <<>> /\ \A i \in 2..Len(p) : {p[i - 1], p[i]} \in G.edge}
SimplePath(G) ==
  LET After(p) == {Append(p, n) : n \in {n \in G.node :
                     {p[Len(p)], n} \in G.edge /\ \A i \in DOMAIN p : p[i] # n}}
      RECURSIVE Grow(_)
      Grow(paths) == IF paths = {} THEN {}
                     ELSE paths \cup Grow(UNION {After(p) : p \in paths})
  IN  Grow({<<n>> : n \in G.node})

\* What can be reached from the node m.
LOCAL Reach(G, m) ==
  LET RECURSIVE Grow(_)
      Grow(seen) ==
        LET more == {n \in G.node \ seen : \E k \in seen : {k, n} \in G.edge}
        IN  IF more = {} THEN seen ELSE Grow(seen \cup more)
  IN  Grow({m})

AreConnectedIn(m, n, G) == m \in G.node /\ n \in Reach(G, m)

\* The largest sets of nodes that are connected among themselves.
ConnectedComponents(G) == {Reach(G, n) : n \in G.node}
IsStronglyConnected(G) == ConnectedComponents(G) = {G.node}
---------------------------------------------------------------------------------
UndirectedGraphs(S) == [node : {S}, edge : SUBSET {{m, n} : m, n \in S}]
=================================================================================
