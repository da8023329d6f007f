---- MODULE Spec ----
EXTENDS Naturals, Lower
CONSTANTS C, S
VARIABLE x
Small == 0..3
Plus(a, b) == (a - b) % 5
I == INSTANCE Inst WITH K <- 2
Three == 3
Init == x \in LowSet
Next == x' \in {v \in LowSet : v # x}
Diff == (x ++ 1) \in 0..4
Inst == I!Val = 3
Two == Other = 0
====
