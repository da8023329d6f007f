------------------------------- MODULE Spec -------------------------------
(* A number that is changed in many ways. *)
EXTENDS Integers, FiniteSets
VARIABLES n, last, seen

vars == <<n, last, seen>>

Init == n = 0 /\ last = "none" /\ seen = {}

\* Two ways, one of them with a choice of its own.
Move == \/ /\ n < 5
           /\ n' = n + 1
           /\ last' = "up"
           /\ UNCHANGED seen
        \/ /\ \E d \in 1..3 : \E e \in {0, 10} :
                /\ d <= n
                /\ n' = n - d + e
                /\ seen' = seen \cup {d}
           /\ last' \in {"down", "jump"}

Sign == /\ IF n > 0 THEN last' = "positive"
           ELSE IF n = 0 THEN last' = "zero" ELSE last' = "negative"
        /\ UNCHANGED <<n, seen>>

Grade == /\ last' = CASE n < 0 -> "low" [] n \in 0..3 -> "middle" [] OTHER -> "high"
         /\ n' = LET half == n \div 2
                     twice(x) == x + x
                 IN  twice(half)
         /\ UNCHANGED seen

\* CHOOSE takes the least element of the set.
Forget == /\ seen # {}
          /\ LET x == CHOOSE x \in seen : TRUE
             IN  seen' = seen \ {x} /\ n' = x
          /\ last' = last

\* The post-state is compared where an earlier conjunct has given it.
Twice == n' = n * 2 /\ n' > 0 /\ UNCHANGED <<last, seen>>

Implied == (n > 3 => last' = "large") /\ (n <= 3 => last' = "small") /\ UNCHANGED <<n, seen>>

Next == Move \/ Sign \/ Grade \/ Forget \/ Twice \/ Implied
===========================================================================
