---- MODULE Counters ----
\* Three counters that go round; the sum of two of them bounds the third.
EXTENDS Naturals
CONSTANT N
VARIABLES a, b, c

Init == a = 0 /\ b = 0 /\ c = 0

StepA == a' = (a + 1) % N /\ UNCHANGED <<b, c>>
StepB == a > 0 /\ b' = (b + 1) % N /\ UNCHANGED <<a, c>>
StepC == c < a + b /\ c' = c + 1 /\ UNCHANGED <<a, b>>
Reset == c > 0 /\ c' = 0 /\ UNCHANGED <<a, b>>

Next == StepA \/ StepB \/ StepC \/ Reset

Inside == c <= 2 * N
Never == ~(a = N - 1 /\ b = N - 2 /\ c = N + 3)
====
