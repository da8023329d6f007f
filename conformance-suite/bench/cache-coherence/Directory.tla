---- MODULE Directory ----
(* Caches of a multiprocessor and a directory: modified, shared or invalid lines; invalidations are acknowledged one by one. *)
EXTENDS Naturals
CONSTANTS Cpus, Lines, Data
VARIABLES state, copy, memory, sharers, wants, pending
vars == <<state, copy, memory, sharers, wants, pending>>

Free == [of |-> "nobody", kind |-> "none"]

Init ==
  /\ state = [c \in Cpus |-> [l \in Lines |-> "invalid"]]
  /\ copy = [c \in Cpus |-> [l \in Lines |-> 0]]
  /\ memory = [l \in Lines |-> 0]
  /\ sharers = [l \in Lines |-> [c \in Cpus |-> FALSE]]
  /\ wants = [c \in Cpus |-> "nothing"]
  /\ pending = [l \in Lines |-> Free]

Request(c, l, kind) ==
  /\ wants[c] = "nothing"
  /\ pending[l] = Free
  /\ \/ kind = "read" /\ state[c][l] = "invalid"
     \/ kind = "write" /\ state[c][l] # "modified"
  /\ wants' = [wants EXCEPT ![c] = kind]
  /\ pending' = [pending EXCEPT ![l] = [of |-> c, kind |-> kind]]
  /\ UNCHANGED <<state, copy, memory, sharers>>

\* A cache that stands in the way gives the line up; a reader lets a writer keep a shared copy.
Yield(c, l) ==
  /\ pending[l] # Free /\ pending[l].of # c
  /\ \/ pending[l].kind = "write" /\ state[c][l] # "invalid"
     \/ pending[l].kind = "read" /\ state[c][l] = "modified"
  /\ memory' = IF state[c][l] = "modified" THEN [memory EXCEPT ![l] = copy[c][l]] ELSE memory
  /\ IF pending[l].kind = "read"
     THEN /\ state' = [state EXCEPT ![c][l] = "shared"]
          /\ UNCHANGED <<copy, sharers>>
     ELSE /\ state' = [state EXCEPT ![c][l] = "invalid"]
          /\ copy' = [copy EXCEPT ![c][l] = 0]
          /\ sharers' = [sharers EXCEPT ![l][c] = FALSE]
  /\ UNCHANGED <<wants, pending>>

Fill(l) == \E c \in Cpus :
  /\ pending[l].of = c
  /\ \A d \in Cpus \ {c} : IF pending[l].kind = "write" THEN ~sharers[l][d] ELSE state[d][l] # "modified"
  /\ state' = [state EXCEPT ![c][l] = IF pending[l].kind = "write" THEN "modified" ELSE "shared"]
  /\ copy' = [copy EXCEPT ![c][l] = memory[l]]
  /\ sharers' = [sharers EXCEPT ![l][c] = TRUE]
  /\ wants' = [wants EXCEPT ![c] = "nothing"]
  /\ pending' = [pending EXCEPT ![l] = Free]
  /\ UNCHANGED memory

Store(c, l) == \E d \in Data :
  /\ state[c][l] = "modified"
  /\ copy[c][l] # d
  /\ copy' = [copy EXCEPT ![c][l] = d]
  /\ UNCHANGED <<state, memory, sharers, wants, pending>>

Evict(c, l) ==
  /\ state[c][l] # "invalid"
  /\ pending[l] = Free
  /\ memory' = IF state[c][l] = "modified" THEN [memory EXCEPT ![l] = copy[c][l]] ELSE memory
  /\ state' = [state EXCEPT ![c][l] = "invalid"]
  /\ copy' = [copy EXCEPT ![c][l] = 0]
  /\ sharers' = [sharers EXCEPT ![l][c] = FALSE]
  /\ UNCHANGED <<wants, pending>>

Next == \E l \in Lines :
  \/ Fill(l)
  \/ \E c \in Cpus : Yield(c, l) \/ Store(c, l) \/ Evict(c, l) \/ \E k \in {"read", "write"} : Request(c, l, k)
Spec == Init /\ [][Next]_vars

OneWriter == \A l \in Lines : \A c, d \in Cpus : c # d /\ state[c][l] = "modified" => state[d][l] = "invalid"
Fresh == \A l \in Lines, c \in Cpus : state[c][l] = "shared" => copy[c][l] = memory[l]
Listed == \A l \in Lines, c \in Cpus : sharers[l][c] <=> state[c][l] # "invalid"
====
