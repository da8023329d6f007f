---- MODULE Spec ----
EXTENDS Integers, TLC, Sequences
VARIABLE x
RECURSIVE Map(_, _), FoldR(_, _, _), Walk(_, _)
Map(Op(_), s) == IF s = <<>> THEN <<>> ELSE <<Op(Head(s))>> \o Map(Op, Tail(s))
FoldR(Op(_, _), b, s) == IF s = <<>> THEN b ELSE Op(Head(s), FoldR(Op, b, Tail(s)))
Sum(s) == FoldR(LAMBDA a, b : a + b, 0, s)
Scale(k, s) == Map(LAMBDA e : k * e + x, s)
Walk(A(_), n) == IF n = 0 THEN A(0) ELSE A(n) \/ Walk(A, n - 1)
All(s) == \A k \in 1..2 : Sum(Scale(k, s)) >= 0
Go(n) == x' = (x + n) % 5
Init == x = 0
Next == Walk(Go, 2) /\ All(<<1, 2, 3>>)
Inv == /\ Map(LAMBDA e : Map(LAMBDA f : f + e, <<e, x>>), <<1, 2>>) = <<<<2, 1 + x>>, <<4, 2 + x>>>>
       /\ FoldR(+, x, <<1, 2>>) = 3 + x
       /\ LET y == x + 1 IN Map(LAMBDA e : e + y, <<1>>)[1] = x + 2
P == [][Map(LAMBDA e : e, <<x'>>)[1] = x']_x
====
