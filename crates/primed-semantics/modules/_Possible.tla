------------------------------- MODULE _Possible -----------------------------
(* What stands behind _POSSIBLE in a configuration: each formula that it   *)
(* names is tracked as a constraint, and a post-condition asks whether it  *)
(* was ever true.  The numbers are in a register of each worker.           *)
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences

LOCAL key == "s:_possible"

LOCAL number(counts, name) == IF name \in DOMAIN counts THEN counts[name] ELSE 0

\* TRUE; counts how often expr was true, under that name.
_Track(expr, name) ==
  LET counts == TLCGetOrDefault(key, <<>>)
      more   == IF expr THEN 1 ELSE 0
  IN  TLCSet(key, (name :> number(counts, name) + more) @@ counts)

\* The counts of all workers together, by name.
_Counts ==
  LET registers == TLCGet("all:named")
      workers   == IF key \in DOMAIN registers THEN registers[key] ELSE <<>>
      sum[n \in 0..Len(workers)] ==
        IF n = 0 THEN <<>>
        ELSE [name \in DOMAIN sum[n - 1] \cup DOMAIN workers[n] |->
                number(sum[n - 1], name) + number(workers[n], name)]
  IN  sum[Len(workers)]

\* Whether the formula of that name was ever true; if not, all counts are printed.
_CheckName(name) ==
  LET counts == _Counts
  IN  number(counts, name) > 0 \/ (PrintT(counts) /\ FALSE)

_PrintCounts == PrintT(_Counts)
==============================================================================
