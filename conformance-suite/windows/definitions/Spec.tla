------------------------------- MODULE Spec -------------------------------
(* Two numbers, a queue and a word, changed through definitions of all kinds. *)
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Bound, Combine(_, _)
VARIABLES n, m, q, state

pair == <<n, m>>
vars == <<pair, q, state>>

Init == n = 0 /\ m = 0 /\ q = <<>> /\ state = "start"

\* Primes its first argument, which a variable stands for.
Add(v, d) == v' = v + d
Keep(v) == v' = v

RECURSIVE Sum(_)
Sum(s) == IF s = <<>> THEN 0 ELSE Head(s) + Sum(Tail(s))

fact[k \in 0..Bound] == IF k = 0 THEN 1 ELSE k * fact[k - 1]

Apply(Op(_), a) == Op(a)

Shift == Add(n, 2) /\ Add(m, -1) /\ UNCHANGED <<q, state>>
Total == n' = Sum(q) /\ Keep(m) /\ q' = <<>> /\ Keep(state)
Raise == n' = Apply(LAMBDA k : fact[k], m) /\ UNCHANGED <<m, q, state>>
Merge == n' = Combine(n, m) /\ m' = Combine(m, n) /\ UNCHANGED <<q, state>>
Pick == /\ n' \in {k \in 0..Bound : k % 2 = 0}
        /\ m' \in {n', n' + 1}
        /\ UNCHANGED <<q, state>>
AllLow == /\ \A i \in 1..Len(q) : q[i] < n
          /\ state' = "low"
          /\ UNCHANGED <<pair, q>>
WhenShiftable == /\ ENABLED (Total /\ n' > 3)
                 /\ state' = "ready"
                 /\ UNCHANGED <<n, m, q>>
MaybeTotal == [Total]_vars
Order == state' = "set" /\ state' # "start" /\ q' = Append(q, Cardinality({n, m})) /\ UNCHANGED pair
Push(v) == q' = Append(q, v) /\ UNCHANGED <<pair, state>>

Next == \/ Shift \/ Total \/ Raise \/ Merge \/ Pick \/ AllLow \/ WhenShiftable \/ MaybeTotal \/ Order
        \/ \E v \in 0..Bound : Push(v)

Minus(a, b) == a - 2 * b
===========================================================================
