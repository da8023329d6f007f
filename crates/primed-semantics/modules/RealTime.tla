------------------------------- MODULE RealTime ------------------------------
(* Real-time bounds on actions, with the time in the variable now.  They   *)
(* quantify over a hidden timer, so they are for reasoning, not checking.  *)
EXTENDS Reals
VARIABLE now

\* While A can change v, it must be enabled for at least D before it happens
\* and happen before it has been enabled for more than E.
RTBound(A, v, D, E) ==
  LET Restart == <<A>>_v \/ ~(ENABLED <<A>>_v)'
      Tick(t) == t' = IF Restart THEN 0 ELSE t + (now' - now)
  IN  \EE t : /\ t = 0 /\ [][Tick(t)]_<<t, v, now>>
              /\ [](t \leq E)
              /\ [][A => t \geq D]_v

\* Time grows, without bound, in steps that leave v alone.
RTnow(v) ==
  LET Pass == now' \in {r \in Real : now < r} /\ UNCHANGED v
  IN  /\ now \in Real
      /\ [][Pass]_now
      /\ \A r \in Real : WF_now(Pass /\ now' > r)
==============================================================================
