---- MODULE Spec ----
(* Three workers pass jobs on. What each may do depends on what others could do: ENABLED stands in guards, in what is assigned, in LET, *)
(* in quantifiers, below another ENABLED, in a constraint and in invariants. *)
EXTENDS Naturals, FiniteSets
CONSTANT Workers
VARIABLES job, rest, log, tick
vars == <<job, rest, log, tick>>

Init ==
  /\ job = [w \in Workers |-> 0]
  /\ rest = [w \in Workers |-> w % 2 = 0]
  /\ log = <<0, 0>>
  /\ tick = 0

\* The next value of a variable is read after it was given; two others stay.
Take(w) ==
  /\ ~rest[w]
  /\ job[w] < 2
  /\ job' = [job EXCEPT ![w] = @ + 1]
  /\ job'[w] + tick < 4
  /\ UNCHANGED <<rest, log>>
  /\ tick' \in {tick, tick + 1}
  /\ tick' < 3

\* A variable that stays is read as the next one.
Pass(w, v) ==
  /\ w # v
  /\ job[w] > 0
  /\ UNCHANGED log
  /\ log'[1] < 2
  /\ job' = [job EXCEPT ![w] = @ - 1, ![v] = (@ + 1) % 3]
  /\ UNCHANGED rest
  /\ tick' = tick

Idle(w) ==
  /\ ~ENABLED Take(w)
  /\ rest' = [rest EXCEPT ![w] = ~@]
  /\ UNCHANGED <<job, log, tick>>

\* Assigned according to what is possible, for a named part of the state and for all.
Note(w) ==
  /\ log[1] < 2
  /\ LET free == {v \in Workers : ENABLED Take(v)}
         both == ENABLED (Take(w) /\ tick' = tick)
     IN  /\ log' = [log EXCEPT ![1] = IF both THEN Cardinality(free) ELSE @, ![2] = IF ENABLED Idle(w) THEN 1 ELSE 2]
         /\ \E v \in Workers : v \notin free
  /\ UNCHANGED <<job, rest, tick>>

\* ENABLED below ENABLED, and the next state read by what is possible in it.
Turn ==
  /\ ENABLED (\E w \in Workers : Idle(w) /\ rest'[w])
  /\ tick > 0
  /\ tick' = tick - 1
  /\ UNCHANGED <<job, log>>
  /\ rest' = [w \in Workers |-> \E v \in Workers : v # w /\ ENABLED Pass(w, v)]

Next ==
  \/ \E w \in Workers : Take(w) \/ Idle(w) \/ Note(w)
  \/ \E w, v \in Workers : Pass(w, v)
  \/ Turn

Spec == Init /\ [][Next]_vars

Few == tick < 3 /\ (ENABLED Turn => log[1] < 3)
TypeOK == /\ job \in [Workers -> 0..2]
          /\ tick \in 0..3
CanGo == ENABLED Next
Told == \A w \in Workers : (ENABLED Take(w)) => ~rest[w] /\ job[w] < 2
\* Both states are looked at: what can be done after the step.
Steps == [][log[1] # log'[1] => ~(ENABLED Take(1))' \/ tick <= 2]_vars
====
