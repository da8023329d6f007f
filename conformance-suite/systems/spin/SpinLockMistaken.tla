-------------------------- MODULE SpinLockMistaken --------------------------
(* The spin lock of module SpinLock with one misconception in it.           *)
(*                                                                          *)
(* The mistake: it takes for granted that a thread announces itself before  *)
(* it gets the lock, so that AcquireSuccess is possible from "acquiring"    *)
(* only.  The real lock has a fast path: a thread that tries once and finds *)
(* the lock free has it at once, from "idle".  The model is sound in itself *)
(* (it has fewer behaviours than SpinLock, and every invariant holds), so   *)
(* only the windows show the mistake: 87 of the 543 are refused, all of     *)
(* them of AcquireSuccess, and all at the conjunct pc[t] = "acquiring".     *)

CONSTANT Threads
VARIABLES lockState, pc

vars == <<lockState, pc>>

TypeOK == /\ lockState \in {"unlocked", "locked"}
          /\ pc \in [Threads -> {"idle", "acquiring", "locked"}]

Init == /\ lockState = "unlocked"
        /\ pc = [t \in Threads |-> "idle"]

TryAcquireBlocking(t) == /\ pc[t] = "idle"
                         /\ pc' = [pc EXCEPT ![t] = "acquiring"]
                         /\ UNCHANGED lockState

AcquireSuccess(t) == /\ lockState = "unlocked"
                     /\ pc[t] = "acquiring"
                     /\ lockState' = "locked"
                     /\ pc' = [pc EXCEPT ![t] = "locked"]

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

HeldWhenLocked == lockState = "locked" <=> \E t \in Threads : pc[t] = "locked"
=============================================================================
