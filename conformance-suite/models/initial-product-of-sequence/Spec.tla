---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
CONSTANT mv
VARIABLE x
Init == x = <<1,2>> \X {1}
Next == x' = x
====
