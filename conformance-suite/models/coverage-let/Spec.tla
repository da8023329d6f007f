---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Step == LET a == x + 1
            b == y * 2 IN
        /\ a < 5
        /\ x' = a
        /\ y' = (LET c == a + b
                      d(n) == n + c IN (c + c + d(1)) % 3)
Next == Step
Inv == LET z == x + y IN z < 100 /\ z >= 0
====
