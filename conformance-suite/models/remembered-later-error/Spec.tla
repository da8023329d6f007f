---- MODULE Spec ----
EXTENDS Integers, Sequences
VARIABLES s, n
RECURSIVE Last(_, _)
Last(q, unused) == IF Len(q) <= 1 THEN q ELSE Last(Tail(q), unused)
Head1(q, otherwise) == IF Last(q, 0) = <<>> THEN otherwise ELSE Head(q)
Deep(k) == IF k = 0 THEN Last(s, Head(s)) ELSE Last(s, k)
Init == s = <<>> /\ n = 0
Put == Len(s) < 3 /\ s' = Append(s, n) /\ n' = (n + 1) % 3
Get == s # <<>> /\ Head(Last(s, Head(<<>>))) <= n + 3 /\ s' = Tail(s) /\ n' = n
Mix == /\ Len(Deep(n)) <= 1
       /\ CASE s = <<>> -> n' = (n + Head1(s, 1)) % 3
            [] OTHER -> n' = Head1(s, Head(<<>>))
       /\ s' = s
Next == Put \/ Get \/ Mix
Spec == Init /\ [][Next]_<<s, n>>
Fine == s = <<>> \/ Head(Last(s, s[4])) \in 0..2
Steps == [][s = <<>> \/ Last(s, 0)' = Last(s', 0)]_<<s, n>>
====
