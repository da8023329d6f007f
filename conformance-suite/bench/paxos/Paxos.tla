---- MODULE Paxos ----
(* Single-decree consensus. Everything ever sent stays in `mail`, a set of records: it may be read late, twice, or never. *)
EXTENDS Integers, FiniteSets
CONSTANTS Acceptors, Values, Rounds
VARIABLES promised, vote, mail
vars == <<promised, vote, mail>>

Majorities == {q \in SUBSET Acceptors : 2 * Cardinality(q) > Cardinality(Acceptors)}
NoVote == [round |-> -1, value |-> "none"]

Init ==
  /\ promised = [a \in Acceptors |-> -1]
  /\ vote = [a \in Acceptors |-> NoVote]
  /\ mail = {}

Send(m) == mail' = mail \union {m}

Ask(r) ==
  /\ Send([kind |-> "ask", round |-> r])
  /\ UNCHANGED <<promised, vote>>

Promise(a) == \E m \in mail :
  /\ m.kind = "ask"
  /\ m.round > promised[a]
  /\ promised' = [promised EXCEPT ![a] = m.round]
  /\ Send([kind |-> "promise", from |-> a, round |-> m.round, last |-> vote[a]])
  /\ UNCHANGED vote

\* The value of the latest vote that a majority reports, or any value if none has voted.
Free(promises, v) ==
  LET voted == {p \in promises : p.last.round >= 0}
  IN  \/ voted = {}
      \/ \E p \in voted : p.last.value = v /\ \A q \in voted : q.last.round <= p.last.round

Propose(r, v) ==
  /\ ~ \E m \in mail : m.kind = "propose" /\ m.round = r
  /\ LET answers == {m \in mail : m.kind = "promise" /\ m.round = r}
     IN  \E q \in Majorities :
           LET heard == {m \in answers : m.from \in q}
           IN  /\ {m.from : m \in heard} = q
               /\ Free(heard, v)
  /\ Send([kind |-> "propose", round |-> r, value |-> v])
  /\ UNCHANGED <<promised, vote>>

Accept(a) == \E m \in mail :
  /\ m.kind = "propose"
  /\ m.round >= promised[a]
  /\ promised' = [promised EXCEPT ![a] = m.round]
  /\ vote' = [vote EXCEPT ![a] = [round |-> m.round, value |-> m.value]]
  /\ Send([kind |-> "accepted", from |-> a, round |-> m.round, value |-> m.value])

Next ==
  \/ \E r \in Rounds : Ask(r) \/ \E v \in Values : Propose(r, v)
  \/ \E a \in Acceptors : Promise(a) \/ Accept(a)
Spec == Init /\ [][Next]_vars

Chosen == {v \in Values : \E r \in Rounds, q \in Majorities :
             \A a \in q : [kind |-> "accepted", from |-> a, round |-> r, value |-> v] \in mail}
Agreement == \A v, w \in Chosen : v = w
Kept == \A a \in Acceptors : vote[a].round <= promised[a]
====
