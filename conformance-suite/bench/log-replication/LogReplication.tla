---- MODULE LogReplication ----
(* A leader copies its log to followers over bounded FIFO links. Who leads changes with the epoch; what links held is lost. *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Servers, Commands, MaxLength, MaxEpoch, Room
VARIABLES log, epoch, leader, link, stored, committed
vars == <<log, epoch, leader, link, stored, committed>>

Majority(q) == 2 * Cardinality(q) > Cardinality(Servers)
LastEpoch(l) == IF l = <<>> THEN 0 ELSE l[Len(l)].epoch
Prefix(a, b) == Len(a) <= Len(b) /\ SubSeq(b, 1, Len(a)) = a
Fresher(a, b) == LastEpoch(a) > LastEpoch(b) \/ (LastEpoch(a) = LastEpoch(b) /\ Len(a) >= Len(b))

Init ==
  /\ log = [s \in Servers |-> <<>>]
  /\ epoch = 0
  /\ leader \in Servers
  /\ link = [s \in Servers |-> <<>>]
  /\ stored = [s \in Servers |-> 0]
  /\ committed = <<>>

Write(c) ==
  /\ Len(log[leader]) < MaxLength
  /\ log' = [log EXCEPT ![leader] = Append(@, [epoch |-> epoch, command |-> c])]
  /\ UNCHANGED <<epoch, leader, link, stored, committed>>

Send(f) ==
  /\ f # leader
  /\ Len(link[f]) < Room
  /\ \E at \in stored[f] + 1 .. Len(log[leader]) :
       link' = [link EXCEPT ![f] = Append(@, [at |-> at, entries |-> SubSeq(log[leader], 1, at)])]
  /\ UNCHANGED <<log, epoch, leader, stored, committed>>

Receive(f) ==
  /\ link[f] # <<>>
  /\ LET m == Head(link[f]) IN
       /\ log' = [log EXCEPT ![f] = IF Prefix(m.entries, @) THEN @ ELSE m.entries]
       /\ stored' = [stored EXCEPT ![f] = IF m.at > @ THEN m.at ELSE @]
  /\ link' = [link EXCEPT ![f] = Tail(@)]
  /\ UNCHANGED <<epoch, leader, committed>>

\* An entry of an earlier epoch counts only together with one of this epoch.
Commit ==
  /\ Len(committed) < Len(log[leader])
  /\ \E n \in Len(committed) + 1 .. Len(log[leader]) :
       /\ log[leader][n].epoch = epoch
       /\ Majority({leader} \union {s \in Servers : stored[s] >= n})
  /\ committed' = Append(committed, log[leader][Len(committed) + 1])
  /\ UNCHANGED <<log, epoch, leader, link, stored>>

Elect(s) ==
  /\ s # leader
  /\ epoch < MaxEpoch
  /\ Majority({t \in Servers : Fresher(log[s], log[t])})
  /\ epoch' = epoch + 1
  /\ leader' = s
  /\ link' = [t \in Servers |-> <<>>]
  /\ stored' = [t \in Servers |-> 0]
  /\ UNCHANGED <<log, committed>>

Next ==
  \/ Commit
  \/ \E c \in Commands : Write(c)
  \/ \E s \in Servers : Send(s) \/ Receive(s) \/ Elect(s)
Spec == Init /\ [][Next]_vars

Durable == Majority({s \in Servers : Prefix(committed, log[s])})
InOrder == \A s \in Servers : \A i \in 1 .. Len(log[s]) - 1 : log[s][i].epoch <= log[s][i + 1].epoch
====
