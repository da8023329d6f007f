---- MODULE Philosophers ----
(* Philosophers around a table. Each takes the lower-numbered fork first, and a fork that is free again and again is taken at
   last: who is hungry eats. *)
EXTENDS Naturals
CONSTANT N
VARIABLES mood, left, right
vars == <<mood, left, right>>

People == 0 .. N - 1
Free == N
RightOf(p) == (p + 1) % N
\* Fork p lies to the left of philosopher p: left[p] says who holds it as the left one, right[p] who holds it as the right one.
Lies(f) == left[f] = Free /\ right[f] = Free
LowFirst(p) == p < RightOf(p)

Init == mood = [p \in People |-> "thinks"] /\ left = [p \in People |-> Free] /\ right = [p \in People |-> Free]

Hunger(p) == mood[p] = "thinks" /\ mood' = [mood EXCEPT ![p] = "hungry"] /\ UNCHANGED <<left, right>>
TakeLeft(p) ==
  /\ mood[p] = "hungry" /\ Lies(p)
  /\ LowFirst(p) \/ right[RightOf(p)] = p
  /\ left' = [left EXCEPT ![p] = p]
  /\ UNCHANGED <<mood, right>>
TakeRight(p) ==
  /\ mood[p] = "hungry" /\ Lies(RightOf(p))
  /\ ~LowFirst(p) \/ left[p] = p
  /\ right' = [right EXCEPT ![RightOf(p)] = p]
  /\ UNCHANGED <<mood, left>>
Eat(p) ==
  /\ mood[p] = "hungry" /\ left[p] = p /\ right[RightOf(p)] = p
  /\ mood' = [mood EXCEPT ![p] = "eats"]
  /\ UNCHANGED <<left, right>>
Leave(p) ==
  /\ mood[p] = "eats"
  /\ mood' = [mood EXCEPT ![p] = "thinks"]
  /\ left' = [left EXCEPT ![p] = Free]
  /\ right' = [right EXCEPT ![RightOf(p)] = Free]

Next == \E p \in People : Hunger(p) \/ TakeLeft(p) \/ TakeRight(p) \/ Eat(p) \/ Leave(p)
Fair == \A p \in People : WF_vars(Eat(p) \/ Leave(p)) /\ SF_vars(TakeLeft(p) \/ TakeRight(p))
Spec == Init /\ [][Next]_vars /\ Fair

Apart == \A p \in People : ~(mood[p] = "eats" /\ mood[RightOf(p)] = "eats")
Eats == \A p \in {0, N - 1} : mood[p] = "hungry" ~> mood[p] = "eats"
====
