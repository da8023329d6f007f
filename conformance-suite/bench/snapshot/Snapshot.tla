---- MODULE Snapshot ----
(* A snapshot of a running system by markers: accounts send money over FIFO channels, each writes down its balance when the
   first marker comes, and what arrives before the other markers. No money may be lost in what was written down. *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Branches, Money, Room
VARIABLES balance, channel, saved, recorded, open
vars == <<balance, channel, saved, recorded, open>>

Channels == {c \in Branches \X Branches : c[1] # c[2]}
Into(b) == {c \in Channels : c[2] = b}
OutOf(b) == {c \in Channels : c[1] = b}
Marker == 0
Unsaved == Money * Cardinality(Branches) + 1

Init ==
  /\ balance = [b \in Branches |-> Money]
  /\ channel = [c \in Channels |-> <<>>]
  /\ saved = [b \in Branches |-> Unsaved]
  /\ recorded = [c \in Channels |-> <<>>]
  /\ open = {}

Transfer(c) == \E amount \in 1 .. balance[c[1]] :
  /\ Len(channel[c]) < Room
  /\ balance' = [balance EXCEPT ![c[1]] = @ - amount]
  /\ channel' = [channel EXCEPT ![c] = Append(@, amount)]
  /\ UNCHANGED <<saved, recorded, open>>

Begin(b) ==
  /\ \A x \in Branches : saved[x] = Unsaved
  /\ saved' = [saved EXCEPT ![b] = balance[b]]
  /\ channel' = [c \in Channels |-> IF c \in OutOf(b) THEN Append(channel[c], Marker) ELSE channel[c]]
  /\ open' = Into(b)
  /\ UNCHANGED <<balance, recorded>>

Arrive(c) ==
  /\ channel[c] # <<>>
  /\ Head(channel[c]) # Marker
  /\ balance' = [balance EXCEPT ![c[2]] = @ + Head(channel[c])]
  /\ channel' = [channel EXCEPT ![c] = Tail(@)]
  /\ recorded' = IF c \in open THEN [recorded EXCEPT ![c] = Append(@, Head(channel[c]))] ELSE recorded
  /\ UNCHANGED <<saved, open>>

Mark(c) ==
  /\ channel[c] # <<>>
  /\ Head(channel[c]) = Marker
  /\ IF saved[c[2]] = Unsaved
     THEN /\ saved' = [saved EXCEPT ![c[2]] = balance[c[2]]]
          /\ channel' = [d \in Channels |-> IF d = c THEN Tail(channel[d])
                                            ELSE IF d \in OutOf(c[2]) THEN Append(channel[d], Marker) ELSE channel[d]]
          /\ open' = open \union (Into(c[2]) \ {c})
     ELSE /\ channel' = [channel EXCEPT ![c] = Tail(@)]
          /\ open' = open \ {c}
          /\ UNCHANGED saved
  /\ UNCHANGED <<balance, recorded>>

Next == (\E b \in Branches : Begin(b)) \/ \E c \in Channels : Transfer(c) \/ Arrive(c) \/ Mark(c)
Spec == Init /\ [][Next]_vars

RECURSIVE Total(_)
Total(s) == IF s = <<>> THEN 0 ELSE Head(s) + Total(Tail(s))
RECURSIVE Sum(_, _)
Sum(f, names) == IF names = {} THEN 0 ELSE LET n == CHOOSE n \in names : TRUE IN f[n] + Sum(f, names \ {n})

All == Money * Cardinality(Branches)
Conserved == Sum(balance, Branches) + Sum([c \in Channels |-> Total(channel[c])], Channels) = All
Done == open = {} /\ \A b \in Branches : saved[b] # Unsaved
Consistent == Done => Sum(saved, Branches) + Sum([c \in Channels |-> Total(recorded[c])], Channels) = All
====
