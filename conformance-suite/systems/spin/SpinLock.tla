------------------------------ MODULE SpinLock ------------------------------
(* A spin lock that several threads use.  The variables and the names of    *)
(* the actions are those of the recorded windows: lockState is the word in  *)
(* memory, pc says what each thread is doing.                               *)
(*                                                                          *)
(* The windows write pc as a JSON object with the keys "0", "1" and "2".    *)
(* JSON has no other keys than strings, so the threads are these strings:   *)
(* Threads = {"0", "1", "2"} in the configuration.                          *)

CONSTANT Threads
VARIABLES lockState, pc

vars == <<lockState, pc>>

TypeOK == /\ lockState \in {"unlocked", "locked"}
          /\ pc \in [Threads -> {"idle", "acquiring", "locked"}]

Init == /\ lockState = "unlocked"
        /\ pc = [t \in Threads |-> "idle"]

\* The thread asks for the lock and may have to spin, whoever holds it.
TryAcquireBlocking(t) == /\ pc[t] = "idle"
                         /\ pc' = [pc EXCEPT ![t] = "acquiring"]
                         /\ UNCHANGED lockState

\* The compare-and-swap succeeds.  A thread that finds the lock free takes it
\* without spinning: it comes from "idle".
AcquireSuccess(t) == /\ lockState = "unlocked"
                     /\ pc[t] \in {"idle", "acquiring"}
                     /\ lockState' = "locked"
                     /\ pc' = [pc EXCEPT ![t] = "locked"]

\* Only the holder gives the lock back.
Release(t) == /\ lockState = "locked"
              /\ pc[t] = "locked"
              /\ lockState' = "unlocked"
              /\ pc' = [pc EXCEPT ![t] = "idle"]

Next == \E t \in Threads : \/ TryAcquireBlocking(t)
                           \/ AcquireSuccess(t)
                           \/ Release(t)

Spec == Init /\ [][Next]_vars
-----------------------------------------------------------------------------
MutualExclusion == \A t, u \in Threads : pc[t] = "locked" /\ pc[u] = "locked" => t = u

\* The word in memory tells the truth.
HeldWhenLocked == lockState = "locked" <=> \E t \in Threads : pc[t] = "locked"
=============================================================================
