------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
Two == x = 2
Zero == x = 0
Back == x = 2 /\ x' = 0
Counts ==
  LET counts == TLCGet("all:named")["s:_possible"][1]
  IN counts["Two"] = 1 /\ counts["Zero"] = 2 /\ counts["Back"] = 1
===========================================================================
