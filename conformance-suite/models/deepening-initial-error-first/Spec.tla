---- MODULE Spec ----
EXTENDS Integers
VARIABLE x, y
Init == x \in {1, 2, 3} /\ y = IF x = 3 THEN 1 \div 0 ELSE 0
Next == UNCHANGED <<x, y>>
Inv == x # 1
====
