---- MODULE Spec ----
EXTENDS Naturals, TLCExt
VARIABLES n, g
Init == n = 0 /\ g = [i \in {7} |-> 0]
Next == n' = (n + 1) % 5 /\ g' = IF n = 2 THEN [i \in 7..8 |-> 0] ELSE [i \in {7} |-> 0]
Spec == Init /\ [][Next]_<<n, g>>
OutOfDomain == AssertError("Attempted to apply function:\n(7 :> 0)\nto argument 8, which is not in the domain of the function.", g[8])
====
