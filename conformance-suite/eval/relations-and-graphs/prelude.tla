U == INSTANCE UndirectedGraphs
G3 == [node |-> 1..3, edge |-> {<<1, 2>>, <<2, 3>>}]
