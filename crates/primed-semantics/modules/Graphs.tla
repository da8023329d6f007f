---------------------------------- MODULE Graphs --------------------------------
(* Directed graphs, as records of a set of nodes and a set of pairs.       *)
EXTENDS Naturals, Sequences, FiniteSets, SequencesExt, Relation

\* A graph has exactly the fields node and edge.
IsDirectedGraph(G) == /\ DOMAIN G = {"node", "edge"}
                      /\ G.edge \subseteq (G.node \X G.node)

\* The graphs made of some of the nodes and edges.
DirectedSubgraph(G) ==
  UNION {[node : {N}, edge : SUBSET (G.edge \cap (N \X N))] : N \in SUBSET G.node}

\* Every edge turned round.
Transpose(G) == [node |-> G.node, edge |-> {<<e[2], e[1]>> : e \in G.edge}]

\* Undirected: with each edge there is the one that leads back.
IsUndirectedGraph(G) ==
  IsDirectedGraph(G) /\ \A e \in G.edge : <<e[2], e[1]>> \in G.edge
UndirectedSubgraph(G) == {H \in DirectedSubgraph(G) : IsUndirectedGraph(H)}
---------------------------------------------------------------------------------
\* Paths are non-empty sequences of nodes; in a simple one no node repeats.
Path(G) == {p \in Seq(G.node) :
              p # <<>> /\ \A i \in 2..Len(p) : <<p[i - 1], p[i]>> \in G.edge}
SimplePath(G) ==
  LET After(p) == {Append(p, n) : n \in {n \in G.node :
                     <<p[Len(p)], n>> \in G.edge /\ \A i \in DOMAIN p : p[i] # n}}
      RECURSIVE Grow(_)
      Grow(paths) == IF paths = {} THEN {}
                     ELSE paths \cup Grow(UNION {After(p) : p \in paths})
  IN  Grow({<<n>> : n \in G.node})

\* What can be reached from the nodes of S, in any number of steps.
LOCAL Reach(G, S) ==
  LET RECURSIVE Grow(_)
      Grow(seen) ==
        LET more == {n \in G.node \ seen : \E m \in seen : <<m, n>> \in G.edge}
        IN  IF more = {} THEN seen ELSE Grow(seen \cup more)
  IN  Grow(S)

AreConnectedIn(m, n, G) == m \in G.node /\ n \in Reach(G, {m})
IsStronglyConnected(G) == \A m \in G.node : Reach(G, {m}) = G.node

\* For each two nodes, whether a path leads from the first to the second.
ConnectionsIn(G) ==
  LET reach == [m \in G.node |-> Reach(G, {m})]
  IN  [m, n \in G.node |-> n \in reach[m]]

\* Edges lead towards the root r, one from each node but the root.
IsTreeWithRoot(G, r) ==
  /\ IsDirectedGraph(G)
  /\ r \in G.node
  /\ \A e \in G.edge : e[1] # r /\ \A f \in G.edge : e[1] = f[1] => e = f
  /\ Reach(Transpose(G), {r}) = G.node
---------------------------------------------------------------------------------
GraphUnion(G, H) == [node |-> G.node \cup H.node, edge |-> G.edge \cup H.edge]

\* Each edge leads from one of the disjoint sets U and V to the other.
IsBipartiteWithPartitions(G, U, V) ==
  /\ U \cap V = {}
  /\ G.node \subseteq U \cup V
  /\ \A e \in G.edge : \/ e[1] \in U /\ e[2] \in V
                       \/ e[1] \in V /\ e[2] \in U

Successors(G, n) == {m \in G.node : <<n, m>> \in G.edge}
AllSuccessors(G, S) == UNION {Successors(G, n) : n \in S}
Predecessors(G, n) == {m \in G.node : <<m, n>> \in G.edge}
AllPredecessors(G, S) == UNION {Predecessors(G, n) : n \in S}

\* The nodes from which, or to which, a path of one edge or more leads.
Ancestors(G, n) == Reach(Transpose(G), Predecessors(G, n))
Descendants(G, n) == Reach(G, Successors(G, n))

HasCycle(G) == \E n \in G.node : n \in Descendants(G, n)
IsDag(G) == IsDirectedGraph(G) /\ ~HasCycle(G)

InDegree(G, n) == Cardinality(Predecessors(G, n))
OutDegree(G, n) == Cardinality(Successors(G, n))
Roots(G) == {n \in G.node : Predecessors(G, n) = {}}
Leaves(G) == {n \in G.node : Successors(G, n) = {}}
---------------------------------------------------------------------------------
EmptyGraph == [node |-> {}, edge |-> {}]
Graphs(S) == [node : {S}, edge : SUBSET (S \X S)]
=================================================================================
