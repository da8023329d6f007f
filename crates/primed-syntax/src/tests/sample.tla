A sample with a bit of everything, to be mutilated.
---------------------------- MODULE Sample ----------------------------
(* Comments (* nest *) here. *)
EXTENDS Naturals, Sequences
CONSTANTS Node, None, F(_, _), _ ++ _
VARIABLES pc, queue, clock
ASSUME NoneIsNoNode == None \notin Node
RECURSIVE Sum(_)
Sum(s) == IF s = << >> THEN 0 ELSE Head(s) + Sum(Tail(s))
vars == <<pc, queue, clock>>
-. a == a
a \prec b == a
f[n \in Nat, <<x, y>> \in Node \X Node] == IF n = 0 THEN \b101 ELSE n * f[n - 1, <<x, y>>]
I(x) == INSTANCE Other WITH pc <- x, Op <- LAMBDA q, r : q, ++ <- F
TypeOK == /\ pc \in [Node -> {"idle", "wait\n", "done"}]
          /\ \/ queue = << >>
             \/ /\ Len(queue) > 0
                /\ \A i \in 1..Len(queue) : queue[i].from # None
          /\ clock = [n \in Node |-> CASE n = None -> 1 [] pc[n] = "idle" -> 2 [] OTHER -> 3.5]
Send(n) == LET m == [IF |-> n, from |-> 1]
               all == {x.from : x \in {y \in queue : y = m}}
           IN  /\ pc' = [pc EXCEPT ![n] = "wait", !.b[1, 2] = @]
               /\ queue' = Append(queue, m)
               /\ UNCHANGED clock
Next == \E n \in Node : l(n) :: Send(n) \/ (CHOOSE x : TRUE) = n
Spec == Init /\ [][Next]_vars /\ WF_vars(Next) /\ SF_<<pc, queue>>(\E n \in Node : <<Send(n)>>_pc)
---- MODULE Inner ----
d == Next!1!<<
====
----
THEOREM Safe == ASSUME NEW n \in Node, ACTION A PROVE Spec => []TypeOK
<1>1. Init => TypeOK
  <2>1. SUFFICES TRUE OBVIOUS
  <2> QED BY <2>1 DEF Init, TypeOK
<1>2. CASE n = None
<1> g(x) == x
<1>3. PICK q \in Node : q
<1>q. QED BY <1>1, <1>2 DEF Spec
=============================================================================
Free text after it.
