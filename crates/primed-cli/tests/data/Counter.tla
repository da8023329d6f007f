------------------------------- MODULE Counter -------------------------------
(* A counter with a log, for the tests of the command.                       *)
EXTENDS Integers, Sequences, TLCExt

VARIABLES x, log

vars == <<x, log>>

Init == x = 0 /\ log = <<>>

Inc == x' = x + 1 /\ UNCHANGED log

\* A number is noted and the counter goes there.
Add(n) == /\ n > x
          /\ log' = Append(log, n)
          /\ x' = n

\* Takes the first entry; there is none in an empty log.
Pop == /\ log' = Tail(log)
       /\ UNCHANGED x

\* The same with another name.
Step == x' = x + 1 /\ UNCHANGED log

\* What is not evaluated: a definition by its name.
Twice == x' = TLCEvalDefinition("x") /\ UNCHANGED log

Next == Inc \/ (\E n \in 1..3 : Add(n)) \/ Pop \/ Step \/ Twice
------------------------------------------------------------------------------
Small == x < 3 /\ Len(log) < 3

FirstIsPositive == log[1] > 0

\* What the log may be where nobody looked.
Filled == log \in {<<1>>, <<2>>}
==============================================================================
