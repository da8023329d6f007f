---- MODULE Spec ----
EXTENDS Naturals, Sequences, TLC
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = 0
A(i) == x < 2 /\ x' = x + i /\ y' = y
B == y < 2 /\ y' = y + 1 /\ UNCHANGED x
Next == (\E i \in 1..2 : A(i)) \/ B
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
Inv == x < 9
Cons == y < 9
Step == x' < 9
Prop == [][x' >= x]_vars
Live == <>(x >= 1)
At(l, c, m, d) == [beginLine |-> l, beginColumn |-> c, endLine |-> m, endColumn |-> d, module |-> "Spec"]
One(n, p) == {[name |-> n, location |-> p]}
Post ==
  LET s == TLCGet("spec") IN
  /\ DOMAIN s = {"inits", "actions", "temporals", "invariants", "impliedinits", "impliedactions", "impliedtemporals", "variables", "actionconstraints", "constraints"}
  /\ s.inits = One("Init", At(5, 9, 5, 22))
  /\ s.actions = One("B", At(7, 6, 7, 39)) \cup
       {[name |-> "A", location |-> At(6, 9, 6, 37), context |-> [i |-> n], parameters |-> <<"i">>] : n \in 1..2}
  /\ s.temporals = One("UnnamedAction", At(9, 34, 9, 46))
  /\ s.invariants = One("Inv", At(10, 8, 10, 12))
  /\ s.impliedinits = {}
  /\ s.impliedactions = One("Prop", At(13, 11, 13, 24))
  /\ s.impliedtemporals = One("Live", At(14, 9, 14, 18))
  /\ s.variables = One("x", At(3, 11, 3, 11)) \cup One("y", At(3, 14, 3, 14))
  /\ s.actionconstraints = One("Step", At(12, 1, 12, 14))
  /\ s.constraints = One("Cons", At(11, 1, 11, 13))
====
