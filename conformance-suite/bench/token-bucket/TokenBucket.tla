---- MODULE TokenBucket ----
(* A rate limiter in whole numbers: tokens fill a bucket as time goes by, packets wait in two queues and leave for tokens. *)
EXTENDS Naturals
CONSTANTS Burst, Rate, Period, Room, Cost
VARIABLES tokens, clock, first, second, debt
vars == <<tokens, clock, first, second, debt>>

Least(a, b) == IF a < b THEN a ELSE b

Init == tokens = Burst /\ clock = 0 /\ first = 0 /\ second = 0 /\ debt = 0

Tick ==
  /\ clock' = (clock + 1) % Period
  /\ tokens' = IF clock + 1 = Period THEN Least(Burst, tokens + Rate) ELSE tokens
  /\ debt' = IF clock + 1 = Period /\ debt > 0 THEN debt - 1 ELSE debt
  /\ UNCHANGED <<first, second>>

Arrive ==
  /\ UNCHANGED <<tokens, clock, debt>>
  /\ \/ first < Room /\ first' = first + 1 /\ second' = second
     \/ second < Room /\ second' = second + 1 /\ first' = first

\* The second queue is served when it is twice as long, or the first is empty.
Leave ==
  /\ clock' = clock
  /\ \/ /\ first > 0 /\ tokens >= Cost
        /\ first' = first - 1 /\ tokens' = tokens - Cost
        /\ UNCHANGED <<second, debt>>
     \/ /\ second > 2 * first /\ tokens >= 2 * Cost
        /\ second' = second - 1 /\ tokens' = tokens - 2 * Cost
        /\ UNCHANGED <<first, debt>>
     \/ /\ second > 0 /\ tokens < Cost /\ debt < Period
        /\ second' = second - 1 /\ debt' = debt + 1
        /\ UNCHANGED <<first, tokens>>

Next == Tick \/ Arrive \/ Leave
Spec == Init /\ [][Next]_vars

Bounded == tokens <= Burst /\ first <= Room /\ second <= Room /\ debt <= Period /\ clock < Period
Balanced == (tokens + first * Cost) \div Cost <= Burst + Room
====
