---- MODULE SlidingWindow ----
(* Go-back-N over two lossy FIFO links: frames carry a number and a bit of data, acknowledgements the number that is wanted next.
   benches/spin/sliding_window.pml is the same system in Promela, with the same state graph. *)
EXTENDS Integers, Sequences
CONSTANTS Numbers, Window, Room
VARIABLES base, next, data, wanted, got, frames, acks
vars == <<base, next, data, wanted, got, frames, acks>>

Bits == {0, 1}
Ahead(a, b) == (a - b + Numbers) % Numbers

Init ==
  /\ base = 0 /\ next = 0 /\ wanted = 0 /\ got = 0
  /\ data = [n \in 0 .. Numbers - 1 |-> 0]
  /\ frames = <<>> /\ acks = <<>>

Accept(b) ==
  /\ Ahead(next, base) < Window
  /\ data' = [data EXCEPT ![next] = b]
  /\ next' = (next + 1) % Numbers
  /\ UNCHANGED <<base, wanted, got, frames, acks>>

Send(n) ==
  /\ Ahead(n, base) < Ahead(next, base)
  /\ Len(frames) < Room
  /\ frames' = Append(frames, [number |-> n, bit |-> data[n]])
  /\ UNCHANGED <<base, next, data, wanted, got, acks>>

Receive ==
  /\ frames # <<>>
  /\ Len(acks) < Room
  /\ frames' = Tail(frames)
  /\ IF Head(frames).number = wanted
     THEN /\ wanted' = (wanted + 1) % Numbers
          /\ got' = Head(frames).bit
          /\ acks' = Append(acks, (wanted + 1) % Numbers)
     ELSE /\ acks' = Append(acks, wanted)
          /\ UNCHANGED <<wanted, got>>
  /\ UNCHANGED <<base, next, data>>

Acknowledged ==
  /\ acks # <<>>
  /\ acks' = Tail(acks)
  /\ base' = IF Ahead(Head(acks), base) <= Ahead(next, base) THEN Head(acks) ELSE base
  /\ UNCHANGED <<next, data, wanted, got, frames>>

LoseFrame == frames # <<>> /\ frames' = Tail(frames) /\ UNCHANGED <<base, next, data, wanted, got, acks>>
LoseAck == acks # <<>> /\ acks' = Tail(acks) /\ UNCHANGED <<base, next, data, wanted, got, frames>>

Next ==
  \/ \E b \in Bits : Accept(b)
  \/ \E n \in 0 .. Numbers - 1 : Send(n)
  \/ Receive \/ Acknowledged \/ LoseFrame \/ LoseAck
Spec == Init /\ [][Next]_vars

InWindow == Ahead(wanted, base) <= Ahead(next, base)
RightData == wanted # base => got = data[(wanted + Numbers - 1) % Numbers]
====
