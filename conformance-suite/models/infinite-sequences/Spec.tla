---- MODULE Spec ----
EXTENDS Sequences
VARIABLE x
Init == x = Seq({1})
Next == UNCHANGED x
====
