------------------------------- MODULE Spec -------------------------------
EXTENDS TLC, Integers
CONSTANTS a, b, c
VARIABLES s, n
Init == s = {} /\ n = 0
Next == \E p \in {a, b, c} \ s : s' = s \cup {p} /\ n' = n + 1
Sym == {a :> b @@ b :> c @@ c :> a, a :> b @@ b :> a @@ c :> c}
===========================================================================
