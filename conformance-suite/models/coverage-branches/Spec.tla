---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
A == IF x < 3 THEN /\ x' = x + 1
                   /\ y' = y
              ELSE /\ x' = 0
                   /\ y' = 1
B == CASE x = 1 -> x' = 2 /\ y' = 0
       [] x = 2 -> x' = 3 /\ y' = y
       [] OTHER -> FALSE /\ x' = 9 /\ y' = 9
C == /\ x' = CASE y = 0 -> x [] y = 1 /\ x > 1 -> x - 1 [] OTHER -> 0
     /\ y' = IF x > 2 THEN 1 - y ELSE y
Next == A \/ B \/ C
Inv == IF x > 2 THEN y < 2 ELSE y \in {0, 1}
====
