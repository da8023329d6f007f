---- MODULE Spec ----
EXTENDS Integers, FiniteSets, TLC
VARIABLE x
Init == x = 0
Next == x' \in ({e \in SUBSET {1,2} : 1 \div 0 = 1} \X {1})

====
