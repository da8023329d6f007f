---- MODULE RingBuffer ----
(* Producers and consumers share a ring of slots. A producer claims a slot, fills it, and publishes it in order; a consumer
   takes the oldest published one. It refines a bounded queue. *)
EXTENDS Integers, Sequences
CONSTANTS Producers, Consumers, Items, Size
VARIABLES ring, claimed, published, taken, slot, holds
vars == <<ring, claimed, published, taken, slot, holds>>

\* Counters run modulo twice the size, so that a full ring differs from an empty one.
Wrap == 2 * Size
Ahead(a, b) == (a - b + Wrap) % Wrap
At(n) == (n % Size) + 1
None == -1

Init ==
  /\ ring = [i \in 1 .. Size |-> "empty"]
  /\ claimed = 0 /\ published = 0 /\ taken = 0
  /\ slot = [p \in Producers |-> None]
  /\ holds = [c \in Consumers |-> "empty"]

Claim(p) ==
  /\ slot[p] = None
  /\ Ahead(claimed, taken) < Size
  /\ slot' = [slot EXCEPT ![p] = claimed]
  /\ claimed' = (claimed + 1) % Wrap
  /\ UNCHANGED <<ring, published, taken, holds>>

Fill(p) == \E i \in Items :
  /\ slot[p] # None
  /\ ring[At(slot[p])] = "empty"
  /\ ring' = [ring EXCEPT ![At(slot[p])] = i]
  /\ UNCHANGED <<claimed, published, taken, slot, holds>>

Publish(p) ==
  /\ slot[p] = published
  /\ ring[At(slot[p])] # "empty"
  /\ published' = (published + 1) % Wrap
  /\ slot' = [slot EXCEPT ![p] = None]
  /\ UNCHANGED <<ring, claimed, taken, holds>>

Take(c) ==
  /\ holds[c] = "empty"
  /\ Ahead(published, taken) > 0
  /\ holds' = [holds EXCEPT ![c] = ring[At(taken)]]
  /\ ring' = [ring EXCEPT ![At(taken)] = "empty"]
  /\ taken' = (taken + 1) % Wrap
  /\ UNCHANGED <<claimed, published, slot>>

Use(c) ==
  /\ holds[c] # "empty"
  /\ holds' = [holds EXCEPT ![c] = "empty"]
  /\ UNCHANGED <<ring, claimed, published, taken, slot>>

Next == (\E p \in Producers : Claim(p) \/ Fill(p) \/ Publish(p)) \/ \E c \in Consumers : Take(c) \/ Use(c)
Spec == Init /\ [][Next]_vars

queue == [i \in 1 .. Ahead(published, taken) |-> ring[At(taken + i - 1)]]
Queue == INSTANCE Fifo
Refines == Queue!Spec
NoneTwice == \A p, q \in Producers : p # q /\ slot[p] # None => slot[p] # slot[q]
====
