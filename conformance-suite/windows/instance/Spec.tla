------------------------------- MODULE Spec -------------------------------
(* Two counters of one kind, made from one module. *)
EXTENDS Naturals
VARIABLES left, right

Left  == INSTANCE Counter WITH n <- left, Limit <- 3
Right(limit) == INSTANCE Counter WITH n <- right, Limit <- limit

Init == Left!Init /\ Right(5)!Init

StepLeft == Left!Step /\ UNCHANGED right
StepRight == Right(5)!Step /\ UNCHANGED left
Both == Left!Step /\ Right(5)!Step
Swap == left' = right /\ right' = left
ResetAny == (Left!Reset /\ UNCHANGED right) \/ (Right(5)!Reset /\ UNCHANGED left)

Next == StepLeft \/ StepRight \/ Both \/ Swap \/ ResetAny
===========================================================================
