-------------------------------- MODULE TV_Add --------------------------------
(* A TV module as SysMoBench writes it: NeverPost is violated exactly when   *)
(* the window conforms.                                                      *)
EXTENDS Integers, Sequences, Json, IOUtils

VARIABLES x, log, step

C == INSTANCE Counter

AllWindows == ndJsonDeserialize("windows_Add.ndjson")
w == AllWindows[atoi(IOEnv.WINDOW_INDEX)]

Init == /\ x = w.pre.x
        /\ log = w.pre.log
        /\ x >= 0
        /\ step = 0

Next == /\ step = 0
        /\ \E n \in 1..3 : C!Add(n)
        /\ step' = 1

NeverPost == ~(step = 1 /\ x = w.post.x /\ log = w.post.log)
===============================================================================
