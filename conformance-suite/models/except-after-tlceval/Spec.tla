---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLE x
Init == x = 3
Next == UNCHANGED x
Inv == /\ [TLCEval(<<x, TRUE>>) EXCEPT ![1] = x + 1][2]
       /\ [TLCEval(<<x, TRUE>>) EXCEPT ![1] = x + 1] = <<4, TRUE>>
====
