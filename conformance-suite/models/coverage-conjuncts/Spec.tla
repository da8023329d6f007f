---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x, y
Init == /\ x = 0
        /\ y = 0
Up == /\ x < 3
      /\ x' = x + 1
      /\ UNCHANGED y
Down == /\ y < 2
        /\ x = 3
        /\ x' = 0
        /\ y' = y + 1
Never == x > 7 /\ x' = 8 /\ y' = y
Next == Up \/ Down \/ Never
====
