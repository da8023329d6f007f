---- MODULE Walk ----
EXTENDS Integers, Sequences, TLC, TLCExt
CONSTANTS Limit, Names
VARIABLES at, log

Move(by) == /\ at + by <= Limit
            /\ at' = at + by
            /\ log' = Append(log, by)
Rest == /\ at = Limit
        /\ UNCHANGED <<at, log>>
Sign(name, stamp) == /\ Len(log) = 1
                     /\ log' = Append(log, [name |-> name, stamp |-> stamp, of |-> {name}, more |-> <<stamp, stamp, name>>])
                     /\ UNCHANGED at
Stop == at = 99 /\ UNCHANGED <<at, log>>

Init == at = 0 /\ log = <<>>
Next == \/ \E by \in {1, 2} : Move(by)
        \/ \E name \in Names, stamp \in {"early"} : Sign(name, stamp)
        \/ Rest
        \/ Stop
Spec == Init /\ [][Next]_<<at, log>>
NoRest == \/ \E by \in {1, 2} : Move(by)
          \/ at = 2 /\ at' = 0 /\ log' = <<>>
Partial == \/ \E by \in {1, 2} : Move(by)
           \/ at = 2 /\ at' = 0

Low == at < 3
Start == at > 0
Short == \A i \in DOMAIN log : log[i] \in {1, 2}
Broken == at < 2 \/ log[at + 5] = 1
Small == Len(log) < 3
Shown == [where |-> at, next |-> at', steps |-> Len(Trace)]
Enough == TLCGet("distinct") > 1000
Seen == PrintT(Len(ToTrace(CounterExample)))
====
