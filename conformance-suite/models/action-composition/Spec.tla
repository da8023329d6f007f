---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLES full, spilt

\* A jug is filled by any of two cups, and then emptied of what does not fit.
Pour(n) == full < 4 /\ full' = full + n /\ spilt' = spilt
Drain == full > 3 /\ full' = 3 /\ spilt' = full - 3
Rest == full < 4 /\ UNCHANGED <<full, spilt>>

\* Compositions are evaluated where a specification asks for the property that TLC needs for it.
ASSUME TLCGet("-Dtlc2.tool.impl.Tool.cdot") = "true"

Init == full = 0 /\ spilt = 0
Next == \/ \E n \in {2, 3} : Pour(n) \cdot (Drain \/ Rest)
        \/ (full = 3 /\ spilt' = 0) /\ ((full' = full + 1) \cdot (full > 3 /\ full' = full - 4))
Spec == Init /\ [][Next]_<<full, spilt>>

Inv == full \in 0..3 /\ spilt \in 0..3
CanGoOn == ENABLED (\E n \in {2, 3} : Pour(n) \cdot (Drain \/ Rest))
Steps == [][Next]_<<full, spilt>>
NoBoth == [][~((Drain \/ Rest) \cdot Drain)]_<<full, spilt>>
====
