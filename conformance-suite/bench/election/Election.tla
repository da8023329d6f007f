---- MODULE Election ----
(* Leaders are elected for terms, as in Raft: all that a server knows is one record, messages are a set of records. *)
EXTENDS Naturals, FiniteSets
CONSTANTS Servers, LastTerm
VARIABLES server, mail
vars == <<server, mail>>

Nobody == "nobody"
Roles == {"follower", "candidate", "leader"}

Init ==
  /\ server = [s \in Servers |-> [term |-> 0, role |-> "follower", voted |-> Nobody, votes |-> {}]]
  /\ mail = {}

Stand(s) ==
  /\ server[s].role # "leader"
  /\ server[s].term < LastTerm
  /\ server' = [server EXCEPT ![s] = [term |-> @.term + 1, role |-> "candidate", voted |-> s, votes |-> {s}]]
  /\ mail' = mail \union {[kind |-> "request", term |-> server[s].term + 1, from |-> s, to |-> t] : t \in Servers \ {s}}

Newer(s, m) ==
  /\ m.term > server[s].term
  /\ server' = [server EXCEPT ![s] = [term |-> m.term, role |-> "follower", voted |-> Nobody, votes |-> {}]]
  /\ UNCHANGED mail

Grant(s, m) ==
  /\ m.kind = "request"
  /\ m.term = server[s].term
  /\ server[s].voted \in {Nobody, m.from}
  /\ server' = [server EXCEPT ![s].voted = m.from]
  /\ mail' = (mail \ {m}) \union {[kind |-> "grant", term |-> m.term, from |-> s, to |-> m.from]}

Refuse(s, m) ==
  /\ m.kind = "request"
  /\ m.term = server[s].term => server[s].voted \notin {Nobody, m.from}
  /\ m.term <= server[s].term
  /\ mail' = mail \ {m}
  /\ UNCHANGED server

Count(s, m) ==
  /\ m.kind = "grant"
  /\ m.term <= server[s].term
  /\ mail' = mail \ {m}
  /\ IF m.term = server[s].term /\ server[s].role = "candidate"
     THEN server' = [server EXCEPT ![s].votes = @ \union {m.from}]
     ELSE UNCHANGED server

Win(s) ==
  /\ server[s].role = "candidate"
  /\ Cardinality(server[s].votes) * 2 > Cardinality(Servers)
  /\ server' = [server EXCEPT ![s].role = "leader"]
  /\ UNCHANGED mail

Next ==
  \/ \E s \in Servers : Stand(s) \/ Win(s)
  \/ \E m \in mail : Newer(m.to, m) \/ Grant(m.to, m) \/ Refuse(m.to, m) \/ Count(m.to, m)
Spec == Init /\ [][Next]_vars

\* With more terms than two the mail must be kept small.
Few == Cardinality(mail) <= 5

TypeOK == \A s \in Servers :
  server[s] \in [term : 0 .. LastTerm, role : Roles, voted : Servers \union {Nobody}, votes : SUBSET Servers]
OneLeader == \A s, t \in Servers :
  server[s].role = "leader" /\ server[t].role = "leader" /\ server[s].term = server[t].term => s = t
====
