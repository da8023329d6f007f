---- MODULE Inner ----
EXTENDS Naturals
VARIABLE y
C(F) == F
Q == C([](y < 3))
====
