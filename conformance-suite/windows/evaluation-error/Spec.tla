------------------------------- MODULE Spec -------------------------------
(* Arithmetic that does not always have a value. *)
EXTENDS Integers, Sequences
VARIABLES x, q

Init == x = 1 /\ q = <<>>

Divide == x' = 12 \div x /\ UNCHANGED q
Guarded == x # 0 /\ x' = 12 \div x /\ UNCHANGED q
Pop == q' = Tail(q) /\ x' = Head(q)
Double == x' = x + x /\ q' = Append(q, x)

Next == Divide \/ Guarded \/ Pop \/ Double
===========================================================================
