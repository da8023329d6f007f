---------------------------- MODULE TV_AcquireSuccess ----------------------------
(* Validates windows of the action AcquireSuccess of a spin lock, one a run: the *)
(* environment variable WINDOW_INDEX says which.  NeverPost is violated exactly  *)
(* when the window conforms.                                                     *)
EXTENDS Naturals, Json, IOUtils

CONSTANT Threads
VARIABLES lockState, pc, step

S == INSTANCE SpinLock

AllWindows == ndJsonDeserialize("windows.ndjson")
w == AllWindows[atoi(IOEnv.WINDOW_INDEX)]

Init == /\ lockState = w.pre_state.lockState
        /\ pc = w.pre_state.pc
        /\ step = 0

Next == /\ step = 0
        /\ S!AcquireSuccess(w.actor)
        /\ step' = 1

PostReached == /\ step = 1
               /\ lockState = w.post_state.lockState
               /\ pc = w.post_state.pc

NeverPost == ~PostReached

Spec == Init /\ [][Next]_<<lockState, pc, step>>
==================================================================================
