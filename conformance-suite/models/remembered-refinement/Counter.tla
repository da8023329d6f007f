---- MODULE Counter ----
EXTENDS Integers
CONSTANT Most
VARIABLES count, last
RECURSIVE Double(_)
Double(n) == IF n = 0 THEN 0 ELSE 2 + Double(n - 1)
Init == count = 0 /\ last = "none"
Up == count < Most /\ count' = count + 1 /\ last' = "up"
Down == count > 0 /\ count' = count - 1 /\ last' = "down"
Even == Double(count') = Double(count) /\ last' # last
Next == Up \/ Down \/ Even
vars == <<count, last>>
Spec == Init /\ [][Next]_vars
====
