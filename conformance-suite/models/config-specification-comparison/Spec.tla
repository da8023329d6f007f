---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Act == x' > 0
====
