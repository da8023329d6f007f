---- MODULE Spec ----
EXTENDS Integers
VARIABLES x, y
Base == [a |-> 1]
Init == /\ x \in {0, 1}
        /\ y = IF x = 1
               THEN Base.b ELSE 0
Next == UNCHANGED <<x, y>>
====
