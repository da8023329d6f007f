------------------------------- MODULE Spec -------------------------------
EXTENDS Naturals, Sequences, TLC
VARIABLE x
Init == x = 0 /\ TLCSet(7, 0)
Next == x' = (x + 1) % 4 /\ TLCSet(7, TLCGet(7) + 1)
Sum(values) ==
  LET sum[n \in 0..Len(values)] == IF n = 0 THEN 0 ELSE sum[n - 1] + values[n]
  IN sum[Len(values)]
After ==
  LET all == TLCGet("all")
  IN /\ DOMAIN all = {7}
     /\ Len(all[7]) = TLCGet("config").worker
     /\ Sum(all[7]) = 4
     /\ TLCGet(7) = all[7][1]
===========================================================================
