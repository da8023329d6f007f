---- MODULE FilterLock ----
(* A filter lock: to enter, a process goes up through N - 1 levels, at each of which one process is held back. The
   definitions have the form in which the PlusCal translator writes them. *)
EXTENDS Naturals
CONSTANT N
VARIABLES pc, level, last, step, other
vars == << pc, level, last, step, other >>
ProcSet == (1..N)

Init == (* Global variables *)
        /\ level = [i \in 1..N |-> 0]
        /\ last = [i \in 1..N |-> 0]
        (* Process p *)
        /\ step = [self \in 1..N |-> 1]
        /\ other = [self \in 1..N |-> 1]
        /\ pc = [self \in ProcSet |-> "idle"]

idle(self) == /\ pc[self] = "idle"
              /\ step' = [step EXCEPT ![self] = 1]
              /\ pc' = [pc EXCEPT ![self] = "up"]
              /\ UNCHANGED << level, last, other >>

up(self) == /\ pc[self] = "up"
            /\ IF step[self] < N
                  THEN /\ level' = [level EXCEPT ![self] = step[self]]
                       /\ pc' = [pc EXCEPT ![self] = "mark"]
                  ELSE /\ pc' = [pc EXCEPT ![self] = "cs"]
                       /\ level' = level
            /\ UNCHANGED << last, step, other >>

mark(self) == /\ pc[self] = "mark"
              /\ last' = [last EXCEPT ![step[self]] = self]
              /\ other' = [other EXCEPT ![self] = 1]
              /\ pc' = [pc EXCEPT ![self] = "scan"]
              /\ UNCHANGED << level, step >>

scan(self) == /\ pc[self] = "scan"
              /\ IF last[step[self]] = self /\ other[self] <= N
                    THEN /\ IF other[self] # self /\ level[other[self]] >= step[self]
                               THEN /\ other' = other
                               ELSE /\ other' = [other EXCEPT ![self] = other[self] + 1]
                         /\ pc' = [pc EXCEPT ![self] = "scan"]
                         /\ step' = step
                    ELSE /\ step' = [step EXCEPT ![self] = step[self] + 1]
                         /\ pc' = [pc EXCEPT ![self] = "up"]
                         /\ other' = other
              /\ UNCHANGED << level, last >>

cs(self) == /\ pc[self] = "cs"
            /\ TRUE
            /\ pc' = [pc EXCEPT ![self] = "leave"]
            /\ UNCHANGED << level, last, step, other >>

leave(self) == /\ pc[self] = "leave"
               /\ level' = [level EXCEPT ![self] = 0]
               /\ pc' = [pc EXCEPT ![self] = "idle"]
               /\ UNCHANGED << last, step, other >>

p(self) == idle(self) \/ up(self) \/ mark(self) \/ scan(self) \/ cs(self) \/ leave(self)

Next == (\E self \in 1..N: p(self))

Spec == Init /\ [][Next]_vars

Exclusion == \A i, j \in ProcSet : i # j => ~(pc[i] = "cs" /\ pc[j] = "cs")
TypeOK == /\ pc \in [ProcSet -> {"idle", "up", "mark", "scan", "cs", "leave"}]
          /\ level \in [1..N -> 0..N]
          /\ last \in [1..N -> 0..N]
          /\ step \in [ProcSet -> 1..N]
          /\ other \in [ProcSet -> 1..N+1]
====
