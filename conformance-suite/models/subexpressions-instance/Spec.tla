---- MODULE Spec ----
EXTENDS Naturals
VARIABLES x, y
A == x < 2 /\ x' = x + 1 /\ y' = y
B(n) == y < n /\ y' = y + 1 /\ UNCHANGED x
Both == A \/ B(2)
All == \/ Both
       \/ x' = 9 /\ y' = 9
Set(v, e) == lab :: v' = e
Par == \E n \in {2, 3} : mine(n) :: B(n)
Mix == /\ x < 2
       /\ Set(x, x + 1)!lab
       /\ UNCHANGED y
Init == start :: (x = 0 /\ y = 0) /\ TRUE
Next == All!1 \/ Par!mine(3) \/ Mix
I == INSTANCE Sel2 WITH z <- x
Next2 == (I!Step!1 /\ UNCHANGED y) \/ I!Go(2)!2
Next3 == Set(x, x + 1)!lab /\ x < 2 /\ Set(y, 0)!lab
Inv == /\ x \in 0..2
       /\ y <= 2
Inv1 == Inv!1
Inv2 == Inv!2
Bad == Inv!2!2 < 3
====
