---- MODULE Collector ----
(* Marking and sweeping while a program changes its heap. Cells have fields that point to cells; the program shades what it
   stores. Only cells that cannot be reached may be freed. *)
EXTENDS Naturals, FiniteSets
CONSTANTS Size, Fields
VARIABLES heap, colour, free, phase, at, held
vars == <<heap, colour, free, phase, at, held>>

Cells == 1 .. Size
Root == 1
Nil == 0

RECURSIVE Closure(_, _)
Closure(h, cells) ==
  LET more == cells \union ({h[c][f] : c \in cells, f \in Fields} \ {Nil})
  IN  IF more = cells THEN cells ELSE Closure(h, more)
Reachable == Closure(heap, {Root})

\* A larger heap is to have few pointers.
Sparse == Cardinality({p \in Cells \X Fields : heap[p[1]][p[2]] # Nil}) <= 3

Init ==
  /\ heap = [c \in Cells |-> [f \in Fields |-> Nil]]
  /\ colour = [c \in Cells |-> "white"]
  /\ free = Cells \ {Root}
  /\ phase = "idle"
  /\ at = 1
  /\ held = Nil

Shade(col, c) == IF c # Nil /\ col[c] = "white" THEN [col EXCEPT ![c] = "grey"] ELSE col

Load == \E c \in Reachable, f \in Fields :
  /\ held = Nil
  /\ heap[c][f] # Nil
  /\ held' = heap[c][f]
  /\ UNCHANGED <<heap, colour, free, phase, at>>

\* What is stored is shaded first, and so is what it replaces.
Store == \E c \in Reachable, f \in Fields :
  /\ held # Nil
  /\ colour' = IF phase = "mark" THEN Shade(Shade(colour, heap[c][f]), held) ELSE colour
  /\ heap' = [heap EXCEPT ![c][f] = held]
  /\ held' = Nil
  /\ UNCHANGED <<free, phase, at>>

Clear == \E c \in Reachable, f \in Fields :
  /\ held = Nil
  /\ heap[c][f] # Nil
  /\ colour' = IF phase = "mark" THEN Shade(colour, heap[c][f]) ELSE colour
  /\ heap' = [heap EXCEPT ![c][f] = Nil]
  /\ UNCHANGED <<free, phase, at, held>>

Allocate == \E c \in Reachable, f \in Fields :
  /\ held = Nil
  /\ heap[c][f] = Nil
  /\ free # {}
  /\ LET new == CHOOSE n \in free : \A m \in free : n <= m IN
       /\ free' = free \ {new}
       /\ heap' = [heap EXCEPT ![c][f] = new, ![new] = [g \in Fields |-> Nil]]
       /\ colour' = IF phase = "idle" THEN colour ELSE [colour EXCEPT ![new] = "black"]
  /\ UNCHANGED <<phase, at, held>>

Start ==
  /\ phase = "idle"
  /\ phase' = "mark"
  /\ colour' = Shade(Shade([c \in Cells |-> "white"], Root), held)
  /\ UNCHANGED <<heap, free, at, held>>

Mark == \E c \in Cells :
  /\ phase = "mark"
  /\ colour[c] = "grey"
  /\ LET next == {heap[c][f] : f \in Fields} \ {Nil} IN
       colour' = [d \in Cells |-> IF d = c THEN "black" ELSE IF d \in next /\ colour[d] = "white" THEN "grey" ELSE colour[d]]
  /\ UNCHANGED <<heap, free, phase, at, held>>

Sweep ==
  /\ phase = "mark"
  /\ \A c \in Cells : colour[c] # "grey"
  /\ held = Nil
  /\ phase' = "sweep" /\ at' = 1
  /\ UNCHANGED <<heap, colour, free, held>>

Free ==
  /\ phase = "sweep"
  /\ free' = IF colour[at] = "white" THEN free \union {at} ELSE free
  /\ IF at = Size THEN phase' = "idle" /\ at' = 1 /\ colour' = [c \in Cells |-> "white"]
     ELSE phase' = phase /\ at' = at + 1 /\ colour' = colour
  /\ UNCHANGED <<heap, held>>

Next == Load \/ Store \/ Clear \/ Allocate \/ Start \/ Mark \/ Sweep \/ Free
Spec == Init /\ [][Next]_vars

Safe == Closure(heap, {Root}) \intersect free = {} /\ (held # Nil => held \notin free)
====
