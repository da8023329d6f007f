---- MODULE Spec ----
EXTENDS Integers, TLC
VARIABLE x
ASSUME TLCSet("exit", TRUE)
Init == x = 0
Next == x' = x + 1
====
