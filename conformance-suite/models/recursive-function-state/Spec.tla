------------------------------- MODULE Spec -------------------------------
EXTENDS Integers, Sequences
VARIABLES s
total[i \in Nat] == IF i = 0 THEN 0 ELSE s[i] + total[i - 1]
Init == s = <<1, 2>>
Next == Len(s) < 5 /\ \E n \in 0..1 : s' = Append(s, n) /\ total[Len(s)]' = total[Len(s)] + n
Inv == total[Len(s)] < 6
===========================================================================
